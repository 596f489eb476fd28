/* SPDX-License-Identifier: MIT */
/*
 * Tables of mistakes in scenarios: what the person wrote, and what they must
 * be told, word for word.
 */
#ifndef TESTS_SUPPORT_MISTAKE_H
#define TESTS_SUPPORT_MISTAKE_H

#include <stddef.h>

#include "sim/fault.h"

#define MISTAKE_DEVICE "storage: {device: {bandwidth: 150 MB/s}}\n"

/* What every scenario needs, in three lines. */
#define MISTAKE_LEAST                                                          \
	"dataset: {examples: 1000000, example_bytes: 112 "                     \
	"KiB}\n" MISTAKE_DEVICE "accelerator: {step_time: 100 ms}\n"

/* The line of an override that is right by itself but not in its scenario. */
#define MISTAKE_WHOLE (-1)

struct mistake {
	const char *text;
	int line; /* 0: the fault has none */
	const char *says;
};

/* Is the fault what the mistake says, about this file? */
void mistake_check(const struct mistake *mistake, const char *file,
		   const struct fault *fault);

/* Each text is a whole scenario file. */
void mistake_files(const struct mistake *mistakes, size_t count);

/* Each text is an override of the least scenario. */
void mistake_overrides(const struct mistake *mistakes, size_t count);

#define MISTAKE_FILES(table)                                                   \
	mistake_files(table, sizeof(table) / sizeof((table)[0]))
#define MISTAKE_OVERRIDES(table)                                               \
	mistake_overrides(table, sizeof(table) / sizeof((table)[0]))

#endif
