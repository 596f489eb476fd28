/* SPDX-License-Identifier: MIT */
/*
 * What is a repeated example worth? Measured: a small network is really
 * trained on the batches that the engine makes, with its shuffle, its echo and
 * its copies, until its held-out cross entropy reaches a target; what counts
 * is how many fresh examples that took.
 *
 * As in Choi et al. the learning rate is tuned for every condition: a search
 * trains one network per rate of a logarithmic grid on the same stream, and
 * ends when the first of them reaches the target. The networks are looked at
 * whenever they have taken 1.5 % more steps, so all strategies alike, and
 * between two looks the loss is taken to fall evenly. Several searches, each
 * with its own seed for weights, order and augmentation, give mean, min and
 * max.
 */
#ifndef ANALYSIS_LEARN_H
#define ANALYSIS_LEARN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/law/law.h"
#include "analysis/learn/data.h"
#include "sim/pipeline.h"

#define LEARN_RATES 7
#define LEARN_HIDDEN 64 /* units of the network */

/* A strategy and its conditions. */
struct learn_condition {
	enum echo_place place;
	double factor;
	uint32_t batch;
	uint32_t shuffle_examples;
	uint32_t shuffle_batches;
};

/* What one search found. */
struct learn_outcome {
	bool done;	/* not interrupted */
	bool reached;	/* the target, within the most fresh examples allowed */
	double fresh;	/* examples to the target */
	uint64_t steps; /* until the last look, and since that before it */
	uint64_t steps_between_looks;
	uint32_t rate; /* the winner's number in the grid */
	double mean_factor;
	double mean_lag_steps;
	double duplicates; /* in a batch, mean */
};

/* The held-out cross entropy at which training ends. */
double learn_target(enum learn_set set);

/* Learning rate `index` of the grid, which is in proportion to the batch. */
double learn_rate(uint32_t batch, uint32_t index);

/* Trains; `stop` ends it early. 0 or -ENOMEM. May be called by several
 * threads at once. */
int learn_search(const struct learn_data *data,
		 const struct learn_condition *condition, uint64_t seed,
		 const atomic_bool *stop, struct learn_outcome *outcome)
	__attribute__((warn_unused_result));

#endif
