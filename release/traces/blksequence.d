release/traces/blksequence.o: traces/blksequence.c traces/blksequence.h \
 traces/blkaction.h sim/op.h sim/types.h traces/hold.h traces/blkopen.h
traces/blksequence.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/hold.h:
traces/blkopen.h:
