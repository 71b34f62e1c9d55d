release/traces/tracedat_child.o: traces/tracedat_child.c \
 traces/tracedat_child.h sim/types.h traces/tracedat_body.h \
 traces/tracedat_expr.h traces/tracedat_formats.h
traces/tracedat_child.h:
sim/types.h:
traces/tracedat_body.h:
traces/tracedat_expr.h:
traces/tracedat_formats.h:
