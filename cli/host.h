/* SPDX-License-Identifier: MIT */
/*
 * What may differ between two equal runs: the machine, the kernel, the wall
 * clock, and what a live run got from them.
 */
#ifndef CLI_HOST_H
#define CLI_HOST_H

#include <stddef.h>
#include <stdint.h>
#include <sys/utsname.h>

#include "analysis/report.h"
#include "storage/dataset/dataset.h"
#include "storage/live/live.h"

#define HOST_FACTS_MAX 24
#define HOST_COMMAND_MAX 4096

struct host {
	struct utsname system;
	char command[HOST_COMMAND_MAX]; /* as a shell would take it */
	int64_t start_ns;
	struct host_fact facts[HOST_FACTS_MAX];
	size_t fact_count;
};

/* The wall clock starts. */
void host_init(struct host *host);

/* How the dataset was opened. */
void host_add_dataset(struct host *host, const struct dataset_facts *facts);

/* What decompression was measured to cost. */
void host_add_decompress(struct host *host, const struct live_decompress *cost);

/* What the last live run got; `report` outlives the host. */
void host_add_live(struct host *host, const struct live_report *report);

void host_add(struct host *host, const char *name, enum metric_kind kind,
	      struct metric_value value);

/* The wall clock stops. */
void host_finish(struct host *host);

#endif
