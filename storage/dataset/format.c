/* SPDX-License-Identifier: MIT */
#include "storage/dataset/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/lmdb.h"

const struct format *const formats[] = {
	&format_shards,
	&format_lmdb,
	&format_environment,
	&format_seekable,
	&format_frames,
	&format_files,
	NULL,
};

const struct format *format_find(const char *name)
{
	for (size_t index = 0; formats[index]; index++)
		if (formats[index]->create &&
		    strcmp(formats[index]->name, name) == 0)
			return formats[index];
	return NULL;
}

const struct format *format_detect(const struct place *place,
				   struct fault *fault)
{
	char expected[200] = "";
	char found[100];

	for (size_t index = 0; formats[index]; index++) {
		const struct format *format = formats[index];
		size_t used = strlen(expected);

		if (format->detect && format->detect(place))
			return format;
		if (format->detect)
			snprintf(expected + used, sizeof(expected) - used,
				 ", %s", format->help);
	}
	if (place->container) {
		container_refuse(place->container, place->path, fault);
		return NULL;
	}
	place_describe(place, found, sizeof(found));
	fault_set(fault, place->path, 0,
		  "not a dataset: found %s; expected a packed one%s", found,
		  expected);
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
		if (formats[index]->create && names_shard(formats[index], name))
			return true;
	return false;
}
