release/traces/ftrace_ops.o: traces/ftrace_ops.c traces/ftrace_ops.h \
 traces/ftrace_event.h traces/blkaction.h sim/op.h sim/types.h \
 traces/ftrace_names.h traces/trace.h traces/ftrace_line.h \
 traces/ftrace_parts.h traces/blkpair.h traces/blkearly.h traces/hold.h \
 traces/ftrace_bind.h
traces/ftrace_ops.h:
traces/ftrace_event.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/ftrace_names.h:
traces/trace.h:
traces/ftrace_line.h:
traces/ftrace_parts.h:
traces/blkpair.h:
traces/blkearly.h:
traces/hold.h:
traces/ftrace_bind.h:
