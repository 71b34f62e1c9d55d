release/sim/tempfile.o: sim/tempfile.c sim/tempfile.h sim/op.h \
 sim/types.h
sim/tempfile.h:
sim/op.h:
sim/types.h:
