release/sim/config_value.o: sim/config_value.c sim/config_value.h \
 sim/config.h sim/types.h sim/op.h
sim/config_value.h:
sim/config.h:
sim/types.h:
sim/op.h:
