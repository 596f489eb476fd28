/* SPDX-License-Identifier: MIT */
/*
 * Where the examples of a new dataset come from: one after the other, each
 * with its size before its bytes.
 */
#ifndef STORAGE_SOURCE_H
#define STORAGE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/distribution.h"
#include "sim/fault.h"

struct source;

struct source_kind {
	int (*next)(struct source *source, uint64_t *bytes,
		    struct fault *fault);
	int (*read)(struct source *source, void *to, struct fault *fault);
	void (*close)(struct source *source);
};

/* First member of every kind's own struct. */
struct source {
	const struct source_kind *kind;
	uint64_t skipped; /* things found that are no examples */
	/* Nothing will be read: sizes may be taken as they are claimed. */
	bool sizes_only;
};

/*
 * The regular files under a folder, in the order that `LC_ALL=C sort` gives
 * their paths. Symbolic links to regular files are followed; other links,
 * pipes, sockets and devices are skipped and counted. Memory: the names in
 * the folders on the way to the current file, about 20 bytes and its name for
 * each, whatever the number of files elsewhere.
 */
int source_open_folder(struct source **out, const char *path,
		       struct fault *fault) __attribute__((warn_unused_result));

/* The path of the current example's file, below the folder; until the next. */
const char *source_folder_name(const struct source *source);

/*
 * Tars one after the other, plain or compressed by gzip or zstd; members that
 * follow each other and have one stem (the path up to the first dot of its
 * last part) are one example, as in WebDataset. The paths are borrowed.
 * Memory: one example, at most 1 GiB, and what the decompressor takes.
 */
int source_open_tar(struct source **out, const char *first,
		    const char *const *more, size_t more_count)
	__attribute__((warn_unused_result));

/* The tars below a folder, in the order of source_open_folder(); files of
 * other kinds there are skipped and counted. Memory: of both. */
int source_open_tar_folder(struct source **out, const char *path,
			   struct fault *fault)
	__attribute__((warn_unused_result));

struct synthetic {
	uint64_t seed;
	uint64_t examples;
	struct distribution bytes;
	double ratio; /* aimed content / compressed size */
};

/* Random content that compresses to about the given ratio, up to about 30;
 * no two 512-byte blocks of a dataset are equal. */
int source_open_synthetic(struct source **out, const struct synthetic *options)
	__attribute__((warn_unused_result));

/* Goes to the next example: 1 and its size, 0 at the end, or negative errno
 * with a fault. */
static inline int source_next(struct source *source, uint64_t *bytes,
			      struct fault *fault)
{
	return source->kind->next(source, bytes, fault);
}

/* Reads the example that source_next() went to. */
static inline int source_read(struct source *source, void *to,
			      struct fault *fault)
{
	return source->kind->read(source, to, fault);
}

static inline void source_close(struct source *source)
{
	if (source)
		source->kind->close(source);
}

#endif
