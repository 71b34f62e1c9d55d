release/traces/iolog.o: traces/iolog.c traces/iolog.h traces/trace.h \
 sim/op.h sim/types.h traces/field.h traces/line_reader.h traces/stream.h
traces/iolog.h:
traces/trace.h:
sim/op.h:
sim/types.h:
traces/field.h:
traces/line_reader.h:
traces/stream.h:
