release/traces/account.o: traces/account.c traces/trace.h sim/op.h \
 sim/types.h
traces/trace.h:
sim/op.h:
sim/types.h:
