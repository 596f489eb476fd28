/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/check.h"
#include "storage/checksum.h"
#include "storage/dataset/files.h"
#include "storage/dataset/foreign.h"
#include "storage/dataset/unpacker.h"
#include "storage/zstd.h"

struct unpacker {
	const struct dataset *dataset;
	struct decompressor *decompressor;
	uint8_t *content;
};

int unpacker_open(struct unpacker **out, const struct dataset *dataset)
{
	struct unpacker *unpacker;
	size_t room = dataset->compressed ? dataset->facts.content_bytes_max :
					    0;

	unpacker = calloc(1, sizeof(*unpacker));
	if (!unpacker)
		return -ENOMEM;
	unpacker->dataset = dataset;
	unpacker->content = malloc(room ? room : 1);
	if (!unpacker->content)
		goto free_unpacker;
	if (decompressor_open(&unpacker->decompressor))
		goto free_content;
	*out = unpacker;
	return 0;

free_content:
	free(unpacker->content);
free_unpacker:
	free(unpacker);
	return -ENOMEM;
}

void unpacker_close(struct unpacker *unpacker)
{
	if (!unpacker)
		return;
	decompressor_close(unpacker->decompressor);
	free(unpacker->content);
	free(unpacker);
}

/* Which shard's blocks include this one. */
static uint32_t shard_of(const struct dataset *dataset, uint64_t block)
{
	const uint64_t *first = dataset->tables.shard_first_block;
	uint64_t low = 0;
	uint64_t high = dataset->manifest.shards;

	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (first[middle] <= block)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static int refuse(const struct unpacker *unpacker, uint64_t block,
		  const char *what, struct fault *fault)
{
	const struct dataset *dataset = unpacker->dataset;
	const struct layout_entry *entry = &dataset->tables.entries[block];
	char name[DATASET_NAME_BYTES];

	fault_set(fault, NULL, 0,
		  "%s: block %" PRIu64 " (first example %" PRIu64 ", %" PRIu32
		  " bytes at %" PRIu64 ") %s",
		  dataset_file_name(dataset, shard_of(dataset, block), name),
		  block, entry->first_example, entry->stored_bytes,
		  entry->offset_bytes, what);
	return -EBADMSG;
}

/* A foreign block has no checksum but what its writer gave it: its frame, the
 * seek table. */
static const char *unpack_foreign(struct unpacker *unpacker, uint64_t block,
				  const void *stored, size_t size)
{
	const struct dataset *dataset = unpacker->dataset;
	const struct layout_entry *entry = &dataset->tables.entries[block];
	uint64_t checksum = 0;
	const char *what;

	if (dataset->tables.checksums)
		checksum = dataset->tables.checksums[block];
	what = decompressor_run_any(unpacker->decompressor, stored, size,
				    unpacker->content, entry->content_bytes);
	if (what || !(checksum & FOREIGN_CHECKSUM))
		return what;
	if ((uint32_t)checksum ==
	    (uint32_t)checksum_of(unpacker->content, entry->content_bytes))
		return NULL;
	return "has another checksum than the seek table says";
}

static int foreign_content(struct unpacker *unpacker, uint64_t block,
			   const void *stored, size_t size,
			   const uint8_t **content, struct fault *fault)
{
	const char *what;

	*content = stored;
	if (!unpacker->dataset->compressed)
		return 0;
	*content = unpacker->content;
	what = unpack_foreign(unpacker, block, stored, size);
	return what ? refuse(unpacker, block, what, fault) : 0;
}

int unpacker_content(struct unpacker *unpacker, uint64_t block,
		     const void *stored, size_t size, const uint8_t **content,
		     struct fault *fault)
{
	const struct dataset *dataset = unpacker->dataset;
	const struct layout_entry *entry;
	const char *what;
	uint64_t checksum;

	CHECK(block < dataset->manifest.blocks);
	entry = &dataset->tables.entries[block];
	if (size != entry->stored_bytes)
		return refuse(unpacker, block, "was read short", fault);
	if (dataset->facts.foreign)
		return foreign_content(unpacker, block, stored, size, content,
				       fault);
	checksum = dataset->tables.checksums[block];
	*content = unpacker->content;
	if (dataset->compressed) {
		what = decompressor_run(unpacker->decompressor, stored, size,
					unpacker->content, entry->content_bytes,
					checksum);
		return what ? refuse(unpacker, block, what, fault) : 0;
	}
	*content = stored;
	if (size != entry->content_bytes)
		return refuse(unpacker, block,
			      "is raw, but its sizes in the catalogue differ",
			      fault);
	if (checksum_of(stored, size) != checksum)
		return refuse(unpacker, block,
			      "has another checksum than the catalogue says",
			      fault);
	return 0;
}

int unpacker_check(struct unpacker *unpacker, uint64_t block,
		   const void *stored, size_t size, uint64_t *content_bytes,
		   struct fault *fault)
{
	const uint8_t *content;
	int error;

	error = unpacker_content(unpacker, block, stored, size, &content,
				 fault);
	*content_bytes = 0;
	if (!error)
		*content_bytes =
			unpacker->dataset->tables.entries[block].content_bytes;
	return error;
}
