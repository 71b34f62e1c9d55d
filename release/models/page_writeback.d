release/models/page_writeback.o: models/page_writeback.c \
 models/page_writeback.h models/bdi_writeback.h sim/types.h \
 models/page_alloc.h models/mm_types.h sim/cpu.h sim/event.h sim/xarray.h \
 sim/sim.h sim/model.h sim/config.h sim/stat.h sim/op.h
models/page_writeback.h:
models/bdi_writeback.h:
sim/types.h:
models/page_alloc.h:
models/mm_types.h:
sim/cpu.h:
sim/event.h:
sim/xarray.h:
sim/sim.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
