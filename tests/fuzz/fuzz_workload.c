/* SPDX-License-Identifier: MIT */
/*
 * A workload file from hostile hands. What is refused must say why; what is
 * accepted prints as a text that is a scenario, or is refused as one with a
 * reason, and a scenario runs.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "tests/support/trial.h"
#include "traces/workload_print.h"

#define EVENTS 2000

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void try(const struct scenario *scenario)
{
	struct pipeline pipeline;

	scenario_pipeline(scenario, &scenario->echoes[0], NULL, &pipeline);
	if (pipeline.layout.examples_per_block <= TRIAL_BLOCK_EXAMPLES_MAX)
		trial_run(&pipeline, scenario, EVENTS);
}

static void print_and_read(const struct workload *workload,
			   const struct workload_keys *keys,
			   const struct workload_setting *setting)
{
	static struct scenario scenario;
	struct fault fault = { 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int error;

	CHECK(out);
	workload_print(out, workload, keys, setting);
	CHECK(!fclose(out));
	error = scenario_parse(&scenario, "fuzz", text, size, NULL, 0, &fault);
	CHECK(!error == !fault.text[0]);
	/* It may not run, but it is YAML of known keys. */
	CHECK(!strstr(fault.text, "not YAML"));
	CHECK(!strstr(fault.text, "unknown key"));
	free(text);
	if (!error)
		try(&scenario);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const struct workload_setting alone = { .accelerators = 1, .hosts = 1 };
	const struct workload_setting many = {
		.accelerators = 3,
		.hosts = 2,
		.host_memory_bytes = UINT64_C(1) << 34,
		.by_rule = true,
	};
	struct fault fault = { 0 };
	struct workload_keys keys;
	struct workload workload;
	int error;

	error = workload_parse(&workload, &keys, "fuzz", (const char *)bytes,
			       size, &fault);
	CHECK(!error == !fault.text[0]);
	if (error)
		return 0;
	print_and_read(&workload, &keys, &alone);
	print_and_read(&workload, &keys, &many);
	return 0;
}
