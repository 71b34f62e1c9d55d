release/sim/cmd_plot_data.o: sim/cmd_plot_data.c sim/cmd_plot_data.h \
 sim/cmd.h traces/trace.h sim/op.h sim/types.h
sim/cmd_plot_data.h:
sim/cmd.h:
traces/trace.h:
sim/op.h:
sim/types.h:
