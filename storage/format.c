/* SPDX-License-Identifier: MIT */
#include "storage/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/lmdb.h"

const struct format *const formats[] = {
	&format_shards,
	&format_lmdb,
	NULL,
};

const struct format *format_find(const char *name)
{
	for (size_t index = 0; formats[index]; index++)
		if (strcmp(formats[index]->name, name) == 0)
			return formats[index];
	return NULL;
}

/* A format's file names differ in nothing but the shard's number. */
static bool names_shard(const struct format *format, const char *name)
{
	char expected[FORMAT_NAME_BYTES];
	const char *digits = name + strcspn(name, "0123456789");
	unsigned long shard = strtoul(digits, NULL, 10);

	if (shard >= DATASET_SHARDS_MAX)
		return false;
	format->file_name(expected, (uint32_t)shard);
	return strcmp(name, expected) == 0;
}

bool format_owns(const char *name)
{
	if (strcmp(name, MANIFEST_NAME) == 0 ||
	    strcmp(name, CATALOGUE_NAME) == 0 ||
	    strcmp(name, STORE_LOCK_NAME) == 0)
		return true;
	for (size_t index = 0; formats[index]; index++)
		if (names_shard(formats[index], name))
			return true;
	return false;
}
