release/models/bdi_writeback.o: models/bdi_writeback.c \
 models/bdi_writeback.h sim/types.h
models/bdi_writeback.h:
sim/types.h:
