release/sim/sim.o: sim/sim.c sim/sim.h sim/cpu.h sim/event.h sim/types.h \
 sim/model.h sim/config.h sim/stat.h sim/op.h sim/series.h
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/types.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
sim/series.h:
