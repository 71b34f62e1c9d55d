release/sim/progress.o: sim/progress.c sim/progress.h sim/types.h \
 traces/stream.h
sim/progress.h:
sim/types.h:
traces/stream.h:
