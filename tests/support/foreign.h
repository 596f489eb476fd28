/* SPDX-License-Identifier: MIT */
/*
 * Datasets made by others: LMDB environments by mdb_load, frames by zstd, and
 * a seek table written here by the format's description.
 */
#ifndef TESTS_SUPPORT_FOREIGN_H
#define TESTS_SUPPORT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/support/temp.h"

struct foreign {
	unsigned count; /* examples */
	/* All as long as this; 0: of 1 byte to some pages. */
	size_t bytes;
	/* LMDB. */
	const char *database; /* by that name */
	bool integer_keys;    /* else strings */
	bool single_file;     /* no folder */
	/* zstd. */
	unsigned shards; /* files in a folder; 0: one file, no folder */
	bool no_checksums;
	bool no_sizes; /* frames do not say what they hold */
};

/* The content of an example, in memory that the caller frees. */
uint8_t *foreign_content(const struct foreign *foreign, unsigned example,
			 size_t *size);

/* Makes `name` in the named format: files, lmdb-environment, zstd-seekable or
 * zstd-frames. Fails the test when that cannot be done. */
void foreign_make(const struct temp *temp, const char *name, const char *format,
		  const struct foreign *foreign);

/* Writes a seek table behind frames; checksums NULL: without. */
void foreign_seek_table(const char *path, const uint32_t *stored_bytes,
			const uint32_t *content_bytes,
			const uint32_t *checksums, uint32_t frames);

#endif
