release/sim/event.o: sim/event.c sim/event.h sim/types.h
sim/event.h:
sim/types.h:
