# SPDX-License-Identifier: MIT
#
# echosim is built by this one file: no configure, no generated makefiles. The
# room (top folder) of a source picks its dialect; the flavour picks flags and
# the folder below build/. `make help` lists the targets, V=1 shows commands.

CC      = gcc
AR      = gcc-ar
CLANG   = clang-14
PREFIX  = /usr/local
BUILD   = build

# --- flavours --------------------------------------------------------------

# Empty is the everyday one, straight in build/. Others: make FLAVOUR=asan ...
FLAVOUR  =
OUT     := $(BUILD)$(if $(FLAVOUR),/$(FLAVOUR))

FLAGS.         := -O2 -g
# Split paths would make branches of the choices that the agenda makes without.
FLAGS.release  := -O3 -fno-split-paths -flto=auto -g
FLAGS.asan     := -O1 -g -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS.tsan     := -O1 -g -fsanitize=thread
FLAGS.coverage := -O0 -g --coverage -fprofile-update=atomic
FLAGS.fuzz     := -O1 -g -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all
# Coverage hooks for the code under the fuzzer; the fuzzer's own main only in
# the fuzz programs.
COMPILE.fuzz   := -fsanitize=fuzzer-no-link
OPT      = $(FLAGS.$(FLAVOUR))

# The everyday flavour judges; in instrumented code gcc sees ghosts.
WARN.   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Wvla \
	-Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Werror
WARN     = $(or $(WARN.$(FLAVOUR)),-w)
CFLAGS   = $(OPT) $(COMPILE.$(FLAVOUR)) $(WARN) -I. -MMD -MP

# The model may not even see the C library.
DIALECT.sim  := -std=c17 -ffreestanding -ffp-contract=off -fno-math-errno
DIALECT.host := -std=gnu17 -D_GNU_SOURCE -ffp-contract=off
dialect       = $(or $(DIALECT.$(firstword $(subst /, ,$(1)))),$(DIALECT.host))

ifeq ($(V),1)
Q   :=
say := @:
else
Q   := @
say := @printf '  %-7s %s\n'
endif
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# --- what there is ---------------------------------------------------------

ROOMS := sim traces storage analysis
# A room is flat, or has folders one deep (storage/format/...).
sources = $(sort $(wildcard $(1)/*.c $(1)/*/*.c))
objects = $(patsubst %.c,$(OUT)/%.o,$(1))

# Upper rooms first: a call up the stairs does not link.
LIBS   := $(patsubst %,$(OUT)/lib%.a,analysis traces storage sim)
LDLIBS := -lyaml -ljansson -llmdb -lzstd -luring -lxxhash -lz -lpthread

# Data files that go into the program, by name: data(folder, ending).
data = $(patsubst %,$(1)/%.$(2),\
	$(sort $(basename $(notdir $(wildcard $(1)/*.$(2))))))
devices := $(call data,traces/devices,yaml)
workloads := $(call data,traces/workloads,yaml)
loaders := $(call data,traces/loaders,yaml)
laws    := $(call data,analysis/laws,csv)
learned := $(call data,analysis/learn,txt)

# What every page carries along: Chart.js is Debian's (libjs-chart.js).
CHART_JS = /usr/share/javascript/chart.js/chart.min.js
page    := analysis/page/page.css analysis/page/draw.js $(CHART_JS)

cli_objects     := $(call objects,$(call sources,cli))
support_objects := $(call objects,$(call sources,tests/support))

test_programs = $(patsubst %.c,$(OUT)/%,\
	$(sort $(wildcard $(patsubst %,tests/%/test_*.c,$(1)))))
unit_tests  := $(call test_programs,unit)
laws_tests  := $(call test_programs,laws)
fault_tests := $(call test_programs,fault)
twin_tests  := $(call test_programs,twin)
manners     := $(sort $(wildcard tests/manners/*.sh))
every_test  := $(unit_tests) $(laws_tests) $(fault_tests) $(twin_tests)

fuzz_names   := $(basename $(notdir $(sort $(wildcard tests/fuzz/fuzz_*.c))))
fuzz_replays := $(patsubst %,$(OUT)/tests/replay/%,$(fuzz_names))
fuzzers      := $(patsubst %,$(OUT)/tests/fuzz/%,$(fuzz_names))
benches      := $(patsubst %.c,$(OUT)/%,$(sort $(wildcard tests/bench/bench_*.c)))

# --- everyday --------------------------------------------------------------

.PHONY: all help deps demo test check-fast clean man install uninstall
all: $(OUT)/echosim ## build build/echosim

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' \
		Makefile
	@echo '  V=1 shows commands; FUZZ_SECONDS=20, PREFIX=/usr/local, DESTDIR='

deps: ## install the Debian packages that are missing
	@tests/guards/deps install build test

# These two get what is missing; the others say so.
demo test: DEPS = install
demo: all ## pack real files, simulate, read for real, compare
	@cli/demo.sh

test: run-tests ## all tests: unit, laws, fault, twin, golden, fuzz corpus

check-fast: $(unit_tests) $(laws_tests) ## unit and laws only
	@tests/run $^

clean: ## remove build/
	rm -rf $(BUILD)

man: $(OUT)/echosim.1 ## the man page, build/echosim.1

# SOURCE:TARGET below PREFIX of what is not run.
installed := $(OUT)/echosim.1:share/man/man1/echosim.1 \
	completions/echosim.bash:share/bash-completion/completions/echosim \
	completions/_echosim:share/zsh/site-functions/_echosim \
	$(foreach file,LICENSE README.md $(wildcard docs/*.md),\
		$(file):share/doc/echosim/$(notdir $(file))) \
	$(foreach file,$(wildcard traces/examples/*.yaml),\
		$(file):share/doc/echosim/examples/$(notdir $(file)))

install: all man ## program, man page, completion, examples below PREFIX
	install -D -m 755 $(OUT)/echosim $(DESTDIR)$(PREFIX)/bin/echosim
	$(Q)set -e; for pair in $(installed); do \
		install -D -m 644 "$${pair%%:*}" \
			"$(DESTDIR)$(PREFIX)/$${pair#*:}"; \
	done

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/echosim
	$(Q)for pair in $(installed); do \
		rm -f "$(DESTDIR)$(PREFIX)/$${pair#*:}"; \
	done
	$(Q)! [ -d "$(DESTDIR)$(PREFIX)/share/doc/echosim" ] || \
		find "$(DESTDIR)$(PREFIX)/share/doc/echosim" -depth -type d \
			-empty -delete

# --- guards ----------------------------------------------------------------

.PHONY: rooms tidy selftest format wasm asan tsan fuzz-smoke browser-test \
	coverage bench \
	probe-check bench-live validate validate-loaders
rooms: $(LIBS) need-guards ## who includes and calls whom
	@SIM_DIALECT="$(DIALECT.sim)" HOST_DIALECT="$(DIALECT.host)" \
		tests/guards/rooms $(OUT)

tidy: need-guards ## format, sizes, nesting, banned calls
	@tests/guards/tidy

selftest: need-guards ## do the guards notice what they guard against?
	@tests/run tests/guards/selftest

format: need-guards ## write every source as .clang-format says
	@clang-format-14 -i $(sort $(wildcard $(foreach folder,$(ROOMS) cli \
		tests,$(folder)/*.[ch] $(folder)/*/*.[ch])))

wasm: need-guards ## the model as WebAssembly: pure, and equal to native
	@SIM_DIALECT="$(DIALECT.sim)" CLANG=$(CLANG) \
		tests/guards/pure $(BUILD)/wasm

asan: ## tests under address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory FLAVOUR=asan run-steady-tests

tsan: ## tests of threads under the thread sanitizer
	@$(MAKE) --no-print-directory FLAVOUR=tsan run-thread-tests

FUZZ_SECONDS = 20
fuzz-smoke: need-guards ## each fuzzer for FUZZ_SECONDS
	@$(MAKE) --no-print-directory FLAVOUR=fuzz CC=$(CLANG) run-fuzzers

browser-test: all need-browser ## pages in a real browser, pictures in build/browser/
	@ECHOSIM=$(abspath $(OUT))/echosim tests/run tests/guards/browser

coverage: need-guards ## line and branch coverage, page in build/coverage/
	@rm -rf $(BUILD)/coverage
	@$(MAKE) --no-print-directory FLAVOUR=coverage run-steady-tests
	@tests/guards/coverage $(BUILD)/coverage

bench: ## the benchmarks, with -O3
	@$(MAKE) --no-print-directory FLAVOUR=release run-benches

probe-check: all ## probe, run and sim agree on this machine's storage?
	@ECHOSIM=$(abspath $(OUT))/echosim tests/bench/probe_check.sh

# fio and zstd are optional: what wants them is left out without them.
bench-live: ## the live path against fio, zstd and LMDB by themselves
	@$(MAKE) --no-print-directory FLAVOUR=release all \
		$(BUILD)/release/tests/bench/bench_live
	@tests/bench/live $(BUILD)/release/tests/bench/bench_live \
		$(BUILD)/release/echosim
	@tests/bench/recording $(BUILD)/release/echosim

validate: ## live against sim, and against a disk slowed by the kernel
	@$(MAKE) --no-print-directory FLAVOUR=release all
	@tests/bench/validate $(BUILD)/release/echosim

validate-loaders: all need-loaders ## PyTorch's DataLoader, the real one, against its prediction
	@tests/loaders/validate $(OUT)/echosim

# What the targets above run in their flavour; instrumented code is slow.
export TEST_SECONDS = $(if $(FLAVOUR),400,120)
.PHONY: run-tests run-steady-tests run-thread-tests run-fuzzers run-benches
run-tests: all man $(every_test) $(fuzz_replays)
	@ECHOSIM=$(abspath $(OUT))/echosim tests/run $(every_test) \
		tests/golden/run tests/reference/run tests/tools/run \
		$(manners) $(fuzz_replays)

# Everything whose verdict does not hang on how fast the machine is: one on each
# core at a time, the long ones first.
run-steady-tests: all $(unit_tests) $(laws_tests) $(fault_tests) $(fuzz_replays)
	@ECHOSIM=$(abspath $(OUT))/echosim TEST_JOBS=$$(nproc) tests/run \
		tests/golden/run $(fault_tests) $(unit_tests) $(laws_tests) \
		$(fuzz_replays)

# Tests of what runs in more than one thread.
threaded := live reader ring workers probe parallel frame_log io_replay
thread_tests := $(twin_tests) $(filter $(foreach name,$(threaded),\
	$(OUT)/tests/unit/test_$(name)% $(OUT)/tests/fault/test_$(name)%),\
	$(unit_tests) $(fault_tests))
run-thread-tests: $(thread_tests)
	@tests/run $^

run-fuzzers: $(fuzzers)
	@tests/guards/fuzz $(FUZZ_SECONDS) $^

run-benches: all $(benches)
	@set -e; for bench in $(filter-out %/bench_live,$(benches)); do $$bench; done
	@tests/bench/processes $(abspath $(OUT))/echosim

# --- how -------------------------------------------------------------------

# Before anything is compiled or run, one after the other: packages.
DEPS = check
.PHONY: need-build need-test need-guards need-browser need-loaders
need-build need-test need-guards need-browser need-loaders: need-%:
	@tests/guards/deps $(DEPS) $*
need-test need-guards need-browser need-loaders: | need-build

# Written anew only when their text changes: other flags compile everything
# again, a file that came or went packs the libraries again.
text.flags    = $(CC) $(CFLAGS) $(DIALECT.sim) $(DIALECT.host)
text.sources := $(foreach room,$(ROOMS),$(call sources,$(room))) \
	$(devices) $(workloads) $(loaders) $(laws) $(learned) $(page)
$(OUT)/flags $(OUT)/sources: FORCE
	@mkdir -p $(@D)
	@echo '$(text.$(@F))' | cmp -s - $@ || echo '$(text.$(@F))' >$@
FORCE:

$(every_test:=.o) $(support_objects): | need-test
$(OUT)/%.o: %.c $(OUT)/flags | need-build
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(call dialect,$*) $(CFLAGS) -c -o $@ $<

# Comes with its package.
$(CHART_JS): | need-build ;

# Files as arrays of bytes: nothing is looked for when the program runs.
# embed ROOM,NAME,FILES: ROOM/NAME.h declares the struct embedded
# (traces/embedded.h) NAME, with _ for a / of NAME.
flat = $(subst /,_,$(1))
define embed
$(OUT)/$(1)/$(2)_table.c: $(3) $(OUT)/sources
	@mkdir -p $$(@D)
	$$(say) EMBED $$@
	$$(Q){ echo '#include "$(1)/$(2).h"'; \
	for file in $(3); do \
		echo "static const char text_$$$$((count += 1))[] = {"; \
		od -An -v -td1 $$$$file | tr -s ' ' ',' | \
			sed 's/^,//;s/$$$$/,/'; \
		echo "0 };"; \
	done; \
	count=0; \
	echo 'static const struct embedded_file files[] = {'; \
	for name in $(basename $(notdir $(3))); do \
		count=$$$$((count + 1)); \
		echo "{ \"$$$$name\", text_$$$$count," \
			"sizeof(text_$$$$count) - 1 },"; \
	done; \
	echo '};'; \
	echo "const struct embedded $(call flat,$(2)) = { files, $$$$count };"; \
	} >$$@
$(OUT)/$(1)/$(2)_table.o: $(OUT)/$(1)/$(2)_table.c $(OUT)/flags
	$$(say) CC $$<
	$$(Q)$$(CC) $$(DIALECT.host) $$(CFLAGS) -c -o $$@ $$<
$(OUT)/lib$(1).a: $(OUT)/$(1)/$(2)_table.o
endef
$(eval $(call embed,traces,devices,$(devices)))
$(eval $(call embed,traces,workloads,$(workloads)))
$(eval $(call embed,traces,loaders,$(loaders)))
$(eval $(call embed,analysis,law/texts,$(laws)))
$(eval $(call embed,analysis,learn/texts,$(learned)))
$(eval $(call embed,analysis,page/texts,$(page)))

# Its loops over matrices are worth vectors.
$(OUT)/analysis/learn/mlp.o: FLAGS. += -O3

$(foreach room,$(ROOMS),$(eval \
	$(OUT)/lib$(room).a: $(call objects,$(call sources,$(room)))))
$(LIBS): $(OUT)/sources
	@rm -f $@
	$(say) AR $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

link = $(CC) $(OPT) -o $@ $(filter %.o,$^) $(LIBS)

$(OUT)/echosim: $(cli_objects) $(LIBS)
	$(say) LINK $@
	$(Q)$(link) $(LDLIBS)

$(OUT)/echosim.1: $(OUT)/echosim
	$(say) MAN $@
	$(Q)$< manual >$@

$(every_test): %: %.o $(support_objects) $(LIBS)
	$(say) LINK $@
	$(Q)$(link) -lcmocka $(LDLIBS) -lm

$(benches): %: %.o $(support_objects) $(LIBS)
	$(say) LINK $@
	$(Q)$(link) -lcmocka $(LDLIBS) -lm

$(fuzzers): %: %.o $(LIBS)
	$(say) LINK $@
	$(Q)$(link) -fsanitize=fuzzer $(LDLIBS)

$(fuzz_replays): $(OUT)/tests/replay/%: $(OUT)/tests/fuzz/%.o \
		$(OUT)/tests/fuzz/onefile.o $(LIBS)
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(link) $(LDLIBS)

-include $(wildcard $(OUT)/*/*.d $(OUT)/*/*/*.d)
