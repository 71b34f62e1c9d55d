release/traces/stream.o: traces/stream.c traces/stream.h sim/types.h \
 sim/input.h sim/op.h traces/once.h traces/packer.h traces/text_mark.h \
 traces/unpack.h
traces/stream.h:
sim/types.h:
sim/input.h:
sim/op.h:
traces/once.h:
traces/packer.h:
traces/text_mark.h:
traces/unpack.h:
