release/traces/blktrace.o: traces/blktrace.c traces/blkaction.h sim/op.h \
 sim/types.h traces/blkpair.h traces/blkearly.h traces/hold.h \
 traces/trace.h traces/blkrecord.h traces/stream.h
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/blkpair.h:
traces/blkearly.h:
traces/hold.h:
traces/trace.h:
traces/blkrecord.h:
traces/stream.h:
