/* SPDX-License-Identifier: MIT */
#include "sim/cost.h"

#include "sim/inlet.h"

#define NS_PER_S 1e9

static int64_t cost_ns(const struct stage_cost *cost,
		       struct random_stream stream, uint64_t index,
		       uint64_t bytes, uint64_t extra_copies)
{
	int64_t time_ns = cost->constant_ns;

	if (time_ns < 0)
		time_ns = distribution_draw(&cost->time_ns,
					    random_bits(stream, index));
	if (cost->rate_bytes_per_s > 0)
		time_ns += (int64_t)((double)bytes * NS_PER_S /
					     (double)cost->rate_bytes_per_s +
				     0.5);
	return time_ns + (int64_t)extra_copies * cost->repeat_cost_ns;
}

static int64_t take_debt(struct loader *loader, enum stage_name name)
{
	struct inlet *behind = &loader->inlets[name + 1];
	int64_t debt_ns = behind->repeat_debt_ns;

	behind->repeat_debt_ns = 0;
	return debt_ns;
}

/* Are the copies of an item known, and do they cost, before they are made? */
static bool charges_ahead(const struct engine *engine,
			  const struct stage_cost *cost)
{
	return cost->repeat_cost_ns > 0 &&
	       engine->pipeline.echo.policy == ECHO_FIXED;
}

int64_t cost_block_ns(const struct engine *engine, struct loader *loader,
		      const struct block *block, uint64_t number)
{
	const struct stage_cost *cost = &engine->costs[STAGE_DECOMPRESS];
	uint64_t first = block->epoch * engine->pipeline.layout.examples +
			 block->next_example;
	uint32_t charged = charges_ahead(engine, cost) ? block->left : 0;
	uint64_t copies = 0;

	if (cost->fixed)
		return cost->constant_ns;
	for (uint32_t i = 0; i < charged; i++)
		copies += echo_copies(engine, loader, false, first + i) - 1;
	return cost_ns(cost, cost->stream, number, block->place.content_bytes,
		       copies) +
	       take_debt(loader, STAGE_DECOMPRESS);
}

int64_t cost_drawn_example_ns(const struct engine *engine,
			      struct loader *loader, enum stage_name name,
			      struct token token)
{
	const struct stage_cost *cost = &engine->costs[name];
	struct random_stream stream = cost->stream;
	const struct example *example = &loader->examples[token.id];
	uint64_t copies = 1;

	if (charges_ahead(engine, cost))
		copies = echo_copies(engine, loader, false, example->ordinal);
	if (token.copy > 0)
		stream = random_substream(stream, token.copy);
	return cost_ns(cost, stream, example->ordinal, example->stored_bytes,
		       copies - 1) +
	       take_debt(loader, name);
}

static uint64_t batch_bytes(const struct engine *engine,
			    const struct loader *loader,
			    const struct batch *batch)
{
	uint64_t bytes = 0;

	if (engine->costs[STAGE_COLLATE].rate_bytes_per_s == 0)
		return 0;
	for (uint32_t i = 0; i < engine->pipeline.batch_size; i++)
		bytes += loader->examples[batch->tokens[i].id].stored_bytes;
	return bytes;
}

int64_t cost_batch_ns(const struct engine *engine, struct loader *loader,
		      const struct batch *batch)
{
	const struct stage_cost *cost = &engine->costs[STAGE_COLLATE];
	uint64_t copies = 1;

	if (cost->fixed)
		return cost->constant_ns;
	if (charges_ahead(engine, cost))
		copies = echo_copies(engine, loader, true, batch->number);
	return cost_ns(cost, random_substream(cost->stream, loader->host),
		       batch->number, batch_bytes(engine, loader, batch),
		       copies - 1) +
	       take_debt(loader, STAGE_COLLATE);
}
