/* SPDX-License-Identifier: MIT */
/*
 * Packing is three steps per block: gather examples from the source, compress
 * them, write the result in order. The middle step touches nothing but its
 * block and its compressor, so that several of them may run at once.
 */
#include "storage/pack/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/checksum.h"
#include "storage/clock.h"
#include "storage/file.h"
#include "storage/dataset/format.h"
#include "storage/lmdb.h"
#include "storage/pack/plan.h"
#include "storage/pack/source.h"
#include "storage/pack/target.h"
#include "storage/zstd.h"

/* Content packed between two calls of progress. */
#define PROGRESS_BYTES ((uint64_t)1 << 20)

struct buffer {
	uint8_t *bytes;
	size_t room;
};

/* One block on its way from examples to a frame. */
struct block {
	struct buffer content;
	struct buffer stored;
	uint32_t lengths[CATALOGUE_EXAMPLES_MAX];
	struct packed_block packed;
};

struct packing {
	const struct pack_options *options;
	const struct format *format;
	struct estimate estimate;
	struct target target;
	struct source *source;
	struct catalogue *catalogue;
	struct writer *writer;
	struct compressor *compressor; /* NULL: stored raw */
	struct block *block;
	struct plan plan;
	struct manifest manifest; /* counts grow as blocks are written */
	uint64_t reported_bytes;
};

static int make_room(struct buffer *buffer, size_t keep, size_t needed)
{
	size_t room = buffer->room * 2;
	uint8_t *bytes;

	if (needed <= buffer->room)
		return 0;
	if (room < needed)
		room = needed;
	bytes = malloc(room);
	if (!bytes)
		return -ENOMEM;
	if (keep)
		memcpy(bytes, buffer->bytes, keep);
	free(buffer->bytes);
	buffer->bytes = bytes;
	buffer->room = room;
	return 0;
}

/* Adds the source's current example to the block. */
static int gather(struct packing *packing, uint64_t bytes, struct fault *fault)
{
	struct block *block = packing->block;
	struct plan *plan = &packing->plan;
	int error;

	if (bytes > FRAME_CONTENT_MAX)
		return -EINVAL;
	error = make_room(&block->content, plan->content_bytes,
			  plan->content_bytes + bytes + 1);
	if (error)
		return error;
	error = source_read(packing->source,
			    block->content.bytes + plan->content_bytes, fault);
	if (error)
		return error;
	block->lengths[plan->examples] = (uint32_t)bytes;
	plan_add(plan, bytes);
	return 0;
}

/* Turns content into what is stored. */
static int compress(struct block *block, struct compressor *compressor)
{
	struct catalogue_record *record = &block->packed.record;
	size_t bound = frame_bound(record->content_bytes);
	size_t stored;
	int error;

	record->checksum =
		checksum_of(block->content.bytes, record->content_bytes);
	block->packed.lengths = block->lengths;
	block->packed.stored = block->content.bytes;
	record->stored_bytes = record->content_bytes;
	if (!compressor)
		return 0;
	error = make_room(&block->stored, 0, bound);
	if (!error)
		error = compressor_run(compressor, block->content.bytes,
				       record->content_bytes,
				       block->stored.bytes, bound, &stored);
	if (error)
		return error;
	block->packed.stored = block->stored.bytes;
	record->stored_bytes = (uint32_t)stored;
	return 0;
}

static int report(struct packing *packing)
{
	const struct pack_options *options = packing->options;
	uint64_t done = packing->manifest.content_bytes;

	if (!options->progress)
		return 0;
	if (done < packing->reported_bytes + PROGRESS_BYTES &&
	    done < packing->estimate.content_bytes)
		return 0;
	packing->reported_bytes = done;
	return options->progress(options->context, done,
				 packing->estimate.content_bytes) ?
		       0 :
		       -EINTR;
}

static int write_block(struct packing *packing, struct fault *fault)
{
	struct catalogue_record *record = &packing->block->packed.record;
	struct manifest *manifest = &packing->manifest;
	int error;

	record->first_example = manifest->examples;
	record->examples = packing->plan.examples;
	record->content_bytes = (uint32_t)packing->plan.content_bytes;
	error = compress(packing->block, packing->compressor);
	if (error)
		return error;
	if (record->stored_bytes == 0) {
		fault_set(fault, NULL, 0,
			  "example %" PRIu64
			  " is empty, which level 0 cannot store; use level 1",
			  record->first_example);
		return -EINVAL;
	}
	error = packing->format->write(packing->writer, &packing->block->packed,
				       fault);
	if (error)
		return error;
	manifest->blocks++;
	manifest->examples += record->examples;
	manifest->content_bytes += record->content_bytes;
	manifest->stored_bytes += record->stored_bytes;
	plan_next(&packing->plan);
	return report(packing);
}

static int pack_all(struct packing *packing, struct fault *fault)
{
	uint64_t bytes;
	int error;
	int got;

	while ((got = source_next(packing->source, &bytes, fault)) > 0) {
		error = 0;
		if (!plan_takes(&packing->plan, bytes))
			error = write_block(packing, fault);
		if (!error)
			error = gather(packing, bytes, fault);
		if (error)
			return error;
	}
	if (got < 0)
		return got;
	return packing->plan.examples ? write_block(packing, fault) : 0;
}

/* LMDB's lock files serve writers only. */
static void remove_locks(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	unlinkat(fd, STORE_LOCK_NAME, 0);
	unlinkat(fd, CATALOGUE_NAME "/" STORE_LOCK_NAME, 0);
	close(fd);
}

static int write_manifest(struct packing *packing, struct fault *fault)
{
	char text[MANIFEST_BYTES_MAX];
	size_t size = manifest_print(text, &packing->manifest);
	char *path;
	FILE *file;
	int error = 0;

	path = file_path(packing->target.partial, MANIFEST_NAME);
	if (!path)
		return -ENOMEM;
	file = fopen(path, "wxe");
	free(path);
	if (!file)
		error = -errno;
	if (!error && fwrite(text, 1, size, file) != size)
		error = -EIO;
	if (!error && (fflush(file) != 0 || fsync(fileno(file)) != 0))
		error = -errno;
	if (file && fclose(file) != 0 && !error)
		error = -errno;
	if (error)
		fault_set(fault, NULL, 0,
			  MANIFEST_NAME ": cannot be written: %s",
			  strerror(-error));
	return error;
}

/* Everything else is durable before the manifest says so. */
static int finish(struct packing *packing, struct fault *fault)
{
	struct manifest *manifest = &packing->manifest;
	const char *folder = packing->target.partial;
	char *catalogue;
	int error;

	error = packing->format->finish(packing->writer, &manifest->shards,
					fault);
	if (!error)
		error = catalogue_finish(packing->catalogue,
					 &manifest->catalogue_checksum, fault);
	if (error)
		return error;
	packing->format->close(packing->writer);
	packing->writer = NULL;
	catalogue_close(packing->catalogue);
	packing->catalogue = NULL;
	remove_locks(folder);
	catalogue = file_path(folder, CATALOGUE_NAME);
	error = catalogue ? file_sync_folder(catalogue) : -ENOMEM;
	free(catalogue);
	if (!error)
		error = file_sync_folder(folder);
	if (!error)
		error = write_manifest(packing, fault);
	return error;
}

static int start(struct packing *packing, struct fault *fault)
{
	const struct pack_options *options = packing->options;
	struct writer_options writer = {
		.folder = packing->target.partial,
		.shard_examples = options->shard_examples,
		.shard_bytes = packing->estimate.shard_bytes,
		.bytes_max = packing->estimate.disk_bytes_max,
	};
	int error;

	packing->block = calloc(1, sizeof(*packing->block));
	if (!packing->block)
		return -ENOMEM;
	plan_init(&packing->plan, options, packing->format);
	snprintf(packing->manifest.format, sizeof(packing->manifest.format),
		 "%s", packing->format->name);
	packing->manifest.level = (uint64_t)options->level;
	packing->manifest.block_bytes = options->block_bytes;
	packing->manifest.shard_examples = options->shard_examples;
	error = plan_source(&packing->source, options, fault);
	if (!error && options->level > 0)
		error = compressor_open(&packing->compressor, options->level);
	if (!error)
		error = catalogue_create(&packing->catalogue, writer.folder,
					 writer.bytes_max, fault);
	writer.catalogue = packing->catalogue;
	if (!error)
		error = packing->format->create(&packing->writer, &writer,
						fault);
	return error;
}

static void stop(struct packing *packing)
{
	packing->format->close(packing->writer);
	catalogue_close(packing->catalogue);
	compressor_close(packing->compressor);
	source_close(packing->source);
	if (packing->block) {
		free(packing->block->content.bytes);
		free(packing->block->stored.bytes);
	}
	free(packing->block);
}

static void add_file(int folder, const char *name, uint64_t *bytes)
{
	struct stat status;

	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
		*bytes += (uint64_t)status.st_size;
}

static uint64_t folder_bytes(const struct packing *packing)
{
	char name[FORMAT_NAME_BYTES];
	uint64_t bytes = 0;
	int folder;

	folder = open(packing->target.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return 0;
	add_file(folder, MANIFEST_NAME, &bytes);
	add_file(folder, CATALOGUE_NAME "/" STORE_DATA_NAME, &bytes);
	for (uint32_t shard = 0; shard < packing->manifest.shards; shard++) {
		packing->format->file_name(name, shard);
		add_file(folder, name, &bytes);
	}
	close(folder);
	return bytes;
}

static int run(struct packing *packing, struct fault *fault)
{
	int error;

	error = target_create(&packing->target, fault);
	if (error)
		return error;
	error = start(packing, fault);
	if (!error)
		error = pack_all(packing, fault);
	if (!error)
		error = finish(packing, fault);
	stop(packing);
	if (!error)
		error = target_commit(&packing->target, fault);
	return error;
}

/* A target inside its source would pack itself. */
static int check_apart(const struct packing *packing, struct fault *fault)
{
	char *source;
	char *parent;
	size_t size;
	int error = 0;

	if (!packing->options->source)
		return 0;
	source = realpath(packing->options->source, NULL);
	parent = realpath(packing->target.parent, NULL);
	size = source ? strlen(source) : 0;
	if (source && parent && strncmp(parent, source, size) == 0 &&
	    (parent[size] == 0 || parent[size] == '/' || size == 1)) {
		fault_set(fault, NULL, 0, "%s: lies inside its own source %s",
			  packing->target.path, packing->options->source);
		error = -EINVAL;
	}
	free(parent);
	free(source);
	return error;
}

int pack_run(const struct pack_options *options, struct pack_result *result,
	     struct fault *fault)
{
	struct packing packing = { .options = options };
	int64_t started_ns = clock_now_ns();
	int error;

	memset(result, 0, sizeof(*result));
	error = plan_check(options, &packing.format, fault);
	if (error)
		return error;
	error = target_check(&packing.target, options->target, options->force,
			     fault);
	if (!error)
		error = check_apart(&packing, fault);
	if (!error)
		error = plan_estimate(options, packing.format,
				      &packing.estimate, fault);
	if (!error && options->estimated)
		options->estimated(options->context, packing.estimate.examples,
				   packing.estimate.content_bytes,
				   packing.estimate.disk_bytes_max);
	if (!error)
		error = run(&packing, fault);
	if (error == -EINTR)
		fault_set(fault, NULL, 0, "%s: interrupted, nothing was made",
			  options->target);
	else if (error)
		fault_set(fault, NULL, 0, "%s: cannot be made: %s",
			  options->target, strerror(-error));
	if (!error) {
		result->examples = packing.manifest.examples;
		result->blocks = packing.manifest.blocks;
		result->shards = packing.manifest.shards;
		result->content_bytes = packing.manifest.content_bytes;
		result->stored_bytes = packing.manifest.stored_bytes;
		result->skipped = packing.estimate.skipped;
		result->disk_bytes = folder_bytes(&packing);
		result->elapsed_ns = clock_now_ns() - started_ns;
	}
	target_release(&packing.target);
	return error;
}
