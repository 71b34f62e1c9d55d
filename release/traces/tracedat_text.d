release/traces/tracedat_text.o: traces/tracedat_text.c \
 traces/tracedat_expr.h sim/types.h
traces/tracedat_expr.h:
sim/types.h:
