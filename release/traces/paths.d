release/traces/paths.o: traces/paths.c traces/paths.h sim/op.h \
 sim/types.h
traces/paths.h:
sim/op.h:
sim/types.h:
