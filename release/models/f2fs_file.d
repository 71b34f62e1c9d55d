release/models/f2fs_file.o: models/f2fs_file.c models/f2fs_file.h \
 models/filemap.h models/fs_writeback.h models/f2fs_data.h \
 models/blk_mq.h models/dev.h models/bio.h sim/sim.h sim/cpu.h \
 sim/event.h sim/types.h sim/model.h sim/config.h sim/stat.h sim/op.h \
 models/extent_map.h models/pagemap.h models/lru.h models/mm_types.h \
 sim/xarray.h models/page_writeback.h models/bdi_writeback.h \
 models/page_alloc.h models/readahead.h models/vmscan.h \
 models/f2fs_direct.h models/f2fs_fsync.h models/file_table.h
models/f2fs_file.h:
models/filemap.h:
models/fs_writeback.h:
models/f2fs_data.h:
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
models/f2fs_direct.h:
models/f2fs_fsync.h:
models/file_table.h:
