release/models/lru.o: models/lru.c models/lru.h models/mm_types.h \
 sim/cpu.h sim/event.h sim/types.h sim/xarray.h
models/lru.h:
models/mm_types.h:
sim/cpu.h:
sim/event.h:
sim/types.h:
sim/xarray.h:
