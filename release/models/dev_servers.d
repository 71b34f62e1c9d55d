release/models/dev_servers.o: models/dev_servers.c models/dev_servers.h \
 sim/types.h
models/dev_servers.h:
sim/types.h:
