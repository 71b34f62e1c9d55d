release/models/dev_fixed.o: models/dev_fixed.c models/dev_fixed.h \
 models/dev.h models/bio.h sim/sim.h sim/cpu.h sim/event.h sim/types.h \
 sim/model.h sim/config.h sim/stat.h sim/op.h models/dev_servers.h
models/dev_fixed.h:
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
