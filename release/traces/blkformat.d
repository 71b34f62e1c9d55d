release/traces/blkformat.o: traces/blkformat.c traces/blkline.h \
 traces/blkaction.h sim/op.h sim/types.h traces/scan.h
traces/blkline.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/scan.h:
