release/traces/blkopen.o: traces/blkopen.c traces/blkopen.h \
 traces/blkaction.h sim/op.h sim/types.h
traces/blkopen.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
