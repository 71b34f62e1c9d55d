release/traces/optext_format.o: traces/optext_format.c traces/optext.h \
 sim/op.h sim/types.h traces/trace.h traces/field.h
traces/optext.h:
sim/op.h:
sim/types.h:
traces/trace.h:
traces/field.h:
