release/sim/input.o: sim/input.c sim/input.h sim/op.h sim/types.h \
 sim/tempfile.h
sim/input.h:
sim/op.h:
sim/types.h:
sim/tempfile.h:
