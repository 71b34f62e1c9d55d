release/sim/replay.o: sim/replay.c sim/replay_internal.h sim/replay.h \
 sim/report.h sim/series.h sim/types.h sim/sim.h sim/cpu.h sim/event.h \
 sim/model.h sim/config.h sim/stat.h sim/op.h
sim/replay_internal.h:
sim/replay.h:
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
