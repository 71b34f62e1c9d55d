release/sim/cmd_convert.o: sim/cmd_convert.c sim/cmd.h traces/trace.h \
 sim/op.h sim/types.h sim/progress.h traces/paths.h traces/writer.h
sim/cmd.h:
traces/trace.h:
sim/op.h:
sim/types.h:
sim/progress.h:
traces/paths.h:
traces/writer.h:
