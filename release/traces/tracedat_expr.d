release/traces/tracedat_expr.o: traces/tracedat_expr.c \
 traces/tracedat_expr.h sim/types.h
traces/tracedat_expr.h:
sim/types.h:
