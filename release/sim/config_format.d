release/sim/config_format.o: sim/config_format.c sim/config_value.h \
 sim/config.h sim/types.h
sim/config_value.h:
sim/config.h:
sim/types.h:
