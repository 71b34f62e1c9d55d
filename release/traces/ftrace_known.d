release/traces/ftrace_known.o: traces/ftrace_known.c \
 traces/ftrace_known.h traces/ftrace_names.h traces/trace.h sim/op.h \
 sim/types.h
traces/ftrace_known.h:
traces/ftrace_names.h:
traces/trace.h:
sim/op.h:
sim/types.h:
