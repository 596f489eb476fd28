/* SPDX-License-Identifier: MIT */
#include "storage/dataset/dataset.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/dataset/files.h"
#include "storage/file.h"
#include "storage/dataset/foreign.h"
#include "storage/dataset/format.h"

/* Files that a program needs besides a dataset's shards. */
#define SPARE_FILES 64u

static int read_manifest(struct dataset *dataset, const char *path,
			 struct fault *fault)
{
	char text[MANIFEST_BYTES_MAX + 1];
	uint64_t size;
	int error;
	int fd;

	fd = file_open(dataset->folder, MANIFEST_NAME, 0, &size);
	if (fd == -ENOENT) {
		fault_set(fault, path, 0,
			  "not a dataset: there is no " MANIFEST_NAME " in it");
		return -ENOENT;
	}
	if (fd < 0) {
		fault_set(fault, path, 0, MANIFEST_NAME " cannot be opened: %s",
			  strerror(-fd));
		return fd;
	}
	if (size > MANIFEST_BYTES_MAX)
		size = MANIFEST_BYTES_MAX + 1;
	error = file_read_at(fd, text, size, 0);
	close(fd);
	if (error) {
		fault_set(fault, path, 0, MANIFEST_NAME " cannot be read: %s",
			  strerror(-error));
		return error;
	}
	return manifest_parse(&dataset->manifest, text, size, path, fault);
}

static int check_manifest(struct dataset *dataset, const char *path,
			  struct fault *fault)
{
	const struct manifest *manifest = &dataset->manifest;

	dataset->format = format_find(manifest->format);
	if (!dataset->format) {
		fault_set(fault, path, 0, MANIFEST_NAME ": unknown format '%s'",
			  manifest->format);
		return -EBADMSG;
	}
	if (manifest->blocks > DATASET_BLOCKS_MAX ||
	    manifest->shards > DATASET_SHARDS_MAX) {
		fault_set(fault, path, 0,
			  MANIFEST_NAME
			  ": %" PRIu64 " blocks in %" PRIu64
			  " shards; at most %u in %u can be opened",
			  manifest->blocks, manifest->shards,
			  DATASET_BLOCKS_MAX, DATASET_SHARDS_MAX);
		return -EINVAL;
	}
	if (manifest->shards < 1 || manifest->blocks < manifest->shards ||
	    manifest->examples < manifest->blocks) {
		fault_set(fault, path, 0,
			  MANIFEST_NAME ": its counts are impossible");
		return -EBADMSG;
	}
	return 0;
}

/* A file per shard may be more than the soft limit of open files, which
 * programs are meant to raise as they need. */
static int raise_file_limit(uint64_t shards, const char *path,
			    struct fault *fault)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return -errno;
	if (limit.rlim_cur >= shards + SPARE_FILES)
		return 0;
	if (limit.rlim_max < shards + SPARE_FILES) {
		fault_set(fault, path, 0,
			  "%" PRIu64 " shards need %" PRIu64
			  " open files, the limit is %" PRIu64 " (ulimit -n)",
			  shards, shards + SPARE_FILES,
			  (uint64_t)limit.rlim_max);
		return -EMFILE;
	}
	limit.rlim_cur = shards + SPARE_FILES;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? 0 : -errno;
}

static void set_buffered(struct dataset_facts *facts)
{
	facts->direct = false;
	facts->alignment_bytes = 1;
	facts->alignment_source = "buffered";
}

static int reopen_direct(struct dataset *dataset, const char *name)
{
	struct dataset_facts *facts = &dataset->facts;
	const char *source;
	uint32_t alignment;
	uint64_t bytes;
	int fd;

	fd = file_open(dataset->folder, name, O_DIRECT, &bytes);
	if (fd == -EINVAL) {
		set_buffered(facts);
		return file_open(dataset->folder, name, 0, &bytes);
	}
	if (fd < 0)
		return fd;
	alignment = file_direct_alignment(fd, &source);
	if (!alignment) {
		close(fd);
		set_buffered(facts);
		return file_open(dataset->folder, name, 0, &bytes);
	}
	if (alignment > facts->alignment_bytes) {
		facts->alignment_bytes = alignment;
		facts->alignment_source = source;
	}
	return fd;
}

/* Opens the file of a shard and checks it; *bytes gets its size. */
static int open_checked(struct dataset *dataset, uint32_t shard, char *name,
			uint64_t *bytes, struct fault *fault)
{
	int error;
	int fd;

	if (dataset->facts.foreign) {
		*bytes = dataset->names.sizes[shard];
		return foreign_open(dataset, shard, fault);
	}
	dataset->format->file_name(name, shard);
	fd = file_open(dataset->folder, name, 0, bytes);
	if (fd < 0)
		return fd;
	error = dataset->format->check(dataset, shard, fd, *bytes, fault);
	if (!error)
		return fd;
	close(fd);
	return error;
}

static int open_file(struct dataset *dataset, uint32_t shard,
		     struct fault *fault)
{
	struct dataset_file *file = &dataset->files[shard];
	char packed[FORMAT_NAME_BYTES];
	char path[DATASET_NAME_BYTES];
	const char *name = packed;
	int fd;

	if (dataset->facts.foreign)
		name = names_at(&dataset->names, shard);
	fd = open_checked(dataset, shard, packed, &file->bytes, fault);
	if (fd >= 0 && dataset->facts.direct) {
		close(fd);
		fd = reopen_direct(dataset, name);
	}
	if (fd < 0) {
		fault_set(fault, NULL, 0, "%s: cannot be opened: %s",
			  dataset_file_name(dataset, shard, path),
			  strerror(-fd));
		return fd;
	}
	file->fd = fd;
	return 0;
}

static int open_files(struct dataset *dataset, struct fault *fault)
{
	uint32_t shards = (uint32_t)dataset->manifest.shards;
	int error;

	error = raise_file_limit(shards, dataset->path, fault);
	if (error)
		return error;
	dataset->files = calloc(shards, sizeof(*dataset->files));
	if (!dataset->files)
		return -ENOMEM;
	for (uint32_t shard = 0; shard < shards; shard++)
		dataset->files[shard].fd = -1;
	for (uint32_t shard = 0; shard < shards; shard++) {
		error = open_file(dataset, shard, fault);
		if (error)
			return error;
	}
	return 0;
}

/* Where each file is opened for its read: the first tells how. */
static int try_first(struct dataset *dataset, struct fault *fault)
{
	int fd = foreign_open(dataset, 0, fault);

	if (fd < 0)
		return fd;
	close(fd);
	if (!dataset->facts.direct)
		return 0;
	fd = reopen_direct(dataset, names_at(&dataset->names, 0));
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void count_facts(struct dataset *dataset)
{
	const struct manifest *manifest = &dataset->manifest;
	struct dataset_facts *facts = &dataset->facts;

	facts->format = dataset->format->name;
	facts->unit = dataset->format->unit;
	facts->examples = manifest->examples;
	facts->blocks = manifest->blocks;
	facts->shards = manifest->shards;
	facts->stored_bytes = manifest->stored_bytes;
	facts->content_bytes = manifest->content_bytes;
	for (uint64_t block = 0; block < manifest->blocks; block++) {
		const struct layout_entry *entry =
			&dataset->tables.entries[block];

		if (entry->stored_bytes > facts->block_bytes_max)
			facts->block_bytes_max = entry->stored_bytes;
		if (entry->content_bytes > facts->content_bytes_max)
			facts->content_bytes_max = entry->content_bytes;
	}
}

static int load_packed(struct dataset *dataset, struct fault *fault)
{
	const char *path = dataset->path;
	int error;

	error = read_manifest(dataset, path, fault);
	if (!error)
		error = check_manifest(dataset, path, fault);
	if (!error)
		error = catalogue_load(&dataset->tables, path,
				       &dataset->manifest, fault);
	dataset->compressed = dataset->manifest.level > 0;
	return error;
}

static int load_foreign(struct dataset *dataset, struct place *place,
			struct fault *fault)
{
	dataset->format = format_detect(place, fault);
	if (!dataset->format)
		return place->kind == PLACE_REMAINS ? -ENOENT : -EINVAL;
	dataset->facts.foreign = true;
	dataset->names = place->names;
	place->names = (struct names){ 0 };
	return dataset->format->load(dataset, fault);
}

static int open_all(struct dataset *dataset, const char *path,
		    struct fault *fault)
{
	struct place place;
	int error;

	dataset->path = strdup(path);
	if (!dataset->path)
		return -ENOMEM;
	error = place_look(&place, dataset->path, fault);
	if (error)
		return error;
	dataset->folder = place.folder;
	place.folder = AT_FDCWD;
	error = -EINVAL;
	if (dataset->database && place.kind != PLACE_ENVIRONMENT)
		fault_set(fault, path, 0,
			  "has no database '%.100s': only an LMDB environment "
			  "has databases",
			  dataset->database);
	else if (place.kind == PLACE_PACKED)
		error = load_packed(dataset, fault);
	else
		error = load_foreign(dataset, &place, fault);
	place_release(&place);
	if (error)
		return error;
	set_buffered(&dataset->facts);
	dataset->facts.direct = dataset->direct;
	if (dataset->facts.opens_each)
		error = try_first(dataset, fault);
	else
		error = open_files(dataset, fault);
	names_keep(&dataset->names);
	return error;
}

int dataset_open(struct dataset **out, const char *path, const char *database,
		 bool direct, struct fault *fault)
{
	struct dataset *dataset;
	int error;

	dataset = calloc(1, sizeof(*dataset));
	if (!dataset)
		return -ENOMEM;
	dataset->folder = AT_FDCWD;
	dataset->direct = direct;
	dataset->database = database;
	error = open_all(dataset, path, fault);
	dataset->database = NULL;
	if (error) {
		/* The path outlives the dataset, its copy does not. */
		if (fault && fault->file == dataset->path)
			fault->file = path;
		fault_set(fault, path, 0, "cannot be opened: %s",
			  strerror(-error));
		dataset_close(dataset);
		return error;
	}
	count_facts(dataset);
	*out = dataset;
	return 0;
}

void dataset_close(struct dataset *dataset)
{
	if (!dataset)
		return;
	for (uint64_t shard = 0;
	     dataset->files && shard < dataset->manifest.shards; shard++)
		if (dataset->files[shard].fd >= 0)
			close(dataset->files[shard].fd);
	free(dataset->files);
	catalogue_release(&dataset->tables);
	names_release(&dataset->names);
	if (dataset->folder >= 0)
		close(dataset->folder);
	free(dataset->path);
	free(dataset);
}

const struct dataset_facts *dataset_facts(const struct dataset *dataset)
{
	return &dataset->facts;
}

static uint64_t largest_file(const struct dataset *dataset)
{
	uint64_t largest = 0;

	for (uint64_t i = 0; i < dataset->facts.shards; i++)
		if (dataset_file_bytes(dataset, (uint32_t)i) > largest)
			largest = dataset_file_bytes(dataset, (uint32_t)i);
	return largest;
}

struct layout dataset_layout(const struct dataset *dataset)
{
	return (struct layout){
		.examples = dataset->facts.examples,
		.blocks = dataset->facts.blocks,
		.shards = dataset->facts.shards,
		.alignment_bytes = dataset->facts.alignment_bytes,
		.entries = dataset->tables.entries,
		.shard_first_block = dataset->tables.shard_first_block,
		.shard_span_bytes = largest_file(dataset),
	};
}
