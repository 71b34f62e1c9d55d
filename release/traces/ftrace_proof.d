release/traces/ftrace_proof.o: traces/ftrace_proof.c \
 traces/ftrace_parts.h traces/blkpair.h traces/blkaction.h sim/op.h \
 sim/types.h traces/blkearly.h traces/hold.h traces/trace.h \
 traces/ftrace_bind.h traces/ftrace_names.h traces/ftrace_ops.h \
 traces/ftrace_event.h
traces/ftrace_parts.h:
traces/blkpair.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/blkearly.h:
traces/hold.h:
traces/trace.h:
traces/ftrace_bind.h:
traces/ftrace_names.h:
traces/ftrace_ops.h:
traces/ftrace_event.h:
