/* SPDX-License-Identifier: MIT */
#include "traces/devices.h"

#include <stdio.h>
#include <string.h>

#include "traces/nearest.h"

#define OFFERS_MAX 3
#define PART_MIN 2 /* letters that tell one name from another */

const struct devices_entry *devices_find(const char *name)
{
	size_t i;

	for (i = 0; i < devices_count; i++)
		if (strcmp(devices_table[i].name, name) == 0)
			return &devices_table[i];
	return NULL;
}

/* Slips from the word to a name or to the end of it that follows a dash. */
static size_t slips_to(const char *word, const char *name)
{
	size_t length = strlen(word);
	size_t least = nearest_slips(word, length, name, strlen(name));
	const char *dash = strchr(name, '-');
	size_t slips;

	if (length >= PART_MIN && strstr(name, word))
		return 0;
	for (; dash; dash = strchr(dash + 1, '-')) {
		slips = nearest_slips(word, length, dash + 1, strlen(dash + 1));
		least = slips < least ? slips : least;
	}
	return least;
}

const char *devices_nearest(const char *word, char *text, size_t size)
{
	const char *offers[OFFERS_MAX];
	size_t least = nearest_to(word).slips_max;
	size_t count = 0, used = 0, i, slips;

	for (i = 0; i < devices_count; i++) {
		slips = slips_to(word, devices_table[i].name);
		if (slips > least || (slips == least && count == OFFERS_MAX))
			continue;
		if (slips < least)
			count = 0;
		least = slips;
		offers[count++] = devices_table[i].name;
	}
	text[0] = '\0';
	for (i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 offers[i],
					 i + 2 < count	? ", " :
					 i + 2 == count ? " or " :
							  "");
	return text;
}
