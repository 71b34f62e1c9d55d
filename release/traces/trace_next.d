release/traces/trace_next.o: traces/trace_next.c traces/trace.h sim/op.h \
 sim/types.h
traces/trace.h:
sim/op.h:
sim/types.h:
