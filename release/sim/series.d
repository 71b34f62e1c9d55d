release/sim/series.o: sim/series.c sim/series.h sim/types.h sim/sim.h \
 sim/cpu.h sim/event.h sim/model.h sim/config.h sim/stat.h sim/op.h
sim/series.h:
sim/types.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
