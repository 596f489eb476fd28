/* SPDX-License-Identifier: MIT */
/*
 * The whole way round: a simulated run is watched, its events are fitted, and
 * the scenario that was fitted, run by itself, must give the accelerator
 * utilisation of the original within two points.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/fit.h"
#include "sim/watch.h"
#include "tests/support/close.h"
#include "tests/support/runs.h"
#include "traces/scenario.h"

static void take(void *context, const struct trace_event *event)
{
	trace_fit_add(context, event);
}

static struct scenario scenario;

static double au_of(const char *text, size_t size, struct trace_fit *fit)
{
	const struct watcher watcher = { .context = fit, .event = take };
	struct fault fault = { 0 };
	struct tiers_profile tiers;
	struct pipeline pipeline;
	static struct figures figures;

	if (scenario_parse(&scenario, "s.yaml", text, size, NULL, 0, &fault))
		fail_msg("%d: %s\n%s", fault.line, fault.text, text);
	scenario_tiers(&scenario, &tiers);
	scenario_pipeline(&scenario, &scenario.echoes[0], NULL, &pipeline);
	run_tiers(&pipeline, &tiers, fit ? &watcher : NULL, &figures);
	return 1 - idle_fraction(&figures);
}

#define REST                                                                   \
	"pipeline:\n"                                                          \
	"  decode: {workers: 4, time: {dist: lognormal, mean: 3 ms, stdev: 1 " \
	"ms}}\n"                                                               \
	"  augment: {workers: 4, time: 1 ms}\n"                                \
	"  batch_size: 32\n"                                                   \
	"  read_ahead_examples: 4000\n"                                        \
	"run: {steps: 400, warmup_steps: 20}\n"

#define DATASET                                                                \
	"dataset: {examples: 200000, example_bytes: {dist: lognormal, mean: "  \
	"110 kB, stdev: 40 kB}, block_bytes: 110 kB, shard_examples: 500}\n"

static void the_fitted_scenario_idles_as_the_original(void **state)
{
	static const char *const originals[] = {
		/* Storage holds it up. */
		DATASET "storage: {device: aws-ebs-gp3, queue_depth: 16, "
			"request_bytes: 1 GiB, order: shuffled-blocks}\n"
			"accelerator: {step_time: 20 ms}\n" REST,
		DATASET "storage: {device: aws-s3-standard, queue_depth: 16, "
			"request_bytes: 1 GiB, order: shuffled-blocks}\n"
			"accelerator: {step_time: 60 ms, count: 2}\n" REST,
		DATASET "storage: {device: hdd-7200rpm, queue_depth: 4, "
			"request_bytes: 1 GiB, order: shuffled-blocks}\n"
			"accelerator: {step_time: 100 ms}\n" REST,
		/* Blocks of ten examples, and nothing but storage. */
		"dataset: {examples: 200000, example_bytes: 640 kB, "
		"block_bytes: 6400 kB, shard_examples: 1000}\n"
		"storage: {device: {bandwidth: 100 MB/s}, queue_depth: 1, "
		"order: sequential}\n"
		"pipeline: {batch_size: 32}\n"
		"accelerator: {step_time: 150 ms}\n"
		"run: {steps: 400, warmup_steps: 20}\n",
		/* The CPU does. */
		DATASET "storage: {device: nvme-pcie4, queue_depth: 8, "
			"request_bytes: 1 GiB, order: shuffled-blocks}\n"
			"accelerator: {step_time: 15 ms}\n" REST,
		/* Nothing does. */
		DATASET "storage: {device: nvme-pcie4, queue_depth: 8, "
			"request_bytes: 1 GiB, order: shuffled-blocks}\n"
			"accelerator: {step_time: {dist: normal, mean: 40 ms, "
			"stdev: 4 ms}}\n" REST,
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(originals) / sizeof(originals[0]); i++) {
		struct trace_fit *fit = trace_fit_open(NULL);
		struct trace_model model;
		char *text = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);
		double original, fitted;

		original = au_of(originals[i], strlen(originals[i]), fit);
		assert_int_equal(trace_fit_finish(fit, &model), 0);
		trace_fit_print(out, &model, "a \"trace\"");
		fclose(out);
		fitted = au_of(text, size, NULL);
		print_message("# %zu: AU %.4f, fitted %.4f\n", i, original,
			      fitted);
		if (getenv("SHOW"))
			fputs(text, stdout);
		assert_close(fitted, original, 0.02);
		free(text);
		trace_fit_close(fit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fitted_scenario_idles_as_the_original),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
