release/sim/simulate.o: sim/simulate.c sim/simulate.h sim/report.h \
 sim/series.h sim/types.h sim/sim.h sim/cpu.h sim/event.h sim/model.h \
 sim/config.h sim/stat.h sim/op.h models/models.h models/pagemap.h \
 models/lru.h models/mm_types.h sim/xarray.h models/page_writeback.h \
 models/bdi_writeback.h models/page_alloc.h sim/cmd.h traces/trace.h \
 sim/input.h sim/workload.h sim/replay.h
sim/simulate.h:
sim/report.h:
sim/series.h:
sim/types.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/model.h:
sim/config.h:
sim/stat.h:
sim/op.h:
models/models.h:
models/pagemap.h:
models/lru.h:
models/mm_types.h:
sim/xarray.h:
models/page_writeback.h:
models/bdi_writeback.h:
models/page_alloc.h:
sim/cmd.h:
traces/trace.h:
sim/input.h:
sim/workload.h:
sim/replay.h:
