release/traces/blkearly.o: traces/blkearly.c traces/blkearly.h \
 traces/blkaction.h sim/op.h sim/types.h traces/blkopen.h
traces/blkearly.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/blkopen.h:
