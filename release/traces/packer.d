release/traces/packer.o: traces/packer.c traces/packer.h sim/types.h
traces/packer.h:
sim/types.h:
