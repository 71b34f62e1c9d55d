release/sim/rng.o: sim/rng.c sim/rng.h sim/types.h
sim/rng.h:
sim/types.h:
