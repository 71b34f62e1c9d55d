release/traces/tracedat_cursor.o: traces/tracedat_cursor.c \
 traces/tracedat_parts.h sim/op.h sim/types.h
traces/tracedat_parts.h:
sim/op.h:
sim/types.h:
