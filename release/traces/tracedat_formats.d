release/traces/tracedat_formats.o: traces/tracedat_formats.c \
 traces/tracedat_formats.h
traces/tracedat_formats.h:
