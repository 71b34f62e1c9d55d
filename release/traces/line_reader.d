release/traces/line_reader.o: traces/line_reader.c traces/line_reader.h \
 traces/stream.h sim/types.h traces/trace.h sim/op.h traces/field.h \
 traces/hold.h
traces/line_reader.h:
traces/stream.h:
sim/types.h:
traces/trace.h:
sim/op.h:
traces/field.h:
traces/hold.h:
