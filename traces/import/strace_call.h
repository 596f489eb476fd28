/* SPDX-License-Identifier: MIT */
/*
 * One line of strace taken apart: who, when, and a call with its arguments,
 * its result and how long it took.
 *
 *	[pid 101] 1796049360.238438 read(3</d/a>, "x"..., 4096) = 4096 <0.000252>
 *
 * Arguments stay text: what stands in quotes, brackets or behind a descriptor
 * in <> belongs to its argument, whatever it holds.
 */
#ifndef TRACES_STRACE_CALL_H
#define TRACES_STRACE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/import/scan.h"

#define STRACE_ARGUMENTS_MAX 6

struct strace_head {
	uint64_t thread; /* 0: strace followed none */
	int64_t time_ns;
	const char *rest;
};

struct strace_call {
	struct scan_word name;
	struct scan_word arguments[STRACE_ARGUMENTS_MAX];
	size_t argument_count; /* those beyond the table too */
	bool returned;	       /* result is a number */
	int64_t result;
	struct scan_word result_text; /* from the number to the duration */
	int64_t duration_ns;	      /* TIME_UNKNOWN: without -T */
};

/* A descriptor and the file it stands for: 3</d/a>. */
struct strace_file {
	uint64_t descriptor;
	struct scan_word path; /* empty: strace ran without -y */
	bool is_data; /* a regular file or a block device, as far as its name
			 says */
};

/* [[pid N]|N] seconds.fraction; false when that is not what it begins with. */
bool strace_take_head(const char *line, struct strace_head *head);

/* NULL, or what was expected. */
const char *strace_take_call(const char *text, struct strace_call *call);

bool strace_take_file(const struct scan_word *word, struct strace_file *file);

/* An argument that is a number. */
bool strace_take_number(const struct strace_call *call, size_t argument,
			int64_t *number);

/* Does the word hold that text anywhere? */
bool strace_word_has(const struct scan_word *word, const char *text);

#endif
