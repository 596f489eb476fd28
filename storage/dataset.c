/* SPDX-License-Identifier: MIT */
#include "storage/dataset.h"

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
#include "storage/file.h"
#include "storage/format.h"

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
		return -EFBIG;
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

static int open_file(struct dataset *dataset, uint32_t shard,
		     struct fault *fault)
{
	struct dataset_file *file = &dataset->files[shard];
	char name[FORMAT_NAME_BYTES];
	int error;
	int fd;

	dataset->format->file_name(name, shard);
	fd = file_open(dataset->folder, name, 0, &file->bytes);
	if (fd < 0)
		goto refuse;
	error = dataset->format->check(dataset, shard, fd, file->bytes, fault);
	if (error) {
		close(fd);
		return error;
	}
	if (dataset->facts.direct) {
		close(fd);
		fd = reopen_direct(dataset, name);
	}
	if (fd < 0)
		goto refuse;
	file->fd = fd;
	return 0;

refuse:
	fault_set(fault, NULL, 0, "%s/%s: cannot be opened: %s", dataset->path,
		  name, strerror(-fd));
	return fd;
}

static int open_files(struct dataset *dataset, struct fault *fault)
{
	uint32_t shards = (uint32_t)dataset->manifest.shards;
	int error;

	dataset->files = calloc(shards, sizeof(*dataset->files));
	if (!dataset->files)
		return -ENOMEM;
	for (uint32_t shard = 0; shard < shards; shard++)
		dataset->files[shard].fd = -1;
	set_buffered(&dataset->facts);
	dataset->facts.direct = dataset->direct;
	for (uint32_t shard = 0; shard < shards; shard++) {
		error = open_file(dataset, shard, fault);
		if (error)
			return error;
	}
	return 0;
}

static void count_facts(struct dataset *dataset)
{
	const struct manifest *manifest = &dataset->manifest;
	struct dataset_facts *facts = &dataset->facts;

	facts->format = dataset->format->name;
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

static int open_all(struct dataset *dataset, const char *path,
		    struct fault *fault)
{
	int error;

	dataset->path = strdup(path);
	if (!dataset->path)
		return -ENOMEM;
	dataset->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dataset->folder < 0) {
		error = -errno;
		fault_set(fault, path, 0, "cannot be opened as a dataset: %s",
			  strerror(-error));
		return error;
	}
	error = read_manifest(dataset, path, fault);
	if (!error)
		error = check_manifest(dataset, path, fault);
	if (!error)
		error = catalogue_load(&dataset->tables, path,
				       &dataset->manifest, fault);
	if (!error)
		error = raise_file_limit(dataset->manifest.shards, path, fault);
	if (!error)
		error = open_files(dataset, fault);
	return error;
}

int dataset_open(struct dataset **out, const char *path, bool direct,
		 struct fault *fault)
{
	struct dataset *dataset;
	int error;

	dataset = calloc(1, sizeof(*dataset));
	if (!dataset)
		return -ENOMEM;
	dataset->folder = -1;
	dataset->direct = direct;
	error = open_all(dataset, path, fault);
	if (error) {
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
		if (dataset->files[i].bytes > largest)
			largest = dataset->files[i].bytes;
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

int dataset_fd(const struct dataset *dataset, uint32_t shard)
{
	CHECK(shard < dataset->facts.shards);
	return dataset->files[shard].fd;
}

uint64_t dataset_file_bytes(const struct dataset *dataset, uint32_t shard)
{
	CHECK(shard < dataset->facts.shards);
	return dataset->files[shard].bytes;
}
