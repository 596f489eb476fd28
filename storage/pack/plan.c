/* SPDX-License-Identifier: MIT */
#include "storage/pack/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "storage/dataset/catalogue.h"
#include "storage/dataset/container.h"
#include "storage/lmdb.h"
#include "storage/dataset/seekable.h"
#include "storage/zstd.h"

#define SHARD_BYTES ((uint64_t)64 << 20)
/* Shards grow with the dataset so that their number stays well below the
 * limit. */
#define SHARDS_AIMED_MAX (DATASET_SHARDS_MAX / 4)
#define FILE_SYSTEM_BLOCK_BYTES 4096u
/* Between looks at whether to go on. */
#define LOOK_EXAMPLES 1024
#define LOOK_BYTES ((uint64_t)16 << 20)
/* Manifest and folders. */
#define DISK_BYTES_FIXED ((uint64_t)64 << 10)

void plan_init(struct plan *plan, const struct pack_options *options,
	       const struct format *format)
{
	memset(plan, 0, sizeof(*plan));
	plan->block_bytes = options->block_bytes;
	plan->shard_examples = options->shard_examples;
	plan->one_example_per_block = format->one_example_per_block;
}

bool plan_takes(const struct plan *plan, uint64_t bytes)
{
	if (plan->examples == 0)
		return true;
	if (plan->one_example_per_block ||
	    plan->examples == CATALOGUE_EXAMPLES_MAX)
		return false;
	if (plan->shard_examples && plan->shard_used == plan->shard_examples)
		return false;
	return bytes <= plan->block_bytes &&
	       plan->content_bytes <= plan->block_bytes - bytes;
}

void plan_add(struct plan *plan, uint64_t bytes)
{
	plan->content_bytes += bytes;
	plan->examples++;
	plan->shard_used++;
}

void plan_next(struct plan *plan)
{
	plan->content_bytes = 0;
	plan->examples = 0;
	if (plan->shard_used == plan->shard_examples)
		plan->shard_used = 0;
}

/* The first of the tars, unless it is plainly something else. */
static int open_file(struct source **out, const struct pack_options *options,
		     struct fault *fault)
{
	const struct container *container = container_of_file(options->source);

	if (container && !container->is_tar && !container->is_sealed)
		return container_refuse(container, options->source, fault);
	return source_open_tar(out, options->source, options->more,
			       options->more_count);
}

/* Files that are an example each, or tars. */
static int open_folder(struct source **out, const char *path,
		       struct fault *fault)
{
	const struct container *container;
	int error;

	error = container_of_folder(path, &container, fault);
	if (error)
		return error;
	if (!container)
		return source_open_folder(out, path, fault);
	if (!container->is_tar)
		return container_refuse(container, path, fault);
	return source_open_tar_folder(out, path, fault);
}

int plan_source(struct source **out, const struct pack_options *options,
		struct fault *fault)
{
	struct synthetic synthetic = {
		.seed = options->seed,
		.examples = options->synthetic_examples,
		.bytes = options->synthetic_bytes,
		.ratio = options->synthetic_ratio,
	};
	struct stat status;
	bool known;

	if (!options->source)
		return source_open_synthetic(out, &synthetic);
	known = stat(options->source, &status) == 0;
	if (known && S_ISREG(status.st_mode))
		return open_file(out, options, fault);
	if (!options->more_count && !(known && !S_ISDIR(status.st_mode)))
		return open_folder(out, options->source, fault);
	fault_set(fault, NULL, 0,
		  "%s: expected a folder, or one or several tars",
		  options->source);
	return -EINVAL;
}

static int refuse_blocks(struct fault *fault)
{
	fault_set(fault, NULL, 0,
		  "more than %u blocks, which is the most that a dataset can "
		  "have, so blocks must be larger",
		  DATASET_BLOCKS_MAX);
	return -EINVAL;
}

/* So many fit in a block, whatever sizes are drawn. */
static uint64_t block_examples_max(const struct pack_options *options,
				   const struct format *format)
{
	const struct distribution *bytes = &options->synthetic_bytes;
	double most = CATALOGUE_EXAMPLES_MAX;

	if (format->one_example_per_block)
		return 1;
	if (bytes->kind == DISTRIBUTION_CONSTANT && bytes->mean >= 1 &&
	    (double)options->block_bytes / bytes->mean < most)
		most = (double)options->block_bytes / bytes->mean;
	return most > 1 ? (uint64_t)most : 1;
}

static int check_synthetic(const struct pack_options *options,
			   const struct format *format, struct fault *fault)
{
	if (options->synthetic_examples < 1) {
		fault_set(fault, NULL, 0,
			  "a synthetic dataset needs at least one example");
		return -EINVAL;
	}
	if (!(options->synthetic_ratio >= 1)) {
		fault_set(fault, NULL, 0,
			  "synthetic content cannot have a compression ratio "
			  "below 1");
		return -EINVAL;
	}
	if (options->synthetic_examples / DATASET_BLOCKS_MAX >=
	    block_examples_max(options, format))
		return refuse_blocks(fault);
	return 0;
}

int plan_check(const struct pack_options *options, const struct format **format,
	       struct fault *fault)
{
	*format = format_find(options->format);
	if (!*format) {
		fault_set(fault, NULL, 0,
			  "unknown format '%s'; expected shards or lmdb",
			  options->format);
		return -EINVAL;
	}
	if (options->level < (*format)->level_min ||
	    options->level > FRAME_LEVEL_MAX) {
		fault_set(fault, NULL, 0,
			  "compression level %d; the format %s takes %d to %d",
			  options->level, (*format)->name, (*format)->level_min,
			  FRAME_LEVEL_MAX);
		return -EINVAL;
	}
	if (!(*format)->one_example_per_block &&
	    (options->block_bytes < 1 ||
	     options->block_bytes > FRAME_CONTENT_MAX)) {
		fault_set(fault, NULL, 0,
			  "block size %" PRIu64
			  " bytes; expected 1 byte to 1 GiB",
			  options->block_bytes);
		return -EINVAL;
	}
	return options->source ? 0 : check_synthetic(options, *format, fault);
}

/* Bounds what a whole block takes on disk, without what belongs to its
 * shard. */
static uint64_t block_bytes_max(const struct pack_options *options,
				const struct format *format,
				const struct plan *plan)
{
	uint64_t stored = plan->content_bytes;
	uint64_t record = catalogue_record_bytes(plan->examples);

	if (options->level > 0)
		stored = frame_bound(stored);
	if (format->one_example_per_block)
		stored = store_value_bytes_max(stored);
	else
		stored += sizeof(struct seekable_entry);
	return stored + store_value_bytes_max(record);
}

static void end_block(const struct pack_options *options,
		      const struct format *format, struct plan *plan,
		      struct estimate *estimate)
{
	estimate->blocks++;
	estimate->disk_bytes_max += block_bytes_max(options, format, plan);
	plan_next(plan);
}

/* What every shard takes besides its blocks. */
static void add_shards(const struct pack_options *options,
		       struct estimate *estimate)
{
	uint64_t shards;

	if (options->shard_examples)
		shards = estimate->examples / options->shard_examples + 1;
	else
		shards = estimate->disk_bytes_max / estimate->shard_bytes + 1;
	if (shards > estimate->blocks)
		shards = estimate->blocks;
	estimate->disk_bytes_max +=
		shards * (FILE_SYSTEM_BLOCK_BYTES + seekable_table_bytes(0));
	estimate->disk_bytes_max += DISK_BYTES_FIXED + 2 * STORE_BYTES_FIXED;
}

static int add_example(const struct pack_options *options,
		       const struct format *format, struct plan *plan,
		       uint64_t bytes, struct estimate *estimate,
		       struct fault *fault)
{
	if (bytes > FRAME_CONTENT_MAX) {
		fault_set(fault, NULL, 0,
			  "example %" PRIu64 " has %" PRIu64
			  " bytes; at most 1 GiB can be packed",
			  estimate->examples, bytes);
		return -EINVAL;
	}
	if (!plan_takes(plan, bytes))
		end_block(options, format, plan, estimate);
	plan_add(plan, bytes);
	estimate->examples++;
	estimate->content_bytes += bytes;
	return 0;
}

static int check_estimate(const struct pack_options *options,
			  const struct estimate *estimate, struct fault *fault)
{
	if (estimate->examples == 0) {
		fault_set(fault, NULL, 0,
			  "%s: there is no file in it to make an example of",
			  options->source);
		return -EINVAL;
	}
	if (estimate->blocks > DATASET_BLOCKS_MAX)
		return refuse_blocks(fault);
	if (options->shard_examples &&
	    (estimate->examples - 1) / options->shard_examples >=
		    DATASET_SHARDS_MAX) {
		fault_set(fault, NULL, 0,
			  "%" PRIu64 " shards; a dataset can have at most %u, "
			  "so shards must hold more examples",
			  (estimate->examples - 1) / options->shard_examples +
				  1,
			  DATASET_SHARDS_MAX);
		return -EINVAL;
	}
	return 0;
}

/* However many are asked for, it stops where no dataset could hold them, or
 * when it is told to. */
static int go_on(const struct pack_options *options,
		 const struct estimate *estimate, uint64_t *looked_bytes,
		 struct fault *fault)
{
	if (estimate->blocks > DATASET_BLOCKS_MAX)
		return refuse_blocks(fault);
	if (estimate->examples % LOOK_EXAMPLES &&
	    estimate->content_bytes - *looked_bytes < LOOK_BYTES)
		return 0;
	*looked_bytes = estimate->content_bytes;
	return options->progress && !options->progress(options->context, 0, 0) ?
		       -EINTR :
		       0;
}

int plan_estimate(const struct pack_options *options,
		  const struct format *format, struct estimate *estimate,
		  struct fault *fault)
{
	struct source *source;
	struct plan plan;
	uint64_t bytes, looked_bytes = 0;
	int got;

	memset(estimate, 0, sizeof(*estimate));
	plan_init(&plan, options, format);
	got = plan_source(&source, options, fault);
	if (got)
		return got;
	source->sizes_only = true;
	while ((got = source_next(source, &bytes, fault)) > 0) {
		got = add_example(options, format, &plan, bytes, estimate,
				  fault);
		if (!got)
			got = go_on(options, estimate, &looked_bytes, fault);
		if (got)
			break;
	}
	estimate->skipped = source->skipped;
	source_close(source);
	if (got)
		return got;
	if (plan.examples)
		end_block(options, format, &plan, estimate);
	estimate->shard_bytes = estimate->content_bytes / SHARDS_AIMED_MAX;
	if (estimate->shard_bytes < SHARD_BYTES)
		estimate->shard_bytes = SHARD_BYTES;
	add_shards(options, estimate);
	return check_estimate(options, estimate, fault);
}
