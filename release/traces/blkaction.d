release/traces/blkaction.o: traces/blkaction.c traces/blkaction.h \
 sim/op.h sim/types.h
traces/blkaction.h:
sim/op.h:
sim/types.h:
