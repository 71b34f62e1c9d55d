release/traces/ftrace_names.o: traces/ftrace_names.c \
 traces/ftrace_names.h traces/trace.h sim/op.h sim/types.h \
 traces/ftrace_known.h
traces/ftrace_names.h:
traces/trace.h:
sim/op.h:
sim/types.h:
traces/ftrace_known.h:
