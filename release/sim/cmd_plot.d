release/sim/cmd_plot.o: sim/cmd_plot.c sim/cmd.h traces/trace.h sim/op.h \
 sim/types.h sim/cmd_plot_data.h sim/tempfile.h
sim/cmd.h:
traces/trace.h:
sim/op.h:
sim/types.h:
sim/cmd_plot_data.h:
sim/tempfile.h:
