release/models/dev_drain.o: models/dev_drain.c models/dev_drain.h \
 sim/rng.h sim/types.h models/dev.h models/bio.h sim/sim.h sim/cpu.h \
 sim/event.h sim/model.h sim/config.h sim/stat.h sim/op.h
models/dev_drain.h:
sim/rng.h:
sim/types.h:
models/dev.h:
models/bio.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
