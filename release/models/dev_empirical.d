release/models/dev_empirical.o: models/dev_empirical.c \
 models/dev_empirical.h models/dev.h models/bio.h sim/sim.h sim/cpu.h \
 sim/event.h sim/types.h sim/model.h sim/config.h sim/stat.h sim/op.h \
 models/dev_servers.h sim/rng.h
models/dev_empirical.h:
models/dev.h:
models/bio.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/types.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
models/dev_servers.h:
sim/rng.h:
