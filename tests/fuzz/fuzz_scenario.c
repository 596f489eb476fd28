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
#include "tests/support/trial.h"
#include "traces/field.h"
#include "traces/scenario.h"

#define OVERRIDES_MAX 4
#define RUN_EVENTS 2000

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
	if (!error) {
		print_fields(&scenario);
		trial_scenario(&scenario, RUN_EVENTS);
	}
	free(copy);
	return 0;
}
