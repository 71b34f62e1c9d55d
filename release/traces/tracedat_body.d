release/traces/tracedat_body.o: traces/tracedat_body.c \
 traces/tracedat_body.h traces/tracedat_expr.h sim/types.h
traces/tracedat_body.h:
traces/tracedat_expr.h:
sim/types.h:
