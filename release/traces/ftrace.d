release/traces/ftrace.o: traces/ftrace.c traces/ftrace.h traces/stream.h \
 sim/types.h traces/trace.h sim/op.h traces/ftrace_line.h \
 traces/ftrace_ops.h traces/ftrace_event.h traces/blkaction.h \
 traces/ftrace_names.h traces/ftrace_shape.h
traces/ftrace.h:
traces/stream.h:
sim/types.h:
traces/trace.h:
sim/op.h:
traces/ftrace_line.h:
traces/ftrace_ops.h:
traces/ftrace_event.h:
traces/blkaction.h:
traces/ftrace_names.h:
traces/ftrace_shape.h:
