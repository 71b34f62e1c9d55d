release/sim/op.o: sim/op.c sim/op.h sim/types.h
sim/op.h:
sim/types.h:
