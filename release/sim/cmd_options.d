release/sim/cmd_options.o: sim/cmd_options.c sim/cmd.h traces/trace.h \
 sim/op.h sim/types.h
sim/cmd.h:
traces/trace.h:
sim/op.h:
sim/types.h:
