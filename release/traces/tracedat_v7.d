release/traces/tracedat_v7.o: traces/tracedat_v7.c sim/tempfile.h \
 traces/tracedat_parts.h sim/op.h sim/types.h
sim/tempfile.h:
traces/tracedat_parts.h:
sim/op.h:
sim/types.h:
