release/traces/ftrace_left.o: traces/ftrace_left.c traces/ftrace_left.h \
 traces/ftrace_line.h sim/types.h
traces/ftrace_left.h:
traces/ftrace_line.h:
sim/types.h:
