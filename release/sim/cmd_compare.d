release/sim/cmd_compare.o: sim/cmd_compare.c sim/cmd_run.h sim/cmd.h \
 traces/trace.h sim/op.h sim/types.h sim/config.h sim/simulate.h \
 sim/report.h sim/series.h sim/sim.h sim/cpu.h sim/event.h sim/model.h \
 sim/stat.h
sim/cmd_run.h:
sim/cmd.h:
traces/trace.h:
sim/op.h:
sim/types.h:
sim/config.h:
sim/simulate.h:
sim/report.h:
sim/series.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/model.h:
sim/stat.h:
