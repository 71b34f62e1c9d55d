release/traces/tracedat_mend.o: traces/tracedat_mend.c \
 traces/tracedat_mend.h traces/tracedat.h traces/stream.h sim/types.h \
 traces/trace.h sim/op.h sim/tempfile.h traces/tracedat_parts.h
traces/tracedat_mend.h:
traces/tracedat.h:
traces/stream.h:
sim/types.h:
traces/trace.h:
sim/op.h:
sim/tempfile.h:
traces/tracedat_parts.h:
