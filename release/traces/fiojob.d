release/traces/fiojob.o: traces/fiojob.c traces/fiojob.h sim/op.h \
 sim/types.h traces/trace.h traces/field.h traces/fiojob_value.h
traces/fiojob.h:
sim/op.h:
sim/types.h:
traces/trace.h:
traces/field.h:
traces/fiojob_value.h:
