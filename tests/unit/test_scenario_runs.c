/* SPDX-License-Identifier: MIT */
/*
 * Nothing behind scenario_check() is ready for a person's mistake. So change
 * fields at random, as far as the checks allow, and run what comes out: no
 * claim of the model may fail. Under sanitizers nothing may overflow either.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sim/random.h"
#include "tests/support/mistake.h"
#include "tests/support/trial.h"
#include "traces/field.h"

#define SEED 20240607
#define SCENARIOS 1500
#define CHANGES 24
#define EVENTS 1500

static uint64_t draws;

static uint64_t draw(uint64_t bound)
{
	static const struct random_stream stream = { SEED };

	return random_below(random_bits(stream, draws++), bound);
}

/* A value of the field's range: an end, or anything by order of magnitude. */
static double draw_value(const struct field *field)
{
	double value = field->low > 1 ? field->low : 1;
	uint64_t doublings = draw(draw(2) ? 12 : 60);

	if (!draw(8))
		return field->low;
	if (!draw(8))
		return field->high < 1e18 ? field->high : 1e18;
	while (doublings-- && 2 * value <= field->high)
		value *= 2;
	return value;
}

static const char *base_unit(const struct field *field)
{
	static const char *const units[] = {
		[UNITS_COUNT] = "",
		[UNITS_BYTES] = " B",
		[UNITS_RATE] = " B/s",
		[UNITS_TIME] = " ns",
	};

	return units[field_units(field)];
}

/* "=VALUE" of a distribution; many are refused, and that is right. */
static void draw_distribution(const struct field *field, char *text,
			      size_t size)
{
	static const char *const forms[] = {
		"=%.0f%s",
		"={dist: exponential, mean: %.0f%s}",
		"={dist: uniform, low: %.0f%s, high: %.0f%s}",
		"={dist: normal, mean: %.0f%s, stdev: %.0f%s}",
		"={dist: lognormal, mean: %.0f%s, stdev: %.0f%s}",
		"={p50: %.0f%s, p90: %.0f%s, p99: %.0f%s, p999: %.0f%s}",
	};
	const char *unit = base_unit(field);
	double one = draw_value(field);
	double other = draw_value(field);

	/* Forms take as many of these as they name. */
	snprintf(text, size, forms[draw(sizeof(forms) / sizeof(forms[0]))], one,
		 unit, other, unit, other, unit, other, unit);
}

static void draw_assignment(const struct field *field, char *text, size_t size)
{
	size_t used;

	if (strncmp(field->key, "echo[].", 7) == 0)
		used = (size_t)snprintf(text, size, "echo.%d.%s", (int)draw(3),
					field->key + 7);
	else
		used = (size_t)snprintf(text, size, "%s", field->key);
	text += used;
	size -= used;
	if (field->kind == FIELD_TIME_DIST || field->kind == FIELD_BYTES_DIST)
		draw_distribution(field, text, size);
	else if (field->kind == FIELD_BOOL)
		snprintf(text, size, "=%s", draw(2) ? "true" : "false");
	else if (field->kind == FIELD_ENUM)
		snprintf(text, size, "=%s", field->names[draw(2)]);
	else if (field->kind == FIELD_NUMBER)
		snprintf(text, size, "=%.3f", draw_value(field) * 1.5);
	else
		snprintf(text, size, "=%.0f%s", draw_value(field),
			 base_unit(field));
}

static bool change(struct scenario *scenario)
{
	static struct scenario changed;
	const struct field *field = &field_table[draw(field_count)];
	struct fault fault = { 0 };
	char assignment[300];

	if (field->kind == FIELD_TEXT)
		return false;
	draw_assignment(field, assignment, sizeof(assignment));
	changed = *scenario;
	if (scenario_set(&changed, assignment, &fault) ||
	    scenario_check(&changed, "a.yaml", &fault))
		return false;
	*scenario = changed;
	return true;
}

static void what_the_checks_accept_runs(void **state)
{
	static const char text[] = MISTAKE_DEVICE
		"dataset: {examples: 5000, example_bytes: 1 "
		"kB}\n"
		"accelerator: {step_time: 1 ms}\n"
		"pipeline: {batch_size: 4}\n"
		"echo: [{place: none}, {place: batch, factor: "
		"2},\n"
		"  {place: example-before-augment, policy: "
		"when-starved}]\n";
	static struct scenario scenario;
	int changes = 0;
	int i, j;

	(void)state;
	print_message("seed %d\n", SEED);
	for (i = 0; i < SCENARIOS; i++) {
		struct fault fault = { 0 };

		assert_int_equal(scenario_parse(&scenario, "a.yaml", text,
						strlen(text), NULL, 0, &fault),
				 0);
		for (j = 0; j < CHANGES; j++)
			changes += change(&scenario);
		trial_scenario(&scenario, EVENTS);
	}
	/* A test of nothing would pass as well. */
	assert_true(changes > SCENARIOS * CHANGES / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_checks_accept_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
