release/traces/fiojob_value.o: traces/fiojob_value.c \
 traces/fiojob_value.h sim/types.h
traces/fiojob_value.h:
sim/types.h:
