release/traces/once.o: traces/once.c traces/once.h traces/stream.h \
 sim/types.h
traces/once.h:
traces/stream.h:
sim/types.h:
