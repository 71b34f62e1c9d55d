release/traces/tracedat_v6.o: traces/tracedat_v6.c \
 traces/tracedat_parts.h sim/op.h sim/types.h
traces/tracedat_parts.h:
sim/op.h:
sim/types.h:
