release/models/pagemap.o: models/pagemap.c models/pagemap.h models/lru.h \
 models/mm_types.h sim/cpu.h sim/event.h sim/types.h sim/xarray.h \
 models/page_writeback.h models/bdi_writeback.h models/page_alloc.h \
 sim/sim.h sim/model.h sim/config.h sim/stat.h sim/op.h
models/pagemap.h:
models/lru.h:
models/mm_types.h:
sim/cpu.h:
sim/event.h:
sim/types.h:
sim/xarray.h:
models/page_writeback.h:
models/bdi_writeback.h:
models/page_alloc.h:
sim/sim.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
