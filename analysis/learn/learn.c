/* SPDX-License-Identifier: MIT */
#include "analysis/learn/learn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learn/mlp.h"
#include "sim/check.h"
#include "sim/engine.h"
#include "sim/math.h"
#include "sim/virtual.h"

#define MOMENTUM 0.9f
#define RATE_FIRST 0.005 /* for batches of RATE_BATCH */
#define RATE_RATIO 2.0
#define RATE_BATCH 32.0
#define LOOK_SHARE 0.015  /* of all steps so far, between two looks */
#define SLICE_EVENTS 2000 /* between looks whether it is over */
#define EXAMPLE_BYTES 1000
#define STEP_NS 1000000

/* Where training ends: the target, and when to give up. */
static const struct goal {
	double loss;
	uint64_t fresh_max;
} goals[LEARN_SET_COUNT] = {
	[LEARN_DIGITS] = { 0.20, 200000 },
	[LEARN_TEACHER] = { 0.40, 60000 },
};

struct search {
	const struct learn_data *data;
	const struct learn_condition *condition;
	const struct goal *goal;
	uint64_t seed;
	struct mlp *mlp;
	struct engine *engine;
	struct learn_outcome *outcome;
	bool over;
	uint64_t steps;	     /* taken */
	uint64_t steps_last; /* at the last look, and what was then */
	uint64_t fresh_last;
	double losses[LEARN_RATES];
};

double learn_target(enum learn_set set)
{
	return goals[set].loss;
}

double learn_rate(uint32_t batch, uint32_t index)
{
	double rate = RATE_FIRST * batch / RATE_BATCH;

	while (index--)
		rate *= RATE_RATIO;
	return rate;
}

/* Between two looks the loss is taken to fall evenly. */
static double crossing(const struct search *search, uint64_t fresh,
		       double before, double now)
{
	double share = (before - search->goal->loss) / (before - now);

	return (double)search->fresh_last +
	       share * (double)(fresh - search->fresh_last);
}

static void look(struct search *search, uint64_t fresh)
{
	struct learn_outcome *outcome = search->outcome;
	double now[LEARN_RATES], at;
	uint32_t i;

	mlp_losses(search->mlp, search->data->held, search->data->labels,
		   search->data->held_count, now);
	for (i = 0; i < LEARN_RATES; i++) {
		if (!(now[i] <= search->goal->loss))
			continue;
		at = crossing(search, fresh, search->losses[i], now[i]);
		if (outcome->reached && outcome->fresh <= at)
			continue;
		outcome->reached = true;
		outcome->fresh = at;
		outcome->rate = i;
	}
	memcpy(search->losses, now, sizeof(now));
	outcome->steps = search->steps;
	outcome->steps_between_looks = search->steps - search->steps_last;
	search->fresh_last = fresh;
	search->steps_last = search->steps;
	search->over = outcome->reached || fresh >= search->goal->fresh_max;
}

/* Each look is the same share later than the one before, but at the least a
 * step: so they lie equally dense in steps and in fresh examples, whatever a
 * strategy makes of them. */
static bool look_is_due(const struct search *search)
{
	return (double)(search->steps - search->steps_last) >=
	       LOOK_SHARE * (double)search->steps_last;
}

/* Copies made before the augmentation have views of their own. */
static bool has_own_view(enum echo_place place)
{
	return place == ECHO_EXAMPLE_BEFORE_DECODE ||
	       place == ECHO_EXAMPLE_BEFORE_AUGMENT;
}

static void take_batch(void *context, const struct batch_use *batch)
{
	struct search *search = context;
	const struct learn_data *data = search->data;
	bool own = has_own_view(search->condition->place);
	float *x = mlp_inputs(search->mlp);
	uint8_t *labels = mlp_labels(search->mlp);
	struct figures figures;
	uint32_t i;

	if (search->over)
		return;
	engine_figures(search->engine, &figures);
	if (look_is_due(search))
		look(search, figures.fresh_examples);
	if (search->over)
		return;
	for (i = 0; i < batch->count; i++)
		labels[i] = (uint8_t)learn_data_view(
			data, search->seed, batch->uses[i].epoch,
			batch->uses[i].example, own ? batch->uses[i].copy : 0,
			x + (size_t)i * data->inputs);
	mlp_step(search->mlp);
	search->steps++;
}

/* Storage and stages cost nothing: only the order of examples matters. */
static void make_pipeline(const struct search *search,
			  struct pipeline *pipeline)
{
	const struct learn_condition *condition = search->condition;
	struct distribution bytes = distribution_constant(EXAMPLE_BYTES);
	int i;

	*pipeline = (struct pipeline){
		.seed = search->seed,
		.order = ORDER_RANDOM,
		.request_bytes = EXAMPLE_BYTES,
		.ordered = true,
		.shuffle_examples = condition->shuffle_examples,
		.batch_size = condition->batch,
		.prefetch_batches = 1,
		.accelerators = { .count = 1,
				  .hosts = 1,
				  .step_ns = distribution_constant(STEP_NS) },
		.echo = { .place = condition->place,
			  .factor = condition->factor,
			  .max_factor = 1,
			  .shuffle_batches = condition->shuffle_batches },
		.limit.duration_ns = INT64_MAX / 4,
	};
	for (i = 0; i < STAGE_COUNT; i++)
		pipeline->stages[i].workers = 1;
	layout_compute(&pipeline->layout, search->data->examples, &bytes, 1,
		       EXAMPLE_BYTES, 1000, search->seed);
	pipeline->read_ahead_examples = pipeline_read_ahead_default(pipeline);
}

/* Runs the engine with the search watching until the search is over. */
static void train(struct search *search, struct tiers *tiers,
		  const atomic_bool *stop)
{
	const struct watcher watcher = { .context = search,
					 .batch = take_batch };
	struct learn_outcome *outcome = search->outcome;
	struct figures figures;
	double repeats;

	engine_watch(search->engine, &watcher);
	while (!search->over && !*stop)
		CHECK(virtual_run(search->engine, tiers, SLICE_EVENTS));
	outcome->done = search->over;
	engine_figures(search->engine, &figures);
	if (!figures.batches || !figures.fresh_examples)
		return;
	repeats = (double)figures.lag_uses;
	outcome->mean_factor = (double)figures.consumed_examples /
			       (double)figures.fresh_examples;
	outcome->duplicates =
		(double)figures.duplicates / (double)figures.batches;
	if (repeats > 0)
		outcome->mean_lag_steps = (double)figures.lag_steps / repeats;
}

static int run(struct search *search, const atomic_bool *stop)
{
	const struct tiers_profile profile = {
		.device.bandwidth_bytes_per_s = UINT64_C(1000000000000000),
	};
	struct pipeline pipeline;
	struct tiers tiers;
	void *engine_memory, *tiers_memory;
	int error = -ENOMEM;

	make_pipeline(search, &pipeline);
	engine_memory = aligned_alloc(64, engine_memory_bytes(&pipeline));
	tiers_memory = aligned_alloc(
		64, tiers_memory_bytes(&profile, &pipeline.layout, 1));
	if (!engine_memory || !tiers_memory)
		goto free_memory;
	search->engine = engine_init(engine_memory, &pipeline);
	tiers_init(&tiers, &profile, &pipeline.layout, 1, pipeline.seed,
		   tiers_memory);
	train(search, &tiers, stop);
	error = 0;
free_memory:
	free(tiers_memory);
	free(engine_memory);
	return error;
}

int learn_search(const struct learn_data *data,
		 const struct learn_condition *condition, uint64_t seed,
		 const atomic_bool *stop, struct learn_outcome *outcome)
{
	const struct mlp_shape shape = { .inputs = data->inputs,
					 .hidden = LEARN_HIDDEN,
					 .classes = data->classes,
					 .batch = condition->batch,
					 .networks = LEARN_RATES,
					 .momentum = MOMENTUM };
	struct search search = { .data = data,
				 .condition = condition,
				 .goal = &goals[data->set],
				 .seed = seed,
				 .outcome = outcome };
	float rates[LEARN_RATES];
	uint32_t i;
	int error;

	*outcome = (struct learn_outcome){ 0 };
	for (i = 0; i < LEARN_RATES; i++)
		rates[i] = (float)learn_rate(condition->batch, i);
	search.mlp = mlp_open(&shape, rates, seed);
	if (!search.mlp)
		return -ENOMEM;
	error = run(&search, stop);
	mlp_close(search.mlp);
	return error;
}
