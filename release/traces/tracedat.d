release/traces/tracedat.o: traces/tracedat.c traces/tracedat.h \
 traces/stream.h sim/types.h traces/trace.h sim/op.h sim/input.h \
 sim/tempfile.h traces/ftrace.h traces/ftrace_ops.h traces/ftrace_event.h \
 traces/blkaction.h traces/ftrace_names.h traces/tracedat_child.h \
 traces/tracedat_mend.h
traces/tracedat.h:
traces/stream.h:
sim/types.h:
traces/trace.h:
sim/op.h:
sim/input.h:
sim/tempfile.h:
traces/ftrace.h:
traces/ftrace_ops.h:
traces/ftrace_event.h:
traces/blkaction.h:
traces/ftrace_names.h:
traces/tracedat_child.h:
traces/tracedat_mend.h:
