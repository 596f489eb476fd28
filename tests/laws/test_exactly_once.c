/* SPDX-License-Identifier: MIT */
/*
 * Nothing is lost and nothing is made up, whatever the pipeline: a thousand
 * seeded random pipelines are run, and every use of every example is counted
 * from outside, by a watcher.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define PIPELINES 1000
#define SEED 20190712
#define EPOCHS_MAX 3

/* What the watcher counts. */
struct ledger {
	uint64_t examples;
	uint8_t *uses; /* [epoch][example] */
	uint64_t used;
	uint64_t fresh;
	uint64_t batches;
	int64_t last_ns;
};

static void count_batch(void *context, const struct batch_use *use)
{
	struct ledger *ledger = context;

	assert_true(use->at_ns >= ledger->last_ns);
	ledger->last_ns = use->at_ns;
	ledger->batches++;
	for (uint32_t i = 0; i < use->count; i++) {
		const struct use *one = &use->uses[i];
		uint8_t *uses = &ledger->uses[one->epoch * ledger->examples +
					      one->example];

		assert_true(one->epoch < EPOCHS_MAX);
		assert_true(one->example < ledger->examples);
		ledger->fresh += *uses == 0;
		++*uses;
		ledger->used++;
	}
}

/* A random number in [low, high], the next of the pipeline's own stream. */
struct dice {
	struct random_stream stream;
	uint64_t thrown;
};

static uint64_t throw(struct dice * dice, uint64_t low, uint64_t high)
{
	return low + random_below(random_bits(dice->stream, dice->thrown++),
				  high - low + 1);
}

static struct distribution throw_time(struct dice *dice)
{
	struct distribution time = { 0 };

	time.kind = (enum distribution_kind) throw(dice, DISTRIBUTION_CONSTANT,
						   DISTRIBUTION_EXPONENTIAL);
	time.mean = (double) throw(dice, 0, 3) * 1e5;
	time.high = 2 * time.mean;
	return time;
}

static void throw_echo(struct dice *dice, struct echo *echo)
{
	echo->place = (enum echo_place) throw(dice, ECHO_NONE, ECHO_BATCH);
	echo->policy = (enum echo_policy) throw(dice, 0, 1);
	echo->factor = (double) throw(dice, 4, 12) / 4;
	echo->max_factor = (uint32_t) throw(dice, 1, 4);
	echo->repeat_cost_ns = (int64_t) throw(dice, 0, 1) * 50000;
	if (echo->place == ECHO_NONE)
		echo->factor = 1;
	if (echo->place == ECHO_BATCH)
		echo->shuffle_batches = (uint32_t) throw(dice, 1, 4);
}

static void throw_layout(struct dice *dice, struct pipeline *pipeline)
{
	struct distribution size = { .kind = DISTRIBUTION_UNIFORM,
				     .low = 100,
				     .high = 1900 };

	layout_compute(&pipeline->layout, throw(dice, 300, 900), &size, 1.5,
		       throw(dice, 500, 9000), throw(dice, 10, 400),
		       pipeline->seed);
	pipeline->layout.alignment_bytes = (uint32_t) throw(dice, 1, 512);
	pipeline->order = (enum read_order) throw(dice, 0, ORDER_RANDOM);
	pipeline->request_bytes = throw(dice, 1, 20000);
}

/* Half of all loaders are of workers, in which an example echo is fixed. */
static void throw_loading(struct dice *dice, struct pipeline *pipeline)
{
	struct loading *loading = &pipeline->loading;

	*loading = (struct loading){
		.kind = (enum loader_kind) throw(dice, 0, 1),
		.workers = (uint32_t) throw(dice, 0, 4),
		.prefetch_factor = (uint32_t) throw(dice, 1, 3),
		.in_order = throw(dice, 0, 1),
		.reads = (uint32_t) throw(dice, 1, 3),
		.restart = (enum loader_restart) throw(dice, 0, 1),
		.start_ns = (int64_t) throw(dice, 0, 1) * 50000,
		.pin.time_ns = throw_time(dice),
		.handover.time_ns = throw_time(dice),
		.handover.rate_bytes_per_s = throw(dice, 0, 1) * 10000000,
	};
	if (loading->kind == LOADER_STAGES)
		return;
	pipeline->ordered = loading->in_order;
	if (pipeline->echo.place != ECHO_BATCH)
		pipeline->echo.policy = ECHO_FIXED;
}

static struct pipeline throw_pipeline(struct dice *dice)
{
	struct pipeline pipeline = plain_pipeline(100, 1000);

	pipeline.seed = throw(dice, 0, UINT32_MAX);
	throw_layout(dice, &pipeline);
	for (int i = 0; i < STAGE_COUNT; i++) {
		pipeline.stages[i].workers = (uint32_t) throw(dice, 1, 4);
		pipeline.stages[i].time_ns = throw_time(dice);
		pipeline.stages[i].rate_bytes_per_s =
			throw(dice, 0, 2) * 10000000;
	}
	pipeline.ordered = throw(dice, 0, 1);
	pipeline.shuffle_examples = throw(dice, 0, 100);
	pipeline.batch_size = (uint32_t) throw(dice, 1, 20);
	pipeline.prefetch_batches = (uint32_t) throw(dice, 1, 3);
	pipeline.accelerators = (struct accelerators){
		.count = (uint32_t) throw(dice, 1, 3),
		.hosts = (uint32_t) throw(dice, 1, 3),
		.step_ns = throw_time(dice),
		.allreduce_ns = throw_time(dice),
		.sync = (enum step_sync) throw(dice, 0, 1),
	};
	throw_echo(dice, &pipeline.echo);
	throw_loading(dice, &pipeline);
	pipeline.limit.epochs = throw(dice, 1, EPOCHS_MAX);
	pipeline.limit.warmup_steps = 0;
	/* The smallest read-ahead that may not come to a standstill. */
	pipeline.read_ahead_examples = pipeline_read_ahead_min(&pipeline) +
				       throw(dice, 0, 1) * throw(dice, 0, 500);
	return pipeline;
}

static uint64_t uses_max(const struct echo *echo)
{
	if (echo->place == ECHO_NONE)
		return 1;
	return echo->policy == ECHO_FIXED ? (uint64_t)ceil(echo->factor) :
					    echo->max_factor;
}

/* Uses that cannot become a step: a partial batch per host and epoch, and
 * whole ones, owed copies included, where an accelerator went without. */
static uint64_t unused_max(const struct pipeline *pipeline)
{
	const struct accelerators *accelerators = &pipeline->accelerators;
	uint64_t per_host =
		pipeline->limit.epochs +
		uses_max(&pipeline->echo) *
			(2 * accelerators->count +
			 pipeline->prefetch_batches * accelerators->count +
			 pipeline->stages[STAGE_COLLATE].workers +
			 pipeline->echo.shuffle_batches);

	return per_host * accelerators->hosts * pipeline->batch_size;
}

/* The same per accelerator with a loader of its own: a partial batch, copies
 * that its workers owe and what does not divide by accelerators, each epoch;
 * and whole batches in the end. */
static uint64_t crew_unused_max(const struct pipeline *pipeline)
{
	const struct loading *loading = &pipeline->loading;
	uint64_t epoch = pipeline->batch_size + loading->workers + 2;
	uint64_t batches = 2 + loading->workers * loading->prefetch_factor +
			   pipeline->echo.shuffle_batches;

	return uses_max(&pipeline->echo) * (pipeline->limit.epochs * epoch +
					    batches * pipeline->batch_size);
}

/* One loader has all examples, so none waits in vain for another. */
static bool has_one_loader(const struct pipeline *pipeline)
{
	return pipeline->accelerators.hosts == 1 &&
	       pipeline_host_loaders(pipeline) == 1;
}

static void check_ledger(const struct pipeline *pipeline,
			 const struct ledger *ledger)
{
	uint64_t total = pipeline->layout.examples * pipeline->limit.epochs;
	uint64_t most = uses_max(&pipeline->echo);

	for (uint64_t i = 0; i < total; i++)
		assert_true(ledger->uses[i] <= most);
	assert_true(ledger->fresh <= total);
	if (pipeline->echo.policy == ECHO_FIXED && has_one_loader(pipeline))
		assert_true(ledger->used +
				    (pipeline->loading.kind == LOADER_WORKERS ?
					     crew_unused_max(pipeline) :
					     unused_max(pipeline)) >=
			    (uint64_t)pipeline->echo.factor * total);
}

static void check_figures(const struct pipeline *pipeline,
			  const struct ledger *ledger,
			  const struct figures *figures)
{
	uint64_t total = pipeline->layout.examples * pipeline->limit.epochs;

	assert_true(figures->complete);
	assert_true(figures->data_ended);
	assert_int_equal(figures->consumed_examples, ledger->used);
	assert_int_equal(figures->fresh_examples, ledger->fresh);
	assert_int_equal(figures->batches, ledger->batches);
	assert_int_equal(figures->consumed_examples,
			 figures->fresh_examples + figures->duplicates +
				 figures->lag_uses);
	assert_int_equal(figures->busy_ns + figures->idle_ns,
			 figures->accelerator_ns);
	assert_true(figures->busy_ns <= figures->accelerator_ns);
	assert_int_equal(figures->run_read_examples, total);
	assert_int_equal(ledger->fresh + figures->run_dropped_examples +
				 figures->run_left_over_examples,
			 total);
	assert_int_equal(figures->run_under_way_examples, 0);
	assert_true(figures->run_left_over_examples <=
		    figures->run_left_over_batches * pipeline->batch_size);
	assert_true(pipeline->accelerators.sync == SYNC_BARRIER ||
		    figures->run_left_over_batches == 0);
}

static void every_example_is_used_as_often_as_the_strategy_says(void **x)
{
	static struct figures figures;

	(void)x;
	print_message("seed %d\n", SEED);
	for (uint64_t i = 0; i < PIPELINES; i++) {
		struct dice dice = {
			{ random_bits((struct random_stream){ SEED }, i) }, 0
		};
		struct pipeline pipeline = throw_pipeline(&dice);
		struct device_profile device = {
			.bandwidth_bytes_per_s = throw(&dice, 0, 4) * 1000000,
			.iops = throw(&dice, 0, 2) * 1000,
			.latency_ns = throw_time(&dice),
			.max_inflight = (uint32_t) throw(&dice, 0, 3),
		};
		struct ledger ledger = { .examples = pipeline.layout.examples };
		struct watcher watcher = { .context = &ledger,
					   .batch = count_batch };

		ledger.uses = calloc(EPOCHS_MAX, ledger.examples);
		assert_non_null(ledger.uses);
		run_pipeline(&pipeline, &device, &watcher, &figures);
		check_ledger(&pipeline, &ledger);
		check_figures(&pipeline, &ledger, &figures);
		free(ledger.uses);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			every_example_is_used_as_often_as_the_strategy_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
