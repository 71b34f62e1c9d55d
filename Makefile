# f2sim: plain make, no configure step.  `make help` lists the targets.
CC       ?= gcc
ifeq ($(origin CC),default)
CC       := gcc
endif
MODE     ?= debug
BUILD    ?= build/$(notdir $(CC))-$(MODE)
WERROR   ?=

PKGS     := glib-2.0 json-glib-1.0 libarchive liblz4 zlib libtraceevent libtracefs libtracecmd
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes $(WERROR)
OPT_debug    := -O2 -g
OPT_release  := -O2 -g -DF2SIM_RELEASE
OPT_sanitize := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined -DF2SIM_SANITIZE
# System headers through -isystem: their warnings are not ours.
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null | sed 's/-I/-isystem /g')
PKG_LIBS   = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
CFLAGS_ALL = -std=c11 -D_GNU_SOURCE -I. $(PKG_CFLAGS) $(WARN) $(OPT_$(MODE)) $(CFLAGS)
LDFLAGS_ALL = $(OPT_$(MODE)) $(LDFLAGS)

SRCS     := $(sort $(wildcard sim/*.c traces/*.c models/*.c))
LIB_SRCS := $(filter-out sim/main.c,$(SRCS))
LIB_OBJS := $(LIB_SRCS:%.c=$(BUILD)/%.o)
TESTS    := $(sort $(wildcard tests/test_*.c))
TEST_BINS := $(TESTS:%.c=$(BUILD)/%)
BENCHES  := $(sort $(wildcard tests/bench_*.c))
BENCH_BINS := $(BENCHES:%.c=$(BUILD)/%)
FUZZERS  := $(sort $(wildcard tests/fuzz_*.c))
FUZZ_BINS := $(FUZZERS:%.c=$(BUILD)/%)
F2SIM    := $(BUILD)/f2sim

.PHONY: all
all: $(F2SIM)
	@ln -sfn $(F2SIM) f2sim

$(F2SIM): $(BUILD)/sim/main.o $(BUILD)/libf2sim.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(PKG_LIBS)

$(BUILD)/libf2sim.a: $(LIB_OBJS)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(BUILD)/tests/support.o $(BUILD)/libf2sim.a
	$(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcriterion $(PKG_LIBS)

# Helpers of the ftrace suites.
$(BUILD)/tests/test_ftrace $(patsubst %,$(BUILD)/tests/test_ftrace_%,bind call captures ops): \
	$(BUILD)/tests/ftrace_support.o

$(BUILD)/tests/bench_%: $(BUILD)/tests/bench_%.o $(BUILD)/libf2sim.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(PKG_LIBS)

$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(BUILD)/libf2sim.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(PKG_LIBS)

.PHONY: clean
clean:
	rm -rf build f2sim

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.SECONDARY:
