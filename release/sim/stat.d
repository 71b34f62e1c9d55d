release/sim/stat.o: sim/stat.c sim/stat.h sim/types.h
sim/stat.h:
sim/types.h:
