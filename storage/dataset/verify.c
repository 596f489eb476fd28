/* SPDX-License-Identifier: MIT */
/*
 * Reading a whole dataset back, from the disk itself where direct I/O is
 * possible, in large pieces: blocks mostly lie one behind the other.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "storage/checksum.h"
#include "storage/dataset/files.h"
#include "storage/file.h"
#include "storage/dataset/foreign.h"
#include "storage/dataset/unpacker.h"
#include "storage/zstd.h"

#define WINDOW_BYTES ((size_t)4 << 20)
#define BUFFER_ALIGNMENT 65536u

/* The piece of a file that is in memory. */
struct window {
	uint8_t *bytes;
	size_t room;
	uint32_t shard;
	uint64_t offset_bytes;
	size_t size;
};

struct verifying {
	struct dataset *dataset;
	struct unpacker *unpacker;
	struct window window;
	uint64_t done_bytes;
	uint64_t reported_bytes;
};

static bool holds(const struct window *window, uint32_t shard,
		  const struct layout_entry *entry)
{
	return window->shard == shard &&
	       entry->offset_bytes >= window->offset_bytes &&
	       entry->offset_bytes + entry->stored_bytes <=
		       window->offset_bytes + window->size;
}

/* Fills the window from the aligned place before an offset on: with as much
 * as it holds or the file has. */
static int fill(struct verifying *verifying, uint32_t shard, uint64_t offset)
{
	struct window *window = &verifying->window;
	const uint64_t alignment = verifying->dataset->facts.alignment_bytes;
	int fd = dataset_take_fd(verifying->dataset, shard);
	int error = 0;

	if (fd < 0)
		return fd;
	window->shard = shard;
	window->offset_bytes = offset - offset % alignment;
	window->size = 0;
	while (window->size < window->room) {
		/* Go on from an aligned place, also after a short read. */
		size_t from = window->size - window->size % alignment;
		ssize_t got = pread(fd, window->bytes + from,
				    window->room - from,
				    (off_t)(window->offset_bytes + from));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			error = -errno;
		if (got < 0)
			break;
		if (from + (size_t)got <= window->size)
			break;
		window->size = from + (size_t)got;
	}
	dataset_release_fd(verifying->dataset, fd);
	return error;
}

static int read_block(struct verifying *verifying, uint32_t shard,
		      uint64_t block, const uint8_t **stored,
		      struct fault *fault)
{
	struct dataset *dataset = verifying->dataset;
	const struct layout_entry *entry = &dataset->tables.entries[block];
	struct window *window = &verifying->window;
	char name[DATASET_NAME_BYTES];
	int error = 0;

	if (!holds(window, shard, entry))
		error = fill(verifying, shard, entry->offset_bytes);
	if (!error && !holds(window, shard, entry))
		error = -ENODATA;
	if (error) {
		fault_set(fault, NULL, 0,
			  "%s: block %" PRIu64 " (%" PRIu32 " bytes at %" PRIu64
			  ") cannot be read: %s",
			  dataset_file_name(dataset, shard, name), block,
			  entry->stored_bytes, entry->offset_bytes,
			  strerror(-error));
		return file_lost(error);
	}
	*stored = window->bytes + (entry->offset_bytes - window->offset_bytes);
	return 0;
}

/* Of a file that is an example the end is all that can be checked. */
static int check_end(const struct verifying *verifying, uint32_t shard,
		     const struct layout_entry *entry, struct fault *fault)
{
	const struct window *window = &verifying->window;
	char name[DATASET_NAME_BYTES];

	if (!verifying->dataset->facts.opens_each ||
	    window->size == entry->stored_bytes)
		return 0;
	fault_set(fault, NULL, 0,
		  "%s: grew while it was read, it had %" PRIu32 " bytes",
		  dataset_file_name(verifying->dataset, shard, name),
		  entry->stored_bytes);
	return -EBADMSG;
}

/* Was there a checksum of a foreign block, which the unpacker checks? */
static bool has_checksum(const struct dataset *dataset, uint64_t block,
			 const uint8_t *stored)
{
	return dataset->compressed &&
	       (frame_has_checksum(stored) ||
		(dataset->tables.checksums &&
		 dataset->tables.checksums[block] & FOREIGN_CHECKSUM));
}

/* The unpacker checks the low half of a frame's checksum, which the frame
 * itself has; here the whole of it. */
static int check_block(struct verifying *verifying, uint32_t shard,
		       uint64_t block, struct fault *fault)
{
	struct dataset *dataset = verifying->dataset;
	const struct layout_entry *entry = &dataset->tables.entries[block];
	const uint8_t *content;
	const uint8_t *stored;
	int error;

	error = read_block(verifying, shard, block, &stored, fault);
	if (error)
		return error;
	error = unpacker_content(verifying->unpacker, block, stored,
				 entry->stored_bytes, &content, fault);
	if (error)
		return error;
	verifying->done_bytes += entry->stored_bytes;
	if (dataset->facts.foreign) {
		dataset->facts.checked += has_checksum(dataset, block, stored);
		return check_end(verifying, shard, entry, fault);
	}
	if (checksum_of(content, entry->content_bytes) !=
	    dataset->tables.checksums[block]) {
		fault_set(fault, NULL, 0,
			  "%s: block %" PRIu64 " (first example %" PRIu64
			  ") has another checksum than the catalogue says",
			  dataset->path, block, entry->first_example);
		return -EBADMSG;
	}
	dataset->facts.checked++;
	return 0;
}

static int check_all(struct verifying *verifying,
		     bool (*progress)(void *context, uint64_t done_bytes,
				      uint64_t total_bytes),
		     void *context, struct fault *fault)
{
	struct dataset *dataset = verifying->dataset;
	const uint64_t *first = dataset->tables.shard_first_block;
	const uint64_t total = dataset->facts.stored_bytes;
	uint32_t shard = 0;
	int error;

	for (uint64_t block = 0; block < dataset->facts.blocks; block++) {
		while (block == first[shard + 1])
			shard++;
		error = check_block(verifying, shard, block, fault);
		if (error)
			return error;
		if (!progress ||
		    (verifying->done_bytes < total &&
		     verifying->done_bytes - verifying->reported_bytes <
			     WINDOW_BYTES))
			continue;
		verifying->reported_bytes = verifying->done_bytes;
		if (!progress(context, verifying->done_bytes, total))
			return -EINTR;
	}
	return 0;
}

static int start(struct verifying *verifying)
{
	struct window *window = &verifying->window;
	const struct dataset *dataset = verifying->dataset;
	size_t room = 0;

	/* No more than the largest file, but the largest block, and both
	 * widened at their ends. */
	for (uint32_t shard = 0; shard < dataset->facts.shards; shard++)
		if (room < dataset_file_bytes(dataset, shard))
			room = dataset_file_bytes(dataset, shard);
	if (room > WINDOW_BYTES)
		room = WINDOW_BYTES;
	if (room < dataset->facts.block_bytes_max)
		room = dataset->facts.block_bytes_max;
	room += 2 * BUFFER_ALIGNMENT;
	room -= room % BUFFER_ALIGNMENT;
	window->bytes = aligned_alloc(BUFFER_ALIGNMENT, room);
	if (!window->bytes)
		return -ENOMEM;
	window->room = room;
	return unpacker_open(&verifying->unpacker, dataset);
}

int dataset_verify(const char *path, const char *database,
		   bool (*progress)(void *context, uint64_t done_bytes,
				    uint64_t total_bytes),
		   void *context, struct dataset_facts *facts,
		   struct fault *fault)
{
	struct verifying verifying = { 0 };
	int error;

	error = dataset_open(&verifying.dataset, path, database, true, fault);
	if (error)
		return error;
	error = start(&verifying);
	if (!error)
		error = check_all(&verifying, progress, context, fault);
	if (error)
		fault_set(fault, path, 0, "cannot be verified: %s",
			  strerror(-error));
	*facts = verifying.dataset->facts;
	unpacker_close(verifying.unpacker);
	free(verifying.window.bytes);
	dataset_close(verifying.dataset);
	return error;
}
