/* SPDX-License-Identifier: MIT */
/*
 * The catalogue of workloads: the files of traces/workloads, compiled into the
 * program. Each is a workload file as DLIO would read it, with the source of
 * its figures; its name without .yaml is the workload's.
 */
#ifndef TRACES_WORKLOADS_H
#define TRACES_WORKLOADS_H

#include <stddef.h>

#define WORKLOADS_NEAREST_MAX 128 /* bytes of what workloads_nearest() says */

struct workloads_entry {
	const char *name;
	const char *text; /* of the workload file */
	size_t size;
};

/* In the order of names. Made from the files when the program is built. */
extern const struct workloads_entry workloads_table[];
extern const size_t workloads_count;

/* NULL when there is no workload of this name. */
const struct workloads_entry *workloads_find(const char *name);

/* The names that somebody may have meant, at most three: a part of the name is
 * enough. "" when none is near. Returns text. */
const char *workloads_nearest(const char *word, char *text, size_t size);

#endif
