release/sim/inspect_print.o: sim/inspect_print.c sim/inspect.h sim/stat.h \
 sim/types.h traces/trace.h sim/op.h sim/cmd.h
sim/inspect.h:
sim/stat.h:
sim/types.h:
traces/trace.h:
sim/op.h:
sim/cmd.h:
