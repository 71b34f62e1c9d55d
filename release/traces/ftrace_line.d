release/traces/ftrace_line.o: traces/ftrace_line.c traces/ftrace_line.h \
 sim/types.h traces/ftrace_left.h
traces/ftrace_line.h:
sim/types.h:
traces/ftrace_left.h:
