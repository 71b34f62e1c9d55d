release/traces/ftrace_bind.o: traces/ftrace_bind.c traces/ftrace_bind.h \
 traces/ftrace_names.h traces/trace.h sim/op.h sim/types.h \
 traces/ftrace_line.h
traces/ftrace_bind.h:
traces/ftrace_names.h:
traces/trace.h:
sim/op.h:
sim/types.h:
traces/ftrace_line.h:
