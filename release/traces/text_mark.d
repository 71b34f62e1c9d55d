release/traces/text_mark.o: traces/text_mark.c traces/text_mark.h \
 traces/stream.h sim/types.h sim/config.h
traces/text_mark.h:
traces/stream.h:
sim/types.h:
sim/config.h:
