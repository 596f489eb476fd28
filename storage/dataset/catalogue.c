/* SPDX-License-Identifier: MIT */
#include "storage/dataset/catalogue.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/check.h"
#include "storage/bytes.h"
#include "storage/checksum.h"
#include "storage/file.h"
#include "storage/lmdb.h"
#include "storage/zstd.h"

struct catalogue {
	struct store *store;
	uint64_t checksum;
	uint8_t value[CATALOGUE_RECORD_BYTES + 4 * CATALOGUE_EXAMPLES_MAX];
};

size_t catalogue_record_bytes(uint32_t examples)
{
	return CATALOGUE_RECORD_BYTES +
	       (examples > 1 ? 4 * (size_t)examples : 0);
}

void catalogue_encode(uint8_t *to, const struct catalogue_record *record,
		      const uint32_t *lengths)
{
	bytes_put_le32(to, record->shard);
	bytes_put_le32(to + 4, record->examples);
	bytes_put_le64(to + 8, record->offset_bytes);
	bytes_put_le64(to + 16, record->first_example);
	bytes_put_le32(to + 24, record->stored_bytes);
	bytes_put_le32(to + 28, record->content_bytes);
	bytes_put_le64(to + 32, record->checksum);
	if (record->examples < 2)
		return;
	to += CATALOGUE_RECORD_BYTES;
	for (uint32_t index = 0; index < record->examples; index++)
		bytes_put_le32(to + (size_t)index * 4, lengths[index]);
}

int catalogue_decode(struct catalogue_record *record, const uint8_t *from,
		     size_t size)
{
	uint64_t sum = 0;

	if (size < CATALOGUE_RECORD_BYTES)
		return -EBADMSG;
	record->shard = bytes_get_le32(from);
	record->examples = bytes_get_le32(from + 4);
	record->offset_bytes = bytes_get_le64(from + 8);
	record->first_example = bytes_get_le64(from + 16);
	record->stored_bytes = bytes_get_le32(from + 24);
	record->content_bytes = bytes_get_le32(from + 28);
	record->checksum = bytes_get_le64(from + 32);
	if (record->examples < 1 || record->examples > CATALOGUE_EXAMPLES_MAX)
		return -EBADMSG;
	if (size != catalogue_record_bytes(record->examples))
		return -EBADMSG;
	if (record->content_bytes > FRAME_CONTENT_MAX)
		return -EBADMSG;
	if (record->stored_bytes < 1 ||
	    record->stored_bytes > frame_bound(FRAME_CONTENT_MAX))
		return -EBADMSG;
	if (record->offset_bytes > (uint64_t)INT64_MAX - record->stored_bytes)
		return -EBADMSG;
	if (record->examples == 1)
		return 0;
	from += CATALOGUE_RECORD_BYTES;
	for (uint32_t index = 0; index < record->examples; index++)
		sum += bytes_get_le32(from + (size_t)index * 4);
	return sum == record->content_bytes ? 0 : -EBADMSG;
}

int catalogue_create(struct catalogue **out, const char *folder,
		     uint64_t bytes_max, struct fault *fault)
{
	struct catalogue *catalogue;
	char *path;
	int error;

	path = file_path(folder, CATALOGUE_NAME);
	catalogue = calloc(1, sizeof(*catalogue));
	error = path && catalogue ? 0 : -ENOMEM;
	if (!error && mkdir(path, 0777) != 0) {
		error = -errno;
		fault_set(fault, NULL, 0, "%s: %s", path, strerror(-error));
	}
	if (!error)
		error = store_create(&catalogue->store, path, bytes_max, fault);
	free(path);
	if (error) {
		free(catalogue);
		return error;
	}
	*out = catalogue;
	return 0;
}

int catalogue_append(struct catalogue *catalogue,
		     const struct catalogue_record *record,
		     const uint32_t *lengths, struct fault *fault)
{
	size_t size = catalogue_record_bytes(record->examples);

	CHECK(record->examples >= 1);
	CHECK(record->examples <= CATALOGUE_EXAMPLES_MAX);
	catalogue_encode(catalogue->value, record, lengths);
	catalogue->checksum =
		checksum_extend(catalogue->checksum, catalogue->value, size);
	return store_append(catalogue->store, catalogue->value, size, fault);
}

int catalogue_finish(struct catalogue *catalogue, uint64_t *checksum,
		     struct fault *fault)
{
	*checksum = catalogue->checksum;
	return store_finish(catalogue->store, fault);
}

void catalogue_close(struct catalogue *catalogue)
{
	if (!catalogue)
		return;
	store_close(catalogue->store);
	free(catalogue);
}

