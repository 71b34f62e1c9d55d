# f2sim: plain make, no configure step.  `make help` lists the targets.
#
# `make demo` and `make test` work as the first command on a Debian 12 that has only make: their
# recipes install what is missing (.ci/deps), then call make again, so that pkg-config is asked when
# it is there.  Everything built lands in build/COMPILER-MODE/, sources are found by wildcard.
#
#   CC=clang               the compiler (default gcc)
#   MODE=sanitize          debug (default), release (bench), sanitize (ASan and UBSan)
#   WERROR=-Werror         as .ci/run does
#   COPIES=1000            mutated copies of each capture in make fuzz
#   DEPS=true              do not look for Debian packages
#   V=1                    show the commands

ifeq ($(origin CC),default)
CC       := gcc
endif
MODE     ?= debug
BUILD    ?= build/$(notdir $(CC))-$(MODE)
WERROR   ?=
COPIES   ?= 1000
DEPS     ?= .ci/deps
JOBS     := $(shell nproc)
Q        := $(if $(V),,@)
say       = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo "  $(1)	$@")

PKGS     := glib-2.0 json-glib-1.0 libarchive liblz4 zlib libtraceevent libtracefs libtracecmd
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes $(WERROR)
OPT_debug    := -O2 -g
OPT_release  := -O2 -g -DF2SIM_RELEASE
OPT_sanitize := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
		-fno-sanitize-recover=undefined -DF2SIM_SANITIZE
# System headers through -isystem: their warnings are not ours.
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null | sed 's/-I/-isystem /g')
PKG_LIBS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
CFLAGS_ALL  = -std=c11 -D_GNU_SOURCE -I. $(PKG_CFLAGS) $(WARN) $(OPT_$(MODE)) $(CFLAGS)
LDFLAGS_ALL = $(OPT_$(MODE)) $(LDFLAGS)

SRCS     := $(sort $(wildcard sim/*.c traces/*.c models/*.c))
LIB_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out sim/main.c,$(SRCS)))
# What several suites share: everything in tests/ that is not a program of its own.
HELPERS   := $(filter-out tests/test_% tests/bench_% tests/fuzz_%,$(wildcard tests/*.c))
HELPER_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(HELPERS)))
TEST_BINS  := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/test_*.c)))
BENCH_BINS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/bench_*.c)))
FUZZ_BIN := $(BUILD)/tests/fuzz_captures
F2SIM    := $(BUILD)/f2sim
RELEASE  := build/$(notdir $(CC))-release/f2sim
HAND_WRITTEN := $(wildcard sim/*.[ch] traces/*.[ch] models/*.[ch] tests/*.[ch])

# Make again, on all CPUs unless the user chose a number.
AGAIN     = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))

.PHONY: all
all: $(F2SIM) ## build ./f2sim (default)
	@ln -sfn $(F2SIM) f2sim

.PHONY: deps
deps: ## install the Debian packages that are missing
	@$(DEPS) build test demo

.PHONY: demo
demo: ## replay a real capture, run a scenario, draw both into out/demo/
	@$(DEPS) build demo
	@$(AGAIN) all
	@plots/demo

.PHONY: test
test: ## every test suite; the last line is `N passed, N failed, N skipped`
	@$(DEPS) build test
	@$(AGAIN) all run-suites

.PHONY: check-sanitize
check-sanitize: ## the same suites under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(DEPS) build test
	@$(AGAIN) MODE=sanitize run-suites

.PHONY: suites run-suites
suites: $(TEST_BINS) $(F2SIM)
run-suites: suites
	@tests/run_tests $(TEST_BINS)

.PHONY: fuzz
fuzz: ## 1,000 mutated copies of each capture: plain build (memory), sanitized build (reports)
	@$(DEPS) build
	@$(AGAIN) $(F2SIM) $(FUZZ_BIN)
	@$(AGAIN) MODE=sanitize build/$(notdir $(CC))-sanitize/f2sim
	@tests/fuzz $(FUZZ_BIN) $(COPIES) 200 $(F2SIM)
	@tests/fuzz $(FUZZ_BIN) $(COPIES) 0 build/$(notdir $(CC))-sanitize/f2sim

.PHONY: bench
bench: ## speed as ratios, release build
	@$(DEPS) build test
	@$(AGAIN) MODE=release benches
	@for b in $(patsubst $(BUILD)/%,build/$(notdir $(CC))-release/%,$(BENCH_BINS)); do $$b || exit 1; done

.PHONY: reproduce
reproduce: ## every published series with 8 seeds, release build; the table goes to build/reproduce/
	@$(DEPS) build
	@$(AGAIN) MODE=release $(RELEASE)
	@mkdir -p build/reproduce
	@$(RELEASE) reproduce >build/reproduce/table.txt; code=$$?; cat build/reproduce/table.txt; exit $$code

.PHONY: benches
benches: $(BENCH_BINS) $(F2SIM)

.PHONY: lint
lint: ## layering, formatting, cppcheck, shellcheck, file length
	@$(DEPS) lint
	@.ci/lint

.PHONY: fmt
fmt: ## clang-format every C file in place
	@$(DEPS) lint
	clang-format -i $(HAND_WRITTEN)

.PHONY: clean
clean: ## remove build/, out/ and ./f2sim
	rm -rf build out f2sim

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 24

$(F2SIM): $(BUILD)/sim/main.o $(BUILD)/libf2sim.a
	$(call say,LINK)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(PKG_LIBS)

$(BUILD)/libf2sim.a: $(LIB_OBJS)
	$(call say,AR)
	$(Q)rm -f $@ && ar rcs $@ $^

# Only this rule needs the headers of other packages, so it is the one that says they are missing.
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(if $(PKG_CFLAGS),,@$(DEPS) --check build)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/libtests.a: $(HELPER_OBJS)
	$(call say,AR)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(BUILD)/libtests.a $(BUILD)/libf2sim.a
	$(call say,LINK)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lcriterion $(PKG_LIBS)

$(BUILD)/tests/bench_%: $(BUILD)/tests/bench_%.o $(BUILD)/libtests.a $(BUILD)/libf2sim.a
	$(call say,LINK)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(PKG_LIBS)

$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(BUILD)/libtests.a $(BUILD)/libf2sim.a
	$(call say,LINK)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(PKG_LIBS)

# These suites run the program.
$(filter $(BUILD)/tests/test_cli% $(BUILD)/tests/test_fuzz,$(TEST_BINS)): | $(F2SIM)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.SECONDARY:
