release/traces/blkparse.o: traces/blkparse.c traces/blkline.h \
 traces/blkaction.h sim/op.h sim/types.h traces/blkpair.h \
 traces/blkearly.h traces/hold.h traces/trace.h traces/scan.h \
 traces/stream.h
traces/blkline.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/blkpair.h:
traces/blkearly.h:
traces/hold.h:
traces/trace.h:
traces/scan.h:
traces/stream.h:
