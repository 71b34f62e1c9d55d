release/traces/field.o: traces/field.c traces/field.h sim/types.h \
 sim/op.h
traces/field.h:
sim/types.h:
sim/op.h:
