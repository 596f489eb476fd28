/* SPDX-License-Identifier: MIT */
/*
 * A scenario file and overrides from hostile hands: zero bytes part the text
 * of the file from those of --set. What is refused must say why; what is
 * accepted must be printable and must run, for nothing behind
 * scenario_check() is ready for a person's mistake.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/virtual.h"
#include "traces/field.h"
#include "traces/scenario.h"

#define OVERRIDES_MAX 4
#define RUN_EVENTS 2000
/* Beyond these a run is right but too slow to try. */
#define RUN_MEMORY_MAX (1u << 22)
#define RUN_BLOCK_EXAMPLES_MAX 1000

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void print_fields(const struct scenario *scenario)
{
	char text[SCENARIO_TEXT_MAX];
	size_t i;

	for (i = 0; i < field_count; i++) {
		const struct field *field = &field_table[i];
		const void *base = scenario;

		if (field_listed_in(field, "echo"))
			base = &scenario->echoes[scenario->echo_count - 1];
		else if (field_is_listed(field))
			base = &scenario->storage.profile.buckets[0];
		field_print(field, base, text, sizeof(text));
	}
}

static void run(const struct pipeline *pipeline,
		const struct scenario *scenario)
{
	uint32_t hosts = pipeline->accelerators.hosts;
	size_t engine_bytes = engine_memory_bytes(pipeline);
	struct tiers_profile profile;
	size_t tiers_bytes;
	struct tiers tiers;
	void *engine_memory, *tiers_memory;

	scenario_tiers(scenario, &profile);
	tiers_bytes = tiers_memory_bytes(&profile, &pipeline->layout, hosts);
	if (engine_bytes > RUN_MEMORY_MAX || tiers_bytes > RUN_MEMORY_MAX)
		return;
	engine_memory = aligned_alloc(64, engine_bytes);
	tiers_memory = aligned_alloc(64, tiers_bytes);
	CHECK(engine_memory);
	CHECK(tiers_memory);
	tiers_init(&tiers, &profile, &pipeline->layout, hosts, scenario->seed,
		   tiers_memory);
	virtual_run(engine_init(engine_memory, pipeline), &tiers, RUN_EVENTS);
	free(tiers_memory);
	free(engine_memory);
}

static void use(const struct scenario *scenario)
{
	struct pipeline pipeline;
	uint32_t i;

	print_fields(scenario);
	if (!scenario_has_layout(scenario))
		return;
	for (i = 0; i < scenario->echo_count; i++) {
		scenario_pipeline(scenario, &scenario->echoes[i], NULL,
				  &pipeline);
		if (pipeline.layout.examples_per_block <=
		    RUN_BLOCK_EXAMPLES_MAX)
			run(&pipeline, scenario);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct scenario scenario;
	const char *overrides[OVERRIDES_MAX];
	struct fault fault = { 0 };
	char *copy = malloc(size + 1);
	uint32_t count = 0;
	size_t length, at;
	int error;

	CHECK(copy);
	if (size)
		memcpy(copy, bytes, size);
	copy[size] = '\0';
	length = strlen(copy);
	for (at = length + 1; at < size && count < OVERRIDES_MAX;
	     at += strlen(copy + at) + 1)
		overrides[count++] = copy + at;
	error = scenario_parse(&scenario, "fuzz", copy, length, overrides,
			       count, &fault);
	CHECK(!error == !fault.text[0]);
	if (!error)
		use(&scenario);
	free(copy);
	return 0;
}
