/* SPDX-License-Identifier: MIT */
#include "traces/workloads.h"

#include <string.h>

#include "traces/nearest.h"

const struct workloads_entry *workloads_find(const char *name)
{
	size_t i;

	for (i = 0; i < workloads_count; i++)
		if (strcmp(workloads_table[i].name, name) == 0)
			return &workloads_table[i];
	return NULL;
}

static const char *name_of(size_t index)
{
	return workloads_table[index].name;
}

const char *workloads_nearest(const char *word, char *text, size_t size)
{
	return nearest_offers(word, name_of, workloads_count, text, size);
}
