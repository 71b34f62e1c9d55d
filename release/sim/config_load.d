release/sim/config_load.o: sim/config_load.c sim/config_load.h \
 sim/config.h sim/types.h sim/input.h sim/op.h
sim/config_load.h:
sim/config.h:
sim/types.h:
sim/input.h:
sim/op.h:
