release/sim/cmd_run.o: sim/cmd_run.c sim/cmd_run.h sim/cmd.h \
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
