release/sim/config.o: sim/config.c sim/config.h sim/types.h \
 sim/config_load.h sim/config_value.h sim/op.h
sim/config.h:
sim/types.h:
sim/config_load.h:
sim/config_value.h:
sim/op.h:
