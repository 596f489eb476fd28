/* SPDX-License-Identifier: MIT */
#include "storage/dataset/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "storage/pack/source.h"

#define ROOM_FIRST 1024u

static int make_room(struct names *names, size_t bytes)
{
	uint64_t room = names->room * 2 + ROOM_FIRST;
	size_t text_room = names->text_room * 2 + bytes + ROOM_FIRST;
	void *grown;

	if (names->text_bytes + bytes > UINT32_MAX)
		return -E2BIG;
	if (names->text_bytes + bytes > names->text_room) {
		grown = realloc(names->text, text_room);
		if (!grown)
			return -ENOMEM;
		names->text = grown;
		names->text_room = text_room;
	}
	if (names->count < names->room)
		return 0;
	grown = realloc(names->starts, room * sizeof(*names->starts));
	if (!grown)
		return -ENOMEM;
	names->starts = grown;
	grown = realloc(names->sizes, room * sizeof(*names->sizes));
	if (!grown)
		return -ENOMEM;
	names->sizes = grown;
	names->room = room;
	return 0;
}

int names_add(struct names *names, const char *name, uint64_t bytes)
{
	size_t size = strlen(name) + 1;
	int error;

	error = make_room(names, size);
	if (error)
		return error;
	memcpy(names->text + names->text_bytes, name, size);
	names->starts[names->count] = (uint32_t)names->text_bytes;
	names->sizes[names->count] = bytes;
	names->text_bytes += size;
	names->count++;
	return 0;
}

int names_gather(struct names *names, const char *folder, struct fault *fault)
{
	struct source *source;
	uint64_t bytes;
	int got;

	got = source_open_folder(&source, folder, fault);
	if (got)
		return got;
	while ((got = source_next(source, &bytes, fault)) > 0) {
		got = names_add(names, source_folder_name(source), bytes);
		if (got)
			break;
	}
	if (got)
		fault_set(fault, NULL, 0, "%s: cannot be listed: %s", folder,
			  strerror(-got));
	names->skipped = source->skipped;
	source_close(source);
	return got;
}

uint64_t names_drop_empty(struct names *names)
{
	uint64_t kept = 0;
	uint64_t dropped;

	for (uint64_t index = 0; index < names->count; index++) {
		if (!names->sizes[index])
			continue;
		names->starts[kept] = names->starts[index];
		names->sizes[kept++] = names->sizes[index];
	}
	dropped = names->count - kept;
	names->count = kept;
	return dropped;
}

void names_keep(struct names *names)
{
	void *less;

	free(names->sizes);
	names->sizes = NULL;
	less = realloc(names->text, names->text_bytes + 1);
	if (less)
		names->text = less;
	less = realloc(names->starts,
		       (names->count + 1) * sizeof(*names->starts));
	if (less)
		names->starts = less;
}

const char *names_at(const struct names *names, uint64_t index)
{
	CHECK(index < names->count);
	return names->text + names->starts[index];
}

void names_release(struct names *names)
{
	free(names->text);
	free(names->starts);
	free(names->sizes);
	memset(names, 0, sizeof(*names));
}
