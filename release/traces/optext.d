release/traces/optext.o: traces/optext.c traces/optext.h sim/op.h \
 sim/types.h traces/trace.h traces/line_reader.h traces/stream.h
traces/optext.h:
sim/op.h:
sim/types.h:
traces/trace.h:
traces/line_reader.h:
traces/stream.h:
