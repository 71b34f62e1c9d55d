release/models/dev_nvme.o: models/dev_nvme.c models/dev_nvme.h \
 models/dev.h models/bio.h sim/sim.h sim/cpu.h sim/event.h sim/types.h \
 sim/model.h sim/config.h sim/stat.h sim/op.h models/dev_flash.h \
 models/dev_drain.h sim/rng.h
models/dev_nvme.h:
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
models/dev_flash.h:
models/dev_drain.h:
sim/rng.h:
