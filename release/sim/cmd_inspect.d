release/sim/cmd_inspect.o: sim/cmd_inspect.c sim/cmd.h traces/trace.h \
 sim/op.h sim/types.h sim/inspect.h sim/stat.h sim/progress.h \
 traces/paths.h
sim/cmd.h:
traces/trace.h:
sim/op.h:
sim/types.h:
sim/inspect.h:
sim/stat.h:
sim/progress.h:
traces/paths.h:
