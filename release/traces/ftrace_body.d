release/traces/ftrace_body.o: traces/ftrace_body.c traces/ftrace_body.h \
 traces/ftrace_event.h traces/blkaction.h sim/op.h sim/types.h \
 traces/ftrace_names.h traces/trace.h
traces/ftrace_body.h:
traces/ftrace_event.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/ftrace_names.h:
traces/trace.h:
