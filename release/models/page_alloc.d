release/models/page_alloc.o: models/page_alloc.c models/page_alloc.h \
 models/mm_types.h sim/cpu.h sim/event.h sim/types.h sim/xarray.h \
 sim/sim.h sim/model.h sim/config.h sim/stat.h sim/op.h
models/page_alloc.h:
models/mm_types.h:
sim/cpu.h:
sim/event.h:
sim/types.h:
sim/xarray.h:
sim/sim.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
