release/models/models.o: models/models.c models/models.h sim/model.h \
 sim/config.h sim/types.h sim/stat.h models/bio.h sim/sim.h sim/cpu.h \
 sim/event.h sim/op.h models/blk_mq.h models/dev.h models/dev_empirical.h \
 models/dev_fixed.h models/dev_nvme.h models/dev_ufs.h models/f2fs_data.h \
 models/extent_map.h models/pagemap.h models/lru.h models/mm_types.h \
 sim/xarray.h models/page_writeback.h models/bdi_writeback.h \
 models/page_alloc.h models/f2fs_file.h models/filemap.h \
 models/fs_writeback.h models/readahead.h models/vmscan.h
models/models.h:
sim/model.h:
sim/config.h:
sim/types.h:
sim/stat.h:
models/bio.h:
sim/sim.h:
sim/cpu.h:
sim/event.h:
sim/op.h:
models/blk_mq.h:
models/dev.h:
models/dev_empirical.h:
models/dev_fixed.h:
models/dev_nvme.h:
models/dev_ufs.h:
models/f2fs_data.h:
models/extent_map.h:
models/pagemap.h:
models/lru.h:
models/mm_types.h:
sim/xarray.h:
models/page_writeback.h:
models/bdi_writeback.h:
models/page_alloc.h:
models/f2fs_file.h:
models/filemap.h:
models/fs_writeback.h:
models/readahead.h:
models/vmscan.h:
