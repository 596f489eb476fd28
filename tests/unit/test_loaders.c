/* SPDX-License-Identifier: MIT */
/* The catalogue of loaders, preset by preset, and a loader by its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sim/engine.h"
#include "tests/support/close.h"
#include "tests/support/mistake.h"
#include "tests/support/runs.h"
#include "traces/field.h"
#include "traces/loader.h"
#include "traces/loader_preset.h"
#include "traces/loaders.h"

static struct scenario scenario;

static void parse(const char *text, const char *const *overrides,
		  uint32_t count)
{
	struct fault fault = { 0 };

	if (scenario_parse(&scenario, "a.yaml", text, strlen(text), overrides,
			   count, &fault))
		fail_msg("%s", fault.text);
}

static bool has(const bool rows[SCENARIO_FIELDS_MAX], const char *key)
{
	return rows[field_find(key) - field_table];
}

static void every_loader_says_where_it_comes_from(void **state)
{
	struct loader_facts facts;
	struct fault fault = { 0 };
	size_t i;

	(void)state;
	assert_true(loaders.count >= 2);
	for (i = 0; i < loaders.count; i++) {
		scenario_init(&scenario);
		if (loader_preset_read(&loaders.files[i], &scenario, &facts,
				       &fault))
			fail_msg("%s: %s", loaders.files[i].name, fault.text);
		if (!facts.description[0] || !facts.source[0] ||
		    !facts.differs[0])
			fail_msg("%s lacks a description, a source or what it "
				 "leaves out",
				 loaders.files[i].name);
		/* A year, at least. */
		assert_memory_equal(facts.as_of, "20", 2);
	}
}

#define STEP_S 0.012
#define WORK_S 0.080 /* of a batch */

/* 8 examples of 10 ms a batch, one worker: whoever carries them, a batch comes
 * every 80 ms. */
static void every_loader_of_one_worker_does_one_batch_at_a_time(void **state)
{
	char like[SCENARIO_TEXT_MAX];
	const char *overrides[] = { like };
	struct tiers_profile tiers;
	struct pipeline pipeline;
	struct figures figures;
	size_t i;

	(void)state;
	for (i = 0; i < loaders.count; i++) {
		snprintf(like, sizeof(like), "pipeline.loader.like=%s",
			 loaders.files[i].name);
		parse("dataset: {examples: 100000, example_bytes: 1 kB}\n"
		      "storage: {device: {bandwidth: 1 TB/s}}\n"
		      "pipeline: {batch_size: 8, decode: {time: 10 ms}}\n"
		      "accelerator: {step_time: 12 ms}\n"
		      "run: {steps: 200, warmup_steps: 10}\n",
		      overrides, 1);
		scenario_pipeline(&scenario, &scenario.echoes[0], NULL,
				  &pipeline);
		scenario_tiers(&scenario, &tiers);
		run_tiers(&pipeline, &tiers, NULL, &figures);
		assert_close(1 - idle_fraction(&figures), STEP_S / WORK_S,
			     1e-3);
	}
}

/* 200 batches of 8 on 8 threads, where one example in 16 takes 160 ms and the
 * others 10: the last one is handed over when another program found it to be,
 * and a step follows. */
static void
loaders_of_stages_wait_for_slow_examples_each_its_own_way(void **state)
{
	static const struct {
		const char *name;
		uint32_t prefetch_batches;
		double end_s;
	} cases[] = {
		{ "tf-data", 1, 3.9720 + STEP_S },
		{ "dali", 1, 17.0020 + STEP_S },
		{ "ffcv", 3, 17.0020 + STEP_S },
	};
	char like[SCENARIO_TEXT_MAX], prefetch[SCENARIO_TEXT_MAX];
	const char *overrides[] = { like, prefetch };
	struct tiers_profile tiers;
	struct pipeline pipeline;
	struct figures figures;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(like, sizeof(like), "pipeline.loader.like=%s",
			 cases[i].name);
		snprintf(prefetch, sizeof(prefetch),
			 "pipeline.prefetch_batches=%u",
			 cases[i].prefetch_batches);
		parse("dataset: {examples: 1600, example_bytes: 1 kB}\n"
		      "storage: {order: sequential, device: {bandwidth: 1 "
		      "TB/s}}\n"
		      "pipeline: {batch_size: 8, decode: {workers: 8, time: "
		      "{dist: cycle, values: [160 ms, 10 ms, 10 ms, 10 ms, 10 "
		      "ms, 10 ms, 10 ms, 10 ms, 10 ms, 10 ms, 10 ms, 10 ms, 10 "
		      "ms, 10 ms, 10 ms, 10 ms]}}}\n"
		      "accelerator: {step_time: 12 ms}\n"
		      "run: {epochs: 1, warmup_steps: 0}\n",
		      overrides, 2);
		scenario_pipeline(&scenario, &scenario.echoes[0], NULL,
				  &pipeline);
		scenario_tiers(&scenario, &tiers);
		run_tiers(&pipeline, &tiers, NULL, &figures);
		assert_close(seconds_of(figures.elapsed_ns), cases[i].end_s,
			     1e-4);
	}
}

static void what_differs_stands_beside_the_name(void **state)
{
	(void)state;
	/* Wherever the name stands. */
	parse(MISTAKE_LEAST "pipeline: {loader: {workers: 8, restart: run, "
			    "like: pytorch}}\n",
	      NULL, 0);
	assert_string_equal(scenario.loader_like, "pytorch");
	assert_int_equal(scenario.loading.kind, LOADER_WORKERS);
	assert_int_equal(scenario.loading.workers, 8);
	assert_int_equal(scenario.loading.restart, RESTART_RUN);
	assert_true(scenario.loading.in_order);
	assert_true(has(scenario.given, "pipeline.loader.workers"));
	assert_false(has(scenario.given, "pipeline.loader.kind"));
	/* Nothing differs; what it is like is not its name. */
	parse(MISTAKE_LEAST "pipeline: {loader: pytorch-unordered}\n", NULL, 0);
	assert_string_equal(scenario.loader_like, "pytorch-unordered");
	assert_false(scenario.loading.in_order);
	assert_int_equal(scenario.loading.restart, RESTART_EPOCH);
}

static void another_loader_leaves_what_it_does_not_name(void **state)
{
	static const char *const overrides[] = {
		"pipeline.loader.like=pytorch"
	};

	(void)state;
	parse(MISTAKE_LEAST "pipeline: {loader: {like: pytorch-unordered, "
			    "workers: 8, prefetch_factor: 4}}\n",
	      overrides, 1);
	assert_string_equal(scenario.loader_like, "pytorch");
	assert_true(scenario.loading.in_order);
	assert_int_equal(scenario.loading.workers, 8);
	assert_int_equal(scenario.loading.prefetch_factor, 4);
}

static void keys_of_stages_are_left_out_and_said(void **state)
{
	static const char *const overrides[] = { "pipeline.loader.like=pytorch",
						 "pipeline.loader.workers=2" };
	char said[LOADER_SAID_MAX];

	(void)state;
	parse(MISTAKE_LEAST "pipeline: {decode: {workers: 8, time: 1 ms}, "
			    "prefetch_batches: 4}\n",
	      overrides, 2);
	assert_true(has(scenario.left_out, "pipeline.decode.workers"));
	assert_true(has(scenario.left_out, "pipeline.prefetch_batches"));
	assert_false(has(scenario.left_out, "pipeline.decode.time"));
	assert_int_equal(scenario.stages[STAGE_DECODE].workers, 1);
	assert_int_equal(scenario.prefetch_batches, 2);
	assert_string_equal(
		loader_say_left_out(&scenario, said, sizeof(said)),
		"pipeline.decode.workers, pipeline.prefetch_batches: left out, "
		"without effect in the loader pytorch, of "
		"pipeline.loader.kind workers");
	assert_false(loader_assumes_workers(&scenario));
	parse(MISTAKE_LEAST, overrides, 1);
	assert_true(loader_assumes_workers(&scenario));
	parse(MISTAKE_LEAST, overrides, 2);
	assert_string_equal(loader_say_left_out(&scenario, said, sizeof(said)),
			    "");
}

static void mistakes_are_said(void **state)
{
	static const struct mistake files[] = {
		{ MISTAKE_LEAST "pipeline: {loader: pytorhc}\n", 4,
		  "pipeline.loader: unknown loader \"pytorhc\"; did you mean "
		  "pytorch?" },
		{ MISTAKE_LEAST "pipeline:\n  loader:\n    like: torch\n", 6,
		  "pipeline.loader.like: unknown loader \"torch\"; did you "
		  "mean pytorch or pytorch-unordered?" },
		{ MISTAKE_LEAST "pipeline: {loader: {like: qqq}}\n", 4,
		  "pipeline.loader.like: unknown loader \"qqq\"; expected a "
		  "name of `echosim list loaders`" },
		{ MISTAKE_LEAST "pipeline: {loader: [pytorch]}\n", 4,
		  "pipeline.loader: found a list; expected a map of keys and "
		  "values" },
		/* One file that says both means neither. */
		{ MISTAKE_LEAST "pipeline: {decode: {workers: 8}, loader: "
				"pytorch}\n",
		  0,
		  "pipeline.decode.workers: has no effect with "
		  "pipeline.loader.kind workers; expected "
		  "pipeline.loader.workers, who carry whole batches" },
	};

	(void)state;
	MISTAKE_FILES(files);
}

/* Words of PyTorch, tf.data and others: one step from each to a scenario that
 * works. */
static void words_of_a_training_script_are_answered(void **state)
{
	static const struct mistake files[] = {
		{ MISTAKE_LEAST "pipeline: {num_workers: 8}\n", 4,
		  "unknown key \"num_workers\" in pipeline; did you mean "
		  "\"loader.workers\"?" },
		{ MISTAKE_LEAST "pipeline: {loader: {num_workers: 8}}\n", 4,
		  "unknown key \"num_workers\" in pipeline.loader; did you "
		  "mean \"workers\"?" },
		{ MISTAKE_LEAST "pipeline: {prefetch_factor: 2}\n", 4,
		  "unknown key \"prefetch_factor\" in pipeline; did you mean "
		  "\"loader.prefetch_factor\"?" },
		{ MISTAKE_LEAST "pipeline: {loader: {like: pytorch, "
				"persistent_workers: true}}\n",
		  4,
		  "unknown key \"persistent_workers\" in pipeline.loader; did "
		  "you mean \"restart\"?" },
		{ MISTAKE_LEAST "pipeline: {loader: {pin_memory: true}}\n", 4,
		  "unknown key \"pin_memory\" in pipeline.loader; did you "
		  "mean \"pin.time\"?" },
		{ MISTAKE_LEAST "pipeline: {loader: {drop_last: true}}\n", 4,
		  "unknown key \"drop_last\" in pipeline.loader; did you "
		  "mean \"pad\"?" },
		{ MISTAKE_LEAST "pipeline: {num_parallel_calls: 8}\n", 4,
		  "unknown key \"num_parallel_calls\" in pipeline; did you "
		  "mean \"decode.workers\"?" },
		{ MISTAKE_LEAST "pipeline: {cycle_length: 8}\n", 4,
		  "unknown key \"cycle_length\" in pipeline; did you mean "
		  "\"storage.queue_depth\"?" },
		{ MISTAKE_LEAST "pipeline: {predownload: 64}\n", 4,
		  "unknown key \"predownload\" in pipeline; did you mean "
		  "\"read_ahead_examples\"?" },
		{ MISTAKE_LEAST "pipeline: {shuffle buffer: 1000}\n", 4,
		  "unknown key \"shuffle buffer\" in pipeline; did you mean "
		  "\"shuffle_examples\"?" },
	};

	(void)state;
	MISTAKE_FILES(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_loader_says_where_it_comes_from),
		cmocka_unit_test(
			every_loader_of_one_worker_does_one_batch_at_a_time),
		cmocka_unit_test(
			loaders_of_stages_wait_for_slow_examples_each_its_own_way),
		cmocka_unit_test(what_differs_stands_beside_the_name),
		cmocka_unit_test(another_loader_leaves_what_it_does_not_name),
		cmocka_unit_test(keys_of_stages_are_left_out_and_said),
		cmocka_unit_test(mistakes_are_said),
		cmocka_unit_test(words_of_a_training_script_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
