/* SPDX-License-Identifier: MIT */
/*
 * The files below a folder by number, sorted by path: 12 bytes and its path
 * for each while they are gathered, 4 and its path when they are kept.
 */
#ifndef STORAGE_NAMES_H
#define STORAGE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"

struct names {
	char *text; /* one after the other, each ended by a zero */
	size_t text_bytes;
	size_t text_room;
	uint32_t *starts; /* within the text */
	uint64_t *sizes;  /* of the files; NULL once dropped */
	uint64_t count;
	uint64_t room;
	uint64_t skipped; /* things found that are no files */
};

/* Gathers the regular files below a folder, symbolic links to files too. */
int names_gather(struct names *names, const char *folder, struct fault *fault)
	__attribute__((warn_unused_result));

/* Adds one. */
int names_add(struct names *names, const char *name, uint64_t bytes)
	__attribute__((warn_unused_result));

/* Leaves out the files of no bytes; returns how many those are. */
uint64_t names_drop_empty(struct names *names);

/* Nothing is added any more: frees the sizes and what room is left. */
void names_keep(struct names *names);

const char *names_at(const struct names *names, uint64_t index);

void names_release(struct names *names);

#endif
