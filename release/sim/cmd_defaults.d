release/sim/cmd_defaults.o: sim/cmd_defaults.c sim/cmd.h traces/trace.h \
 sim/op.h sim/types.h models/models.h sim/model.h sim/config.h sim/stat.h \
 sim/sim.h sim/cpu.h sim/event.h sim/simulate.h sim/report.h sim/series.h
sim/cmd.h:
traces/trace.h:
sim/op.h:
sim/types.h:
models/models.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/simulate.h:
sim/report.h:
sim/series.h:
