release/traces/merge.o: traces/merge.c traces/merge.h traces/trace.h \
 sim/op.h sim/types.h
traces/merge.h:
traces/trace.h:
sim/op.h:
sim/types.h:
