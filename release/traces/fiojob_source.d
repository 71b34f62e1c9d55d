release/traces/fiojob_source.o: traces/fiojob_source.c sim/rng.h \
 sim/types.h traces/fiojob.h sim/op.h traces/trace.h
sim/rng.h:
sim/types.h:
traces/fiojob.h:
sim/op.h:
traces/trace.h:
