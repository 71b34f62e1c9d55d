release/models/blk_op.o: models/blk_op.c models/blk_internal.h \
 models/blk_mq.h models/dev.h models/bio.h sim/sim.h sim/cpu.h \
 sim/event.h sim/types.h sim/model.h sim/config.h sim/stat.h sim/op.h
models/blk_internal.h:
models/blk_mq.h:
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
