release/sim/inspect_json.o: sim/inspect_json.c sim/inspect.h sim/stat.h \
 sim/types.h traces/trace.h sim/op.h
sim/inspect.h:
sim/stat.h:
sim/types.h:
traces/trace.h:
sim/op.h:
