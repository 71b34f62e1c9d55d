release/sim/report.o: sim/report.c sim/report.h sim/series.h sim/types.h \
 sim/sim.h sim/cpu.h sim/event.h sim/model.h sim/config.h sim/stat.h \
 sim/op.h sim/report_config.h sim/tempfile.h
sim/report.h:
sim/series.h:
sim/types.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
sim/report_config.h:
sim/tempfile.h:
