release/sim/cpu.o: sim/cpu.c sim/cpu.h sim/event.h sim/types.h sim/sim.h \
 sim/model.h sim/config.h sim/stat.h sim/op.h
sim/cpu.h:
sim/event.h:
sim/types.h:
sim/sim.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
