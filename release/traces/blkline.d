release/traces/blkline.o: traces/blkline.c traces/blkline.h \
 traces/blkaction.h sim/op.h sim/types.h traces/scan.h
traces/blkline.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/scan.h:
