/* SPDX-License-Identifier: MIT */
#include "sim/source.h"

#include "sim/check.h"

static bool walks_shards(enum read_order order)
{
	return order == ORDER_SEQUENTIAL || order == ORDER_SHUFFLED_SHARDS;
}

static uint64_t order_units(const struct pipeline *pipeline)
{
	switch (pipeline->order) {
	case ORDER_SHUFFLED_SHARDS:
		return pipeline->layout.shards;
	case ORDER_RANDOM:
		return pipeline->layout.examples;
	default:
		return pipeline->layout.blocks;
	}
}

static uint64_t shard_at(const struct engine *engine,
			 const struct source *source, uint64_t position)
{
	if (engine->pipeline.order == ORDER_SEQUENTIAL)
		return position;
	return permutation_at(&source->order, position);
}

static uint64_t shard_blocks(const struct layout *layout, uint64_t shard)
{
	return layout_shard_start(layout, shard + 1) -
	       layout_shard_start(layout, shard);
}

/* Opens the shard at the source's place in the order, `skip` blocks in. */
static void enter_shard(const struct engine *engine, struct source *source,
			uint64_t skip)
{
	const struct layout *layout = &engine->pipeline.layout;
	uint64_t shard = shard_at(engine, source, source->shard_position);

	source->shard_position++;
	source->block = layout_shard_start(layout, shard) + skip;
	source->shard_end = layout_shard_start(layout, shard + 1);
	source->ahead_next = source->ahead_end;
}

/* All shards of a computed layout but the last are equally long, so the place
 * of a block in the order of shards needs no walk over them. */
static void seek_computed(const struct engine *engine, struct source *source,
			  uint64_t skip)
{
	const struct layout *layout = &engine->pipeline.layout;
	uint64_t each = layout->blocks_per_shard;
	uint64_t last = layout->shards - 1;
	uint64_t last_blocks = shard_blocks(layout, last);
	uint64_t before = last; /* shards in the order before the last one */

	if (engine->pipeline.order == ORDER_SHUFFLED_SHARDS)
		before = permutation_find(&source->order, last);
	if (skip < before * each) {
		source->shard_position = skip / each;
		skip %= each;
	} else if (skip < before * each + last_blocks) {
		source->shard_position = before;
		skip -= before * each;
	} else {
		skip -= before * each + last_blocks;
		source->shard_position = before + 1 + skip / each;
		skip %= each;
	}
	enter_shard(engine, source, skip);
}

static void seek_table(const struct engine *engine, struct source *source,
		       uint64_t skip)
{
	const struct layout *layout = &engine->pipeline.layout;

	source->shard_position = 0;
	for (;;) {
		uint64_t shard =
			shard_at(engine, source, source->shard_position);
		uint64_t blocks = shard_blocks(layout, shard);

		if (skip < blocks)
			break;
		skip -= blocks;
		source->shard_position++;
	}
	enter_shard(engine, source, skip);
}

/* The first of a host's units out of `total`: total * host / hosts. */
static uint64_t slice_start(uint64_t total, uint32_t host, uint32_t hosts)
{
	return total / hosts * host + total % hosts * host / hosts;
}

static void begin_epoch(struct engine *engine, struct loader *loader)
{
	const struct pipeline *pipeline = &engine->pipeline;
	struct source *source = &loader->source;
	uint32_t hosts = pipeline->accelerators.hosts;
	uint64_t total = pipeline->order == ORDER_RANDOM ?
				 pipeline->layout.examples :
				 pipeline->layout.blocks;

	source->position = slice_start(total, loader->host, hosts);
	source->end = slice_start(total, loader->host + 1, hosts);
	source->epoch_examples = 0;
	source->ahead_next = source->ahead_end;
	source->has_last = false;
	if (pipeline->order != ORDER_SEQUENTIAL)
		source->order = permutation_make(
			order_units(pipeline),
			random_substream(engine->order_stream, source->epoch));
	if (!walks_shards(pipeline->order) || source->position == source->end)
		return;
	if (pipeline->layout.entries)
		seek_table(engine, source, source->position);
	else
		seek_computed(engine, source, source->position);
}

void source_init(struct engine *engine, struct loader *loader)
{
	begin_epoch(engine, loader);
}

static uint64_t block_end(const struct layout_block *block)
{
	return block->offset_bytes + block->stored_bytes;
}

/* Looks at the next block of the walk. In a computed layout whose sizes are
 * drawn, blocks that follow each other in a shard touch. */
static const struct layout_block *look_ahead(const struct engine *engine,
					     struct source *source)
{
	const struct layout *layout = &engine->pipeline.layout;
	struct layout_block *ahead;

	if (source->ahead_next == source->ahead_end) {
		/* Several, for the draws go on side by side. */
		uint64_t count = source->shard_end - source->block;

		if (count > BLOCKS_AHEAD)
			count = BLOCKS_AHEAD;
		for (uint32_t i = 0; i < count; i++)
			layout_block(layout, source->block + i,
				     &source->ahead[i]);
		source->ahead_next = 0;
		source->ahead_end = (uint32_t)count;
	}
	ahead = &source->ahead[source->ahead_next];
	if (!layout->entries && source->has_last &&
	    source->last_shard == ahead->shard)
		ahead->offset_bytes = source->last_end;
	return ahead;
}

static void plan_append(struct source *source, const struct layout_block *block)
{
	struct plan *plan = &source->plan;
	uint64_t end = block_end(block);

	source->plan_blocks[plan->block_count++] = *block;
	plan->examples += block->examples;
	if (plan->block_count == 1 || end > source->plan_end)
		source->plan_end = end;
	source->last_shard = block->shard;
	source->last_end = end;
	source->has_last = true;
}

/* Would the request stay within its size with the block ahead? Blocks need not
 * lie in the order of their numbers (an LMDB file keeps small values in its
 * tree and large ones elsewhere), but none may lie in front of the first. */
static bool fits(const struct engine *engine, const struct source *source,
		 const struct layout_block *ahead)
{
	uint64_t start = source->plan_blocks[0].offset_bytes;
	uint64_t end = block_end(ahead);

	if (end < source->plan_end)
		end = source->plan_end;
	return ahead->offset_bytes >= start &&
	       end - start <= engine->pipeline.request_bytes;
}

/* Whole blocks of one shard, up to the request size. */
static void plan_walk(struct engine *engine, struct source *source)
{
	struct plan *plan = &source->plan;
	const struct layout_block *ahead;

	if (source->block == source->shard_end)
		enter_shard(engine, source, 0);
	plan->first_block = source->block;
	ahead = look_ahead(engine, source);
	do {
		plan_append(source, ahead);
		source->ahead_next++;
		source->block++;
		source->position++;
		if (source->block == source->shard_end ||
		    source->position == source->end ||
		    plan->block_count == engine->request_blocks)
			return;
		ahead = look_ahead(engine, source);
	} while (fits(engine, source, ahead));
}

static void plan_one(struct engine *engine, struct source *source)
{
	const struct layout *layout = &engine->pipeline.layout;
	struct plan *plan = &source->plan;
	struct layout_block block;
	uint64_t unit = permutation_at(&source->order, source->position++);

	if (engine->pipeline.order == ORDER_RANDOM) {
		plan->only_example = unit;
		unit = layout_block_of(layout, unit);
	}
	plan->first_block = unit;
	layout_block(layout, unit, &block);
	plan_append(source, &block);
	if (plan->only_example != COUNT_UNKNOWN)
		plan->examples = 1;
}

/* The extent of the plan's blocks, widened to the alignment. */
static void plan_align(const struct engine *engine, struct source *source)
{
	uint64_t alignment = engine->pipeline.layout.alignment_bytes;
	struct plan *plan = &source->plan;
	uint64_t start = source->plan_blocks[0].offset_bytes;
	uint64_t end = source->plan_end;

	plan->offset_bytes = start - start % alignment;
	end += (alignment - end % alignment) % alignment;
	plan->bytes = end - plan->offset_bytes;
}

static void end_epoch(struct engine *engine, struct loader *loader)
{
	const struct run_limit *limit = &engine->pipeline.limit;
	struct source *source = &loader->source;

	/* What decompression will have given when the epoch is over. */
	loader->stages[STAGE_DECOMPRESS]
		.epoch_items[source->epoch % EPOCHS_OPEN] =
		source->epoch_examples;
	loader_mark(loader, STAGE_DECODE);
	source->epoch++;
	if (limit->epochs > 0 && source->epoch == limit->epochs)
		source->ended = true;
	else
		begin_epoch(engine, loader);
}

bool source_plan(struct engine *engine, struct loader *loader)
{
	struct source *source = &loader->source;
	struct plan *plan = &source->plan;

	if (plan->ready || source->ended)
		return plan->ready;
	CHECK(source->position < source->end);
	*plan = (struct plan){ .ready = true, .only_example = COUNT_UNKNOWN };
	if (walks_shards(engine->pipeline.order))
		plan_walk(engine, source);
	else
		plan_one(engine, source);
	plan_align(engine, source);
	return true;
}

void source_take(struct engine *engine, struct loader *loader)
{
	struct source *source = &loader->source;

	CHECK(source->plan.ready);
	source->plan.ready = false;
	source->epoch_examples += source->plan.examples;
	if (source->position == source->end)
		end_epoch(engine, loader);
}
