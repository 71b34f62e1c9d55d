release/sim/workload.o: sim/workload.c sim/workload.h sim/replay.h \
 sim/report.h sim/series.h sim/types.h sim/sim.h sim/cpu.h sim/event.h \
 sim/model.h sim/config.h sim/stat.h sim/op.h models/f2fs_file.h \
 models/filemap.h models/fs_writeback.h models/f2fs_data.h \
 models/blk_mq.h models/dev.h models/bio.h models/extent_map.h \
 models/pagemap.h models/lru.h models/mm_types.h sim/xarray.h \
 models/page_writeback.h models/bdi_writeback.h models/page_alloc.h \
 models/readahead.h models/vmscan.h sim/cmd.h traces/trace.h \
 sim/cmd_prescan.h sim/input.h sim/simulate.h sim/workload_jobs.h \
 traces/fiojob.h traces/paths.h
sim/workload.h:
sim/replay.h:
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
models/f2fs_file.h:
models/filemap.h:
models/fs_writeback.h:
models/f2fs_data.h:
models/blk_mq.h:
models/dev.h:
models/bio.h:
models/extent_map.h:
models/pagemap.h:
models/lru.h:
models/mm_types.h:
sim/xarray.h:
models/page_writeback.h:
models/bdi_writeback.h:
models/page_alloc.h:
models/readahead.h:
models/vmscan.h:
sim/cmd.h:
traces/trace.h:
sim/cmd_prescan.h:
sim/input.h:
sim/simulate.h:
sim/workload_jobs.h:
traces/fiojob.h:
traces/paths.h:
