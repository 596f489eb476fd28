/* SPDX-License-Identifier: MIT */
/*
 * A sampler: which examples of an epoch one of several ranks gets, and in
 * which order, as torch's DistributedSampler has it. The epoch's order is the
 * same for all ranks; rank r gets what stands at r, r + R, r + 2 R, ... in it.
 * Where examples do not divide by ranks, the order either goes on from its
 * head, so that some examples are given twice, or ends early.
 *
 * It is made lazily from a permutation of whatever is shuffled: examples,
 * blocks or shards, whose examples stay in storage order.
 */
#ifndef SIM_SAMPLER_H
#define SIM_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/permutation.h"
#include "sim/pipeline.h"

struct sampler {
	const struct layout *layout; /* borrowed */
	enum read_order order;
	uint64_t units; /* examples, blocks or shards */
	uint32_t rank;
	uint32_t ranks;
	uint64_t given;
	uint64_t count; /* of the rank, in an epoch */
	struct permutation permutation;
	/* The shard or block that was looked at last: how-many-th, its first
	 * example, and where it stands in the epoch's order. */
	uint64_t unit;
	uint64_t first_example;
	uint64_t start;
	uint64_t end;
};

/* Examples that a rank gets in an epoch; the same for all ranks. */
uint64_t sampler_count(uint64_t examples, uint32_t ranks, bool pads);

/* At the beginning of an epoch, which `stream` is of. */
void sampler_begin(struct sampler *sampler, const struct pipeline *pipeline,
		   uint32_t rank, struct random_stream stream);

/* The rank's next example; there must be one: given < count. */
uint64_t sampler_next(struct sampler *sampler);

#endif
