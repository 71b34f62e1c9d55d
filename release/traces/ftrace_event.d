release/traces/ftrace_event.o: traces/ftrace_event.c \
 traces/ftrace_event.h traces/blkaction.h sim/op.h sim/types.h \
 traces/ftrace_names.h traces/trace.h traces/ftrace_body.h \
 traces/ftrace_shape.h
traces/ftrace_event.h:
traces/blkaction.h:
sim/op.h:
sim/types.h:
traces/ftrace_names.h:
traces/trace.h:
traces/ftrace_body.h:
traces/ftrace_shape.h:
