/* SPDX-License-Identifier: MIT */
#include "cli/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CACHE_LINE 64
#define CGROUP_LIMIT "/sys/fs/cgroup/memory.max"

size_t memory_limit(void)
{
	size_t limit =
		(size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	unsigned long long container;
	char text[32] = "";
	FILE *file;

	file = fopen(CGROUP_LIMIT, "r");
	if (!file)
		return limit;
	/* "max" reads as 0. */
	if (fgets(text, sizeof(text), file)) {
		container = strtoull(text, NULL, 10);
		if (container && container < limit)
			limit = container;
	}
	fclose(file);
	return limit;
}

void *memory_take(size_t size)
{
	if (size > memory_limit() - CACHE_LINE)
		return NULL;
	return aligned_alloc(CACHE_LINE, (size / CACHE_LINE + 1) * CACHE_LINE);
}
