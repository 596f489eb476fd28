/* SPDX-License-Identifier: MIT */
/*
 * An axis, from hostile bytes. What is taken for one has values: of numbers,
 * rising ones, each accepted by --set or refused with a reason.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "traces/vary.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define APPLIED_MAX 16 /* enough to try */

static void apply(const struct vary *vary)
{
	struct scenario scenario;
	struct vary_change change = { .key = vary->key };
	struct fault fault;
	uint32_t i;

	scenario_init(&scenario);
	for (i = 0; i < vary->count && i < APPLIED_MAX; i++) {
		fault = (struct fault){ 0 };
		change.text = vary->values[i].text;
		if (vary_apply(&change, &scenario, &fault))
			CHECK(fault.text[0]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fault fault = { 0 };
	struct vary vary;
	char *text;
	uint32_t i;

	text = strndup((const char *)bytes, size);
	CHECK(text);
	if (vary_parse(&vary, text, &fault)) {
		CHECK(fault.text[0]);
	} else {
		CHECK(vary.count >= 2 && vary.count <= VARY_VALUES_MAX);
		for (i = 1; i < vary.count && vary.is_number; i++)
			CHECK(vary.values[i].number >
			      vary.values[i - 1].number);
		apply(&vary);
		vary_release(&vary);
	}
	free(text);
	return 0;
}
