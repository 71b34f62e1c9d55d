release/sim/inspect.o: sim/inspect.c sim/inspect.h sim/stat.h sim/types.h \
 traces/trace.h sim/op.h
sim/inspect.h:
sim/stat.h:
sim/types.h:
traces/trace.h:
sim/op.h:
