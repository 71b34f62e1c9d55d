release/sim/report_config.o: sim/report_config.c sim/report_config.h \
 sim/report.h sim/series.h sim/types.h sim/sim.h sim/cpu.h sim/event.h \
 sim/model.h sim/config.h sim/stat.h sim/op.h
sim/report_config.h:
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
