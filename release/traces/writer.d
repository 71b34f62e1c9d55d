release/traces/writer.o: traces/writer.c traces/writer.h sim/op.h \
 sim/types.h sim/tempfile.h traces/optext.h traces/trace.h
traces/writer.h:
sim/op.h:
sim/types.h:
sim/tempfile.h:
traces/optext.h:
traces/trace.h:
