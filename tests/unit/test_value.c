/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/value.h"
#include "sim/random.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void a_ratio_over_zero_is_not_known(void **state)
{
	(void)state;
	assert_false(value_ratio(1, 0).known);
	assert_false(value_ratio(0, 0).known);
	assert_true(value_ratio(0, 1).known);
	assert_true(value_ratio(1, 4).real == 0.25);
}

static void what_is_not_finite_or_not_there_is_not_known(void **state)
{
	(void)state;
	assert_false(value_real(1.0 / 0.0).known);
	assert_false(value_real(0.0 / 0.0).known);
	assert_false(value_text(NULL).known);
	assert_true(value_text("").known);
}

static void exact_text_reads_back_as_the_same_number(void **state)
{
	const uint64_t seed = 1;
	struct random_stream stream = random_stream(seed, RANDOM_SHUFFLE);
	char text[VALUE_TEXT_MAX];
	double number;
	uint64_t i;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (i = 0; i < 20000; i++) {
		number = random_unit(random_bits(stream, 2 * i)) /
			 random_unit(random_bits(stream, 2 * i + 1));
		value_exact(METRIC_REAL, value_real(number), text,
			    sizeof(text));
		assert_true(strtod(text, NULL) == number);
	}
}

static void exact_text_is_no_longer_than_it_must_be(void **state)
{
	char text[VALUE_TEXT_MAX];

	(void)state;
	assert_string_equal(value_exact(METRIC_REAL, value_real(0.1), text,
					sizeof(text)),
			    "0.1");
	assert_string_equal(value_exact(METRIC_REAL, value_real(128.5), text,
					sizeof(text)),
			    "128.5");
	assert_string_equal(value_exact(METRIC_COUNT, value_count(UINT64_MAX),
					text, sizeof(text)),
			    "18446744073709551615");
	assert_string_equal(value_exact(METRIC_BOOL, value_bool(false), text,
					sizeof(text)),
			    "false");
}

static void what_is_not_known_is_neither_zero_nor_a_word(void **state)
{
	char text[VALUE_TEXT_MAX];

	(void)state;
	assert_string_equal(value_exact(METRIC_COUNT, value_unknown(), text,
					sizeof(text)),
			    "");
	assert_string_equal(value_human(METRIC_REAL, "s", value_unknown(), text,
					sizeof(text)),
			    "-");
}

static void people_read_sizes_in_iec_and_rates_in_si_units(void **state)
{
	static const struct {
		const char *unit;
		double value;
		const char *text;
	} rows[] = {
		{ "B", 1023, "1023 B" },
		{ "B", 1024, "1.000 KiB" },
		{ "B", 1.5 * 1024 * 1024 * 1024, "1.500 GiB" },
		{ "B/s", 999, "999.0 B/s" },
		{ "B/s", 150e6, "150.0 MB/s" },
		{ "B/s", 1.25e9, "1.250 GB/s" },
		{ "1/s", 9999, "9999 /s" },
		{ "1/s", 12345, "12.35 k/s" },
		{ "s", 0.00005, "50.00 us" },
		{ "s", 0.008, "8.000 ms" },
		{ "s", 128.5, "128.5 s" },
		{ "s", 1800, "30.00 min" },
		{ "s", 10476, "2.910 h" },
		{ "#", 1562.5, "1562" },
		{ "#", 85e6, "85.00M" },
		{ "%", 0.77821, "77.8" },
		{ "points", 0.0125, "+1.25" },
		{ "points", -0.0125, "-1.25" },
		{ "", 0.22179, "0.2218" },
		{ "", 12, "12.00" },
	};
	char text[VALUE_TEXT_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		assert_string_equal(value_human(METRIC_REAL, rows[i].unit,
						value_real(rows[i].value), text,
						sizeof(text)),
				    rows[i].text);
}

static void a_count_without_unit_keeps_all_its_digits(void **state)
{
	char text[VALUE_TEXT_MAX];

	(void)state;
	assert_string_equal(value_human(METRIC_COUNT, "", value_count(1281167),
					text, sizeof(text)),
			    "1281167");
}

/* Written and read back: all 64 bits, always 16 digits, nothing else. */
static void a_digest_is_sixteen_digits(void **state)
{
	static const char *const wrong[] = { "",
					     "12",
					     "00000000000000001",
					     "000000000000000g",
					     "00000000000000AB",
					     "-000000000000001",
					     NULL };
	char text[VALUE_TEXT_MAX];
	struct metric_value value = value_count(UINT64_C(0x00f0000000000001));
	size_t i;

	(void)state;
	assert_string_equal(value_exact(METRIC_DIGEST, value, text,
					sizeof(text)),
			    "00f0000000000001");
	assert_string_equal(value_human(METRIC_DIGEST, "", value, text,
					sizeof(text)),
			    "00f0000000000001");
	assert_true(value_of_digest("ffffffffffffffff").count == UINT64_MAX);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(value_of_digest(wrong[i]).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_digest_is_sixteen_digits),
		cmocka_unit_test(a_ratio_over_zero_is_not_known),
		cmocka_unit_test(what_is_not_finite_or_not_there_is_not_known),
		cmocka_unit_test(exact_text_reads_back_as_the_same_number),
		cmocka_unit_test(exact_text_is_no_longer_than_it_must_be),
		cmocka_unit_test(what_is_not_known_is_neither_zero_nor_a_word),
		cmocka_unit_test(
			people_read_sizes_in_iec_and_rates_in_si_units),
		cmocka_unit_test(a_count_without_unit_keeps_all_its_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
