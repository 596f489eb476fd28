# SPDX-License-Identifier: MIT
# echosim: one file, no configure. The room (top folder) picks the dialect.
BUILD ?= build
CC = gcc
AR = ar
OPT ?= -O2 -g
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Wvla \
	-Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Werror
CFLAGS = $(OPT) $(WARN) -I. -MMD -MP

DIALECT.sim := -std=c17 -ffreestanding -ffp-contract=off -fno-math-errno
DIALECT.default := -std=gnu17 -D_GNU_SOURCE -ffp-contract=off

rooms := sim traces storage analysis cli
$(foreach room,$(rooms),$(eval $(room)_obj := \
	$(patsubst %.c,$(BUILD)/%.o,$(wildcard $(room)/*.c))))

LIBS := $(BUILD)/libanalysis.a $(BUILD)/libtraces.a $(BUILD)/libstorage.a \
	$(BUILD)/libsim.a
LDLIBS := -lyaml -ljansson -llmdb -lzstd -luring -lxxhash -lpthread

.PHONY: all clean
all: $(BUILD)/echosim

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(or $(DIALECT.$(firstword $(subst /, ,$*))),$(DIALECT.default)) $(CFLAGS) -c -o $@ $<

$(foreach room,$(filter-out cli,$(rooms)),$(eval $(BUILD)/lib$(room).a: $$($(room)_obj)))
$(BUILD)/lib%.a:
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/echosim: $(cli_obj) $(LIBS)
	$(CC) $(OPT) -o $@ $^ $(LDLIBS)

clean:
	rm -rf $(BUILD)

-include $(wildcard $(BUILD)/*/*.d)
