/* SPDX-License-Identifier: MIT */
/*
 * What is at the path of a dataset: looked at once, before a format is asked
 * whether it is its own. Only names, sizes and a few bytes at the start and
 * the end of a file are read.
 */
#ifndef STORAGE_PLACE_H
#define STORAGE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "storage/dataset/container.h"
#include "storage/dataset/names.h"

enum place_kind {
	PLACE_PACKED,	   /* a folder with our manifest */
	PLACE_REMAINS,	   /* a folder of ours without it */
	PLACE_ENVIRONMENT, /* LMDB: a folder with data.mdb, or the file */
	PLACE_ZSTD,	   /* a zstd file, or a folder of nothing else */
	PLACE_FILES,	   /* a folder of files, none of them zstd */
	PLACE_MIXED,	   /* a folder of both */
	PLACE_EMPTY,	   /* a folder without a file */
	PLACE_CONTAINERS,  /* each file holds many examples */
	PLACE_UNKNOWN,	   /* another file */
};

struct place {
	const char *path;
	enum place_kind kind;
	int folder; /* open; AT_FDCWD: the path is a file */
	/* Of zstd and other files: all below the folder, or the one. */
	struct names names;
	uint64_t zstd_files;
	bool seekable; /* each of them ends with a seek table */
	const struct container *container; /* of the kind of that name */
};

/* Looks; a fault when nothing can be seen. */
int place_look(struct place *place, const char *path, struct fault *fault)
	__attribute__((warn_unused_result));
void place_release(struct place *place);

/* What was found, in words. */
void place_describe(const struct place *place, char *text, size_t room);

#endif
