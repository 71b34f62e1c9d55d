release/traces/blkrecord.o: traces/blkrecord.c traces/blkrecord.h \
 traces/stream.h sim/types.h traces/trace.h sim/op.h
traces/blkrecord.h:
traces/stream.h:
sim/types.h:
traces/trace.h:
sim/op.h:
