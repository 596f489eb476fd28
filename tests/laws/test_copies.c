/* SPDX-License-Identifier: MIT */
/*
 * What a watcher sees of an echo: every use of an example says which copy it
 * is, at every place of the echo and through every stage behind it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/runs.h"

#define EXAMPLES 1000
#define USES 3

/* By example, a bit for each copy seen. */
static uint8_t seen[EXAMPLES];
static uint64_t uses;

static void take_batch(void *context, const struct batch_use *batch)
{
	(void)context;
	for (uint32_t i = 0; i < batch->count; i++) {
		const struct use *use = &batch->uses[i];

		assert_true(use->epoch == 0 && use->example < EXAMPLES);
		assert_true(use->copy < USES);
		assert_false(seen[use->example] & 1 << use->copy);
		seen[use->example] |= (uint8_t)(1 << use->copy);
		uses++;
	}
}

static void run_with(enum echo_place place, uint64_t shuffle)
{
	const struct watcher watcher = { .batch = take_batch };
	struct pipeline pipeline = plain_pipeline(EXAMPLES, 100);
	struct device_profile device = plain_device(1000000000);
	struct figures figures;

	pipeline.echo.place = place;
	pipeline.echo.factor = USES;
	pipeline.shuffle_examples = shuffle;
	memset(seen, 0, sizeof(seen));
	uses = 0;
	run_pipeline(&pipeline, &device, &watcher, &figures);
	assert_true(figures.complete);
	assert_int_equal(uses, USES * EXAMPLES);
	for (int i = 0; i < EXAMPLES; i++)
		assert_int_equal(seen[i], (1 << USES) - 1);
}

static void each_copy_is_used_once_wherever_the_echo_stands(void **state)
{
	(void)state;
	run_with(ECHO_EXAMPLE_BEFORE_DECODE, 0);
	run_with(ECHO_EXAMPLE_BEFORE_AUGMENT, 0);
	run_with(ECHO_EXAMPLE_AFTER_AUGMENT, 0);
	run_with(ECHO_BATCH, 0);
}

static void a_shuffle_behind_the_echo_changes_the_order_only(void **state)
{
	(void)state;
	run_with(ECHO_EXAMPLE_BEFORE_DECODE, 100);
	run_with(ECHO_EXAMPLE_BEFORE_AUGMENT, 100);
	run_with(ECHO_EXAMPLE_AFTER_AUGMENT, 100);
	run_with(ECHO_BATCH, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			each_copy_is_used_once_wherever_the_echo_stands),
		cmocka_unit_test(
			a_shuffle_behind_the_echo_changes_the_order_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
