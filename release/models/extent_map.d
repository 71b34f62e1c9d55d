release/models/extent_map.o: models/extent_map.c models/extent_map.h \
 sim/types.h
models/extent_map.h:
sim/types.h:
