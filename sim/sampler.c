/* SPDX-License-Identifier: MIT */
#include "sim/sampler.h"

#include "sim/check.h"

uint64_t sampler_count(uint64_t examples, uint32_t ranks, bool pads)
{
	return examples / ranks + (pads && examples % ranks > 0);
}

/* What the epoch's order is a permutation of. */
static uint64_t order_units(const struct pipeline *pipeline)
{
	switch (pipeline->order) {
	case ORDER_SHUFFLED_SHARDS:
		return pipeline->layout.shards;
	case ORDER_SHUFFLED_BLOCKS:
		return pipeline->layout.blocks;
	default:
		return pipeline->layout.examples;
	}
}

void sampler_begin(struct sampler *sampler, const struct pipeline *pipeline,
		   uint32_t rank, struct random_stream stream)
{
	const struct accelerators *accelerators = &pipeline->accelerators;
	uint32_t ranks = accelerators->count * accelerators->hosts;

	*sampler = (struct sampler){
		.layout = &pipeline->layout,
		.order = pipeline->order,
		.units = order_units(pipeline),
		.rank = rank,
		.ranks = ranks,
		.count = sampler_count(pipeline->layout.examples, ranks,
				       pipeline->loading.pads),
	};
	sampler->permutation = permutation_make(sampler->units, stream);
}

static uint64_t first_example(const struct sampler *sampler, uint64_t unit)
{
	const struct layout *layout = sampler->layout;

	if (unit == sampler->units)
		return layout->examples;
	if (sampler->order == ORDER_SHUFFLED_SHARDS)
		unit = layout_shard_start(layout, unit);
	return layout_first_example(layout, unit);
}

static void enter_unit(struct sampler *sampler, uint64_t number)
{
	uint64_t unit = permutation_at(&sampler->permutation, number);

	sampler->unit = number;
	sampler->first_example = first_example(sampler, unit);
	sampler->start = sampler->end;
	sampler->end +=
		first_example(sampler, unit + 1) - sampler->first_example;
}

/* The example at a place of an order of shards or blocks: of the last one that
 * was looked at, or of one behind it. */
static uint64_t walk_to(struct sampler *sampler, uint64_t place)
{
	if (place < sampler->start) { /* the head once more */
		sampler->end = 0;
		enter_unit(sampler, 0);
	} else if (sampler->end == 0) {
		enter_unit(sampler, 0);
	}
	while (place >= sampler->end)
		enter_unit(sampler, sampler->unit + 1);
	return sampler->first_example + (place - sampler->start);
}

uint64_t sampler_next(struct sampler *sampler)
{
	uint64_t examples = sampler->layout->examples;
	uint64_t place = sampler->given++ * sampler->ranks + sampler->rank;

	CHECK(sampler->given <= sampler->count);
	if (place >= examples)
		place %= examples;
	if (sampler->order == ORDER_SEQUENTIAL)
		return place;
	if (sampler->units == examples)
		return permutation_at(&sampler->permutation, place);
	return walk_to(sampler, place);
}
