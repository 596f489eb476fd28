/* SPDX-License-Identifier: MIT */
/*
 * A numbered list in an LMDB folder: the keys are the 64-bit big-endian
 * numbers 0, 1, 2, ..., the values are bytes. Written once from the first to
 * the last, then only read.
 */
#ifndef STORAGE_LMDB_H
#define STORAGE_LMDB_H

#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"

#define STORE_DATA_NAME "data.mdb"
#define STORE_LOCK_NAME "lock.mdb"

struct store;

/* An upper bound of a list's file: this and what each value may take. */
#define STORE_BYTES_FIXED ((uint64_t)256 << 10)
uint64_t store_value_bytes_max(uint64_t size);

/* Makes an empty list in an existing folder; bytes_max bounds the file. */
int store_create(struct store **out, const char *folder, uint64_t bytes_max,
		 struct fault *fault) __attribute__((warn_unused_result));

/* Adds the next value. Everything is written out from time to time, so that
 * memory stays at a few MiB plus the largest value. */
int store_append(struct store *store, const void *data, size_t size,
		 struct fault *fault) __attribute__((warn_unused_result));

/* Writes the rest and makes it durable. */
int store_finish(struct store *store, struct fault *fault)
	__attribute__((warn_unused_result));

/* Opens a list for reading after checking every page of its tree: neither a
 * damaged nor a truncated file crashes a later walk. */
int store_open(struct store **out, const char *folder, struct fault *fault)
	__attribute__((warn_unused_result));

uint64_t store_count(const struct store *store);

struct store_value {
	const void *data; /* in the memory map: touching it may read the file */
	size_t size;
	uint64_t offset_bytes; /* of the data within data.mdb */
};

/* The next value in order: 1, or 0 at the end, or negative errno. */
int store_next(struct store *store, struct store_value *value,
	       struct fault *fault) __attribute__((warn_unused_result));

/* Closes either kind; a list that was not finished is not whole. */
void store_close(struct store *store);

#endif
