release/sim/model.o: sim/model.c sim/model.h sim/config.h sim/types.h \
 sim/stat.h sim/sim.h sim/cpu.h sim/event.h sim/op.h
sim/model.h:
sim/config.h:
sim/types.h:
sim/stat.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/op.h:
