/* SPDX-License-Identifier: MIT */
#include "sim/cost.h"

#include "sim/inlet.h"

#define NS_PER_S 1e9

static int64_t draw_ns(const struct stage_cost *cost,
		       struct random_stream stream, uint64_t index)
{
	return distribution_draw_at(&cost->time_ns, stream, index);
}

int64_t cost_draw_ahead_ns(const struct stage_cost *cost,
			   struct drawn_ahead *ahead, uint64_t ordinal)
{
	uint64_t count;

	ahead->run = ordinal == ahead->first + ahead->count ?
			     ahead->run + ahead->count :
			     0;
	count = ahead->run / 2 + 1;
	if (count > DRAWN_AHEAD)
		count = DRAWN_AHEAD;
	for (uint32_t i = 0; i < count; i++)
		ahead->times_ns[i] = draw_ns(cost, cost->stream, ordinal + i);
	ahead->first = ordinal;
	ahead->count = (uint32_t)count;
	return ahead->times_ns[0];
}

static int64_t rate_ns(const struct stage_cost *cost, uint64_t bytes)
{
	if (cost->rate_bytes_per_s == 0)
		return 0;
	return (int64_t)((double)bytes * NS_PER_S /
				 (double)cost->rate_bytes_per_s +
			 0.5);
}

/* What a block or a batch costs by itself. */
static int64_t cost_ns(const struct stage_cost *cost,
		       struct random_stream stream, uint64_t index,
		       uint64_t bytes)
{
	int64_t time_ns = cost->constant_ns;

	if (time_ns < 0)
		time_ns = draw_ns(cost, stream, index);
	return time_ns + rate_ns(cost, bytes);
}

static int64_t take_debt(struct loader *loader, enum stage_name name)
{
	struct inlet *behind = &loader->inlets[name + 1];
	int64_t debt_ns = behind->repeat_debt_ns;

	behind->repeat_debt_ns = 0;
	return debt_ns;
}

/* Are the copies of an item known before they are made? */
static bool charges_ahead(const struct engine *engine)
{
	return engine->pipeline.echo.policy == ECHO_FIXED;
}

/* The copies that the echo behind a stage makes of an item, or has made. */
static int64_t repeats_ns(const struct engine *engine, struct loader *loader,
			  enum stage_name name, uint64_t index)
{
	int64_t copies = 1;

	if (charges_ahead(engine))
		copies = echo_copies(engine, loader, name == STAGE_COLLATE,
				     index);
	return (copies - 1) * engine->costs[name].repeat_cost_ns +
	       take_debt(loader, name);
}

int64_t cost_block_ns(const struct engine *engine, struct loader *loader,
		      const struct block *block, uint64_t number)
{
	const struct stage_cost *cost = &engine->costs[STAGE_DECOMPRESS];
	uint64_t first = block->epoch * engine->pipeline.layout.examples +
			 block->next_example;
	int64_t time_ns;
	int64_t copies = 0;

	if (cost->fixed)
		return cost->constant_ns;
	time_ns =
		cost_ns(cost, cost->stream, number, block->place.content_bytes);
	if (cost->repeat_cost_ns == 0)
		return time_ns;
	for (uint32_t i = 0; charges_ahead(engine) && i < block->left; i++)
		copies += echo_copies(engine, loader, false, first + i) - 1;
	return time_ns + copies * cost->repeat_cost_ns +
	       take_debt(loader, STAGE_DECOMPRESS);
}

int64_t cost_any_example_ns(const struct engine *engine, struct loader *loader,
			    enum stage_name name, struct token token)
{
	const struct stage_cost *cost = &engine->costs[name];
	struct random_stream stream = cost->stream;
	const struct example *example = &loader->examples[token.id];
	int64_t time_ns;

	if (token.copy > 0)
		stream = random_substream(stream, token.copy);
	time_ns = cost_ns(cost, stream, example->ordinal,
			  cost->rate_bytes_per_s > 0 ?
				  loader->example_bytes[token.id] :
				  0);
	if (cost->repeat_cost_ns > 0)
		time_ns += repeats_ns(engine, loader, name, example->ordinal);
	return time_ns;
}

static uint64_t batch_bytes(const struct engine *engine,
			    const struct loader *loader,
			    const struct batch *batch)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < engine->pipeline.batch_size; i++)
		bytes += loader->example_bytes[batch->tokens[i].id];
	return bytes;
}

int64_t cost_of_batch_ns(const struct engine *engine,
			 const struct loader *loader,
			 const struct stage_cost *cost,
			 const struct batch *batch)
{
	uint64_t bytes = 0;

	if (cost->fixed)
		return cost->constant_ns;
	if (cost->rate_bytes_per_s > 0)
		bytes = batch_bytes(engine, loader, batch);
	return cost_ns(cost, random_substream(cost->stream, loader->host),
		       batch->number, bytes);
}

int64_t cost_batch_ns(const struct engine *engine, struct loader *loader,
		      const struct batch *batch)
{
	const struct stage_cost *cost = &engine->costs[STAGE_COLLATE];
	int64_t time_ns = cost_of_batch_ns(engine, loader, cost, batch);

	if (cost->repeat_cost_ns > 0)
		time_ns += repeats_ns(engine, loader, STAGE_COLLATE,
				      batch->number);
	return time_ns;
}
