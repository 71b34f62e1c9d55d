release/traces/ftrace_obs.o: traces/ftrace_obs.c traces/ftrace_line.h \
 sim/types.h traces/ftrace_parts.h traces/blkpair.h traces/blkaction.h \
 sim/op.h traces/blkearly.h traces/hold.h traces/trace.h \
 traces/ftrace_bind.h traces/ftrace_names.h traces/ftrace_ops.h \
 traces/ftrace_event.h
traces/ftrace_line.h:
sim/types.h:
traces/ftrace_parts.h:
traces/blkpair.h:
traces/blkaction.h:
sim/op.h:
traces/blkearly.h:
traces/hold.h:
traces/trace.h:
traces/ftrace_bind.h:
traces/ftrace_names.h:
traces/ftrace_ops.h:
traces/ftrace_event.h:
