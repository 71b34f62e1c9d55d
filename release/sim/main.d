release/sim/main.o: sim/main.c sim/cmd.h traces/trace.h sim/op.h \
 sim/types.h sim/report.h sim/series.h sim/sim.h sim/cpu.h sim/event.h \
 sim/model.h sim/config.h sim/stat.h sim/tempfile.h
sim/cmd.h:
traces/trace.h:
sim/op.h:
sim/types.h:
sim/report.h:
sim/series.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/tempfile.h:
