/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/metric.h"
#include "analysis/part.h"

#define SECOND INT64_C(1000000000)
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Histograms make it too large for a stack. */
static struct result result;

/* Ten seconds of two accelerators that worked a quarter of the time. */
static int setup(void **state)
{
	struct figures *figures = &result.figures;

	(void)state;
	memset(&result, 0, sizeof(result));
	result.echo = (struct echo){ .place = ECHO_BATCH, .factor = 2 };
	*figures = (struct figures){
		.complete = true,
		.steps = 50,
		.elapsed_ns = 10 * SECOND,
		.accelerators = 2,
		.accelerator_ns = 20 * SECOND,
		.busy_ns = 5 * SECOND,
		.idle_ns = 15 * SECOND,
		.steady_busy_ns = 4 * SECOND,
		.steady_elapsed_ns = 4 * SECOND,
		.consumed_examples = 6400,
		.fresh_examples = 3200,
		.batches = 100,
		.duplicates = 250,
		.lag_uses = 40,
		.lag_steps = 100,
		.run_epochs = 3,
		.run_dropped_examples = 7,
		.run_left_over_examples = 64,
		.run_left_over_batches = 2,
		.run_under_way_examples = 41,
	};
	figures->storage = (struct storage_figures){
		.requests = 400,
		.bytes = 40000000,
		.example_bytes = 32000000,
	};
	figures->stages[STAGE_READ] = (struct stage_figures){
		.workers = 4,
		.items = 400,
		.busy_mean = 3,
		.waiting_mean = 1.5,
	};
	return 0;
}

static void expect(const char *name, double wanted)
{
	const struct metric *metric = metric_find(name);
	struct metric_value value;
	double found;

	assert_non_null(metric);
	value = metric->get(&result);
	assert_true(value.known);
	found = metric->kind == METRIC_COUNT ? (double)value.count : value.real;
	assert_true(found >= wanted * (1 - 1e-12));
	assert_true(found <= wanted * (1 + 1e-12));
}

static void ratios_are_those_of_their_definitions(void **state)
{
	static const struct {
		const char *name;
		double value;
	} rows[] = {
		{ "steps", 50 },
		{ "epochs", 3 },
		{ "elapsed_s", 10 },
		{ "au", 0.25 },
		{ "au_steady", 0.5 },
		{ "idle_fraction", 0.75 },
		{ "steps_per_s", 5 },
		{ "examples_per_s", 640 },
		{ "fresh_examples_per_s", 320 },
		{ "fresh_examples", 3200 },
		{ "consumed_examples", 6400 },
		{ "dropped_examples", 7 },
		{ "left_over_examples", 64 },
		{ "left_over_batches", 2 },
		{ "under_way_examples", 41 },
		{ "mean_factor", 2 },
		{ "duplicates_in_batch", 2.5 },
		{ "mean_lag_steps", 2.5 },
		{ "storage.bytes", 40000000 },
		{ "storage.bytes_per_s", 4000000 },
		{ "storage.requests", 400 },
		{ "storage.requests_per_s", 40 },
		{ "storage.read_amplification", 1.25 },
		{ "storage.queue_depth_mean", 3 },
		{ "strategy.factor", 2 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		expect(rows[i].name, rows[i].value);
}

/* Three workers, of whom two are busy and half a one is held, on average. */
static void a_loader_of_stages_has_no_workers_metrics(void **state)
{
	static const struct {
		const char *name;
		double value;
	} rows[] = {
		{ "loader.workers", 3 },
		{ "loader.busy_fraction", 2.0 / 3 },
		{ "loader.held_fraction", 0.5 / 3 },
		{ "loader.blocked_fraction", 0.25 / 3 },
		{ "loader.dispatched_batches_mean", 5.5 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		assert_false(metric_find(rows[i].name)->get(&result).known);
	result.figures.crew = (struct crew_figures){ 3, 2, 0.5, 0.25, 5.5 };
	for (i = 0; i < COUNT_OF(rows); i++)
		expect(rows[i].name, rows[i].value);
	result.figures.crew = (struct crew_figures){ 0 };
}

static void a_stage_is_as_utilised_as_its_workers_are_busy(void **state)
{
	const struct part *stages = part_find("stages");
	struct metric_value value;
	size_t i;

	(void)state;
	for (i = 0; i < stages->metric_count; i++) {
		value = stages->metrics[i].get(&result, STAGE_READ);
		assert_true(value.known);
		switch (stages->metrics[i].name[0]) {
		case 'w':
			assert_int_equal(value.count, 4);
			break;
		case 'u':
			assert_true(value.real == 0.75);
			break;
		case 'i':
			assert_true(value.real == 40);
			break;
		default:
			assert_true(value.real == 1.5);
		}
	}
}

static void an_epoch_read_from_the_cache_costs_the_device_nothing(void **state)
{
	const struct part *epochs = part_find("storage.epochs");
	struct result cached = result;

	(void)state;
	cached.figures.run_epochs = 2;
	cached.figures.epochs[0] = (struct epoch_figures){ 1000, 0 };
	cached.figures.epochs[1] = (struct epoch_figures){ 1000, 750 };
	assert_int_equal(epochs->count(&cached), 2);
	assert_int_equal(epochs->metrics[0].get(&cached, 1).count, 1000);
	assert_int_equal(epochs->metrics[1].get(&cached, 1).count, 250);
	/* Without a cache there is no hit rate; it is not zero. */
	assert_false(epochs->metrics[2].get(&cached, 1).known);
	cached.has_cache = true;
	assert_true(epochs->metrics[2].get(&cached, 0).real == 0);
	assert_true(epochs->metrics[2].get(&cached, 1).real == 0.75);
}

static void a_run_of_nothing_has_no_ratios(void **state)
{
	static const char *const names[] = {
		"au",
		"au_steady",
		"idle_fraction",
		"steps_per_s",
		"examples_per_s",
		"mean_factor",
		"duplicates_in_batch",
		"mean_lag_steps",
		"storage.read_amplification",
		"storage.latency_s.p50",
		"storage.latency_s.max",
		"throttle.late_fraction",
		"throttle.lateness_s.p99",
	};
	size_t i;

	(void)state;
	memset(&result.figures, 0, sizeof(result.figures));
	for (i = 0; i < COUNT_OF(names); i++)
		assert_false(metric_get(names[i], &result).known);
	assert_string_equal(metric_get("gain_source", &result).text, "none");
}

static void what_wants_a_law_or_other_runs_is_not_made_up(void **state)
{
	static const char *const names[] = {
		"useful_au",
		"gain",
		"gain_min",
		"gain_max",
		"efficiency",
		"speedup",
		"time_to_target_s",
		"stalls.fetch",
		"stalls.prep",
		"stalls.other",
		"bottleneck.resource",
		"bottleneck.gain_per_10pct",
		"bottleneck.next",
		"storage.cache_hit_rate",
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(names); i++)
		assert_false(metric_get(names[i], &result).known);
}

static void latency_is_in_seconds(void **state)
{
	struct metric_value value;
	int i;

	(void)state;
	for (i = 0; i < 99; i++)
		histogram_add(&result.figures.storage.latency_ns, 8000000);
	histogram_add(&result.figures.storage.latency_ns, 2 * SECOND);
	/* A cell of the histogram is 1/64 of its value wide. */
	value = metric_get("storage.latency_s.p50", &result);
	assert_true(value.real > 0.008 * (1 - 1.0 / 64));
	assert_true(value.real < 0.008 * (1 + 1.0 / 64));
	expect("storage.latency_s.max", 2);
}

static void
the_factor_of_no_echo_is_one_and_of_a_starved_one_its_most(void **state)
{
	(void)state;
	result.echo = (struct echo){ .place = ECHO_NONE, .factor = 3 };
	expect("strategy.factor", 1);
	result.echo = (struct echo){ .place = ECHO_BATCH,
				     .policy = ECHO_WHEN_STARVED,
				     .factor = 1,
				     .max_factor = 4 };
	expect("strategy.factor", 4);
}

static void the_verdict_is_native_held_or_not_held(void **state)
{
	(void)state;
	result.live = true;
	result.throttle.completions = 100;
	result.throttle.elapsed_ns = 1000 * SECOND;
	result.throttle.disturbed_ns = 10 * SECOND;
	assert_string_equal(metric_get("throttle.verdict", &result).text,
			    "held");
	result.throttle.disturbed_ns++;
	assert_string_equal(metric_get("throttle.verdict", &result).text,
			    "not held");
	result.throttle.disturbed_ns = 20 * SECOND;
	expect("throttle.disturbed_fraction", 0.02);
	result.throttle.late = 10;
	while (result.throttle.lateness_ns.count < 10)
		histogram_add(&result.throttle.lateness_ns, SECOND);
	expect("throttle.late_fraction", 0.1);
	expect("throttle.lateness_s.max", 1);
	result.throttle.overtaken_ns = SECOND / 2;
	expect("throttle.overtaken_s", 0.5);
	result.throttle.native = true;
	assert_string_equal(metric_get("throttle.verdict", &result).text,
			    "native, paused");
	result.throttle.disturbed_ns = 0;
	assert_string_equal(metric_get("throttle.verdict", &result).text,
			    "native");
}

static void names_are_unique_and_explained(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < metric_count; i++) {
		assert_ptr_equal(metric_find(metric_table[i].name),
				 &metric_table[i]);
		assert_true(strlen(metric_table[i].help) > 5);
		assert_non_null(metric_table[i].get);
	}
}

static void a_misspelt_name_finds_its_metric(void **state)
{
	(void)state;
	assert_string_equal(metric_nearest("idle_fracton"), "idle_fraction");
	assert_null(metric_nearest("rhinoceros"));
	assert_null(metric_find("idle_fracton"));
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup(test, setup)
	const struct CMUnitTest tests[] = {
		TEST(ratios_are_those_of_their_definitions),
		TEST(a_loader_of_stages_has_no_workers_metrics),
		TEST(a_stage_is_as_utilised_as_its_workers_are_busy),
		TEST(an_epoch_read_from_the_cache_costs_the_device_nothing),
		TEST(a_run_of_nothing_has_no_ratios),
		TEST(what_wants_a_law_or_other_runs_is_not_made_up),
		TEST(latency_is_in_seconds),
		TEST(the_factor_of_no_echo_is_one_and_of_a_starved_one_its_most),
		TEST(the_verdict_is_native_held_or_not_held),
		TEST(names_are_unique_and_explained),
		TEST(a_misspelt_name_finds_its_metric),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
