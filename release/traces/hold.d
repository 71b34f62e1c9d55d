release/traces/hold.o: traces/hold.c traces/hold.h sim/op.h sim/types.h
traces/hold.h:
sim/op.h:
sim/types.h:
