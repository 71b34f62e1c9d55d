release/traces/blkpair.o: traces/blkpair.c traces/blkpair.h \
 traces/blkaction.h sim/op.h sim/types.h traces/blkearly.h traces/hold.h \
 traces/trace.h traces/blkopen.h traces/blksequence.h
traces/blkpair.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/blkearly.h:
traces/hold.h:
traces/trace.h:
traces/blkopen.h:
traces/blksequence.h:
