release/traces/csv.o: traces/csv.c traces/writer.h sim/op.h sim/types.h
traces/writer.h:
sim/op.h:
sim/types.h:
