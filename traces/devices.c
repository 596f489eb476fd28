/* SPDX-License-Identifier: MIT */
#include "traces/devices.h"

#include <string.h>

#include "traces/nearest.h"

const struct devices_entry *devices_find(const char *name)
{
	size_t i;

	for (i = 0; i < devices_count; i++)
		if (strcmp(devices_table[i].name, name) == 0)
			return &devices_table[i];
	return NULL;
}

static const char *name_of(size_t index)
{
	return devices_table[index].name;
}

const char *devices_nearest(const char *word, char *text, size_t size)
{
	return nearest_offers(word, name_of, devices_count, text, size);
}
