release/models/bio.o: models/bio.c models/bio.h sim/sim.h sim/cpu.h \
 sim/event.h sim/types.h sim/model.h sim/config.h sim/stat.h sim/op.h
models/bio.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/types.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