/* What has been read so far of a catalogue. */
struct loading {
	struct catalogue_tables *tables;
	struct store *store;
	const char *name; /* for faults */
	struct fault *fault;
	uint64_t block;
	uint64_t examples;
	uint64_t shards;
	uint64_t stored_bytes;
	uint64_t content_bytes;
	uint64_t checksum;
};

static int allocate(struct catalogue_tables *tables,
		    const struct manifest *manifest)
{
	tables->entries = calloc(manifest->blocks, sizeof(*tables->entries));
	tables->checksums =
		calloc(manifest->blocks, sizeof(*tables->checksums));
	tables->shard_first_block = calloc(manifest->shards + 1,
					   sizeof(*tables->shard_first_block));
	if (!tables->entries || !tables->checksums ||
	    !tables->shard_first_block)
		return -ENOMEM;
	return 0;
}

static int load_record(struct loading *loading, const struct manifest *manifest,
		       const struct catalogue_record *record)
{
	struct catalogue_tables *tables = loading->tables;

	if (record->first_example != loading->examples)
		return -EBADMSG;
	if (record->shard == loading->shards &&
	    record->shard < manifest->shards)
		tables->shard_first_block[loading->shards++] = loading->block;
	if ((uint64_t)record->shard + 1 != loading->shards)
		return -EBADMSG;
	tables->entries[loading->block] = (struct layout_entry){
		.first_example = record->first_example,
		.offset_bytes = record->offset_bytes,
		.stored_bytes = record->stored_bytes,
		.content_bytes = record->content_bytes,
	};
	tables->checksums[loading->block] = record->checksum;
	loading->block++;
	loading->examples += record->examples;
	loading->stored_bytes += record->stored_bytes;
	loading->content_bytes += record->content_bytes;
	return 0;
}

static int load_records(struct loading *loading,
			const struct manifest *manifest)
{
	struct catalogue_record record;
	struct store_value value;
	int got;
	int error;

	while ((got = store_next(loading->store, &value, loading->fault)) > 0) {
		error = catalogue_decode(&record, value.data, value.size);
		if (!error)
			error = load_record(loading, manifest, &record);
		if (error) {
			fault_set(loading->fault, loading->name, 0,
				  "catalogue: the record of block %" PRIu64
				  " is damaged",
				  loading->block);
			return error;
		}
		loading->checksum = checksum_extend(loading->checksum,
						    value.data, value.size);
	}
	return got;
}

static int check_sum(const struct loading *loading, const char *what,
		     uint64_t found, uint64_t expected)
{
	if (found == expected)
		return 0;
	fault_set(loading->fault, loading->name, 0,
		  "catalogue: %s is %" PRIu64 ", but " MANIFEST_NAME
		  " says %" PRIu64,
		  what, found, expected);
	return -EBADMSG;
}

static int check_sums(const struct loading *loading,
		      const struct manifest *manifest)
{
	int error;

	error = check_sum(loading, "number of examples", loading->examples,
			  manifest->examples);
	if (!error)
		error = check_sum(loading, "number of shards", loading->shards,
				  manifest->shards);
	if (!error)
		error = check_sum(loading, "sum of stored bytes",
				  loading->stored_bytes,
				  manifest->stored_bytes);
	if (!error)
		error = check_sum(loading, "sum of content bytes",
				  loading->content_bytes,
				  manifest->content_bytes);
	if (!error && loading->checksum != manifest->catalogue_checksum) {
		fault_set(loading->fault, loading->name, 0,
			  "catalogue: its checksum is not the one "
			  "in " MANIFEST_NAME);
		error = -EBADMSG;
	}
	return error;
}

int catalogue_load(struct catalogue_tables *out, const char *path,
		   const struct manifest *manifest, struct fault *fault)
{
	struct loading loading = { .tables = out,
				   .name = path,
				   .fault = fault };
	char *folder;
	int error;

	memset(out, 0, sizeof(*out));
	folder = file_path(path, CATALOGUE_NAME);
	if (!folder)
		return -ENOMEM;
	error = store_open(&loading.store, folder, fault);
	if (error)
		goto free_folder;
	/* Before the tables are made: the file bounds what they may cost. */
	error = check_sum(&loading, "number of blocks",
			  store_count(loading.store), manifest->blocks);
	if (!error)
		error = allocate(out, manifest);
	if (!error)
		error = load_records(&loading, manifest);
	if (!error)
		error = check_sums(&loading, manifest);
	if (!error)
		out->shard_first_block[manifest->shards] = manifest->blocks;
	else
		catalogue_release(out);
	store_close(loading.store);
free_folder:
	free(folder);
	return error;
}

void catalogue_release(struct catalogue_tables *tables)
{
	free(tables->entries);
	free(tables->checksums);
	free(tables->shard_first_block);
	memset(tables, 0, sizeof(*tables));
}
