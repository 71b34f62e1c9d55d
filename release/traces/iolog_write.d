release/traces/iolog_write.o: traces/iolog_write.c traces/iolog.h \
 traces/trace.h sim/op.h sim/types.h traces/writer.h
traces/iolog.h:
traces/trace.h:
sim/op.h:
sim/types.h:
traces/writer.h:
