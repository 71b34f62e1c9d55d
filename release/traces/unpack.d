release/traces/unpack.o: traces/unpack.c traces/unpack.h sim/types.h \
 traces/packer.h
traces/unpack.h:
sim/types.h:
traces/packer.h:
