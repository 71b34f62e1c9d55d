release/traces/fiojob_read.o: traces/fiojob_read.c traces/field.h \
 sim/types.h traces/fiojob.h sim/op.h traces/trace.h traces/stream.h
traces/field.h:
sim/types.h:
traces/fiojob.h:
sim/op.h:
traces/trace.h:
traces/stream.h:
