release/traces/trace.o: traces/trace.c sim/config.h sim/types.h \
 traces/trace.h sim/op.h traces/fiojob.h traces/iolog.h traces/merge.h \
 traces/optext.h traces/paths.h traces/stream.h traces/tracedat.h
sim/config.h:
sim/types.h:
traces/trace.h:
sim/op.h:
traces/fiojob.h:
traces/iolog.h:
traces/merge.h:
traces/optext.h:
traces/paths.h:
traces/stream.h:
traces/tracedat.h:
