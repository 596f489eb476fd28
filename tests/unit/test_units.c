/* SPDX-License-Identifier: MIT */
/* Amounts as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "traces/units.h"

struct amount {
	enum units_kind kind;
	const char *text;
	uint64_t value;
};

static void check_amounts(const struct amount *amount, size_t count)
{
	uint64_t value;

	for (; count--; amount++) {
		value = 0;
		if (units_parse(amount->kind, amount->text, &value))
			fail_msg("\"%s\" is refused", amount->text);
		if (value != amount->value)
			fail_msg("\"%s\" reads as %llu", amount->text,
				 (unsigned long long)value);
	}
}

#define CHECK_AMOUNTS(amounts)                                                 \
	check_amounts(amounts, sizeof(amounts) / sizeof((amounts)[0]))

static void sizes_are_exact(void **state)
{
	static const struct amount amounts[] = {
		{ UNITS_BYTES, "0 B", 0 },
		{ UNITS_BYTES, "0", 0 },
		{ UNITS_RATE, "0.0", 0 },
		{ UNITS_TIME, "0", 0 },
		{ UNITS_BYTES, "1 B", 1 },
		{ UNITS_BYTES, "64 KiB", 65536 },
		{ UNITS_BYTES, "64KiB", 65536 },
		{ UNITS_BYTES, "1 kB", 1000 },
		{ UNITS_BYTES, "1 MB", 1000000 },
		{ UNITS_BYTES, "1 MiB", 1048576 },
		{ UNITS_BYTES, "1.5 KiB", 1536 },
		{ UNITS_BYTES, "0.1 GB", 100000000 },
		{ UNITS_BYTES, "1 GiB", 1073741824 },
		{ UNITS_BYTES, "1 TB", 1000000000000 },
		{ UNITS_BYTES, "1 TiB", 1099511627776 },
		{ UNITS_BYTES, "1 PB", 1000000000000000 },
		{ UNITS_BYTES, "1 PiB", 1125899906842624 },
		/* Above 2^53, where a double could not hold it. */
		{ UNITS_BYTES, "9007199254740993 B", 9007199254740993 },
		{ UNITS_BYTES, "9007199254740.993 kB", 9007199254740993 },
		{ UNITS_BYTES, "18446744073709551615 B", UINT64_MAX },
	};

	(void)state;
	CHECK_AMOUNTS(amounts);
}

static void rates_are_in_bytes_whether_of_bytes_or_bits(void **state)
{
	static const struct amount amounts[] = {
		{ UNITS_RATE, "150 MB/s", 150000000 },
		{ UNITS_RATE, "150MB/s", 150000000 },
		{ UNITS_RATE, "3 B/s", 3 },
		{ UNITS_RATE, "4 KiB/s", 4096 },
		{ UNITS_RATE, "2 GB/s", 2000000000 },
		/* 1.2 x 2^30 = 1288490188.8 */
		{ UNITS_RATE, "1.2 GiB/s", 1288490189 },
		{ UNITS_RATE, "10 Gbit/s", 1250000000 },
		{ UNITS_RATE, "100 Mbit/s", 12500000 },
		{ UNITS_RATE, "8 kbit/s", 1000 },
		{ UNITS_RATE, "1 Tbit/s", 125000000000 },
	};

	(void)state;
	CHECK_AMOUNTS(amounts);
}

static void times_are_in_nanoseconds(void **state)
{
	static const struct amount amounts[] = {
		{ UNITS_TIME, "8 ms", 8000000 },
		{ UNITS_TIME, "8ms", 8000000 },
		{ UNITS_TIME, "0.3 us", 300 },
		{ UNITS_TIME, "7 ns", 7 },
		{ UNITS_TIME, "1.2 ms", 1200000 },
		{ UNITS_TIME, "1 s", 1000000000 },
		{ UNITS_TIME, "1e3 s", 1000000000000 },
		{ UNITS_TIME, "25e-1 s", 2500000000 },
		{ UNITS_TIME, "2 min", 120000000000 },
		{ UNITS_TIME, "1 h", 3600000000000 },
		{ UNITS_TIME, "1 d", 86400000000000 },
		/* Half a nanosecond and more rounds up, less rounds down. */
		{ UNITS_TIME, "0.0015 us", 2 },
		{ UNITS_TIME, "1.4999 ns", 1 },
	};

	(void)state;
	CHECK_AMOUNTS(amounts);
}

static void counts_have_neither_unit_nor_fraction(void **state)
{
	static const struct amount amounts[] = {
		{ UNITS_COUNT, "0", 0 },
		{ UNITS_COUNT, "-0", 0 },
		{ UNITS_COUNT, "1281167", 1281167 },
		{ UNITS_COUNT, "1e6", 1000000 },
		{ UNITS_COUNT, "1.5e3", 1500 },
		{ UNITS_COUNT, "2.0", 2 },
		{ UNITS_COUNT, "007", 7 },
	};
	uint64_t value;

	(void)state;
	CHECK_AMOUNTS(amounts);
	assert_int_equal(units_parse(UNITS_COUNT, "1.5", &value), -EINVAL);
	assert_int_equal(units_parse(UNITS_COUNT, "3 B", &value), -EINVAL);
}

static void what_is_no_amount_is_refused(void **state)
{
	static const char *const texts[] = {
		"",	  " ",	     "ms",	"8",	    "8 mss",  "8 MS",
		"8 msec", "8  ms x", "8 ms ",	" 8 ms",    "+8 ms",  "8. ms",
		".5 ms",  "1.2.3 s", "nan s",	"inf s",    "0x8 ms", "8,5 ms",
		"8_0 ms", "1e s",    "1e+ s",	"- s",	    "--1 s",  "1 s s",
		"8\tms",  "8 m s",   "1 000 s", "infinity", "8ms8",
	};
	uint64_t value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (units_parse(UNITS_TIME, texts[i], &value) != -EINVAL)
			fail_msg("\"%s\" is not refused", texts[i]);
}

static void units_of_another_kind_are_refused(void **state)
{
	uint64_t value;

	(void)state;
	assert_int_equal(units_parse(UNITS_BYTES, "1 MB/s", &value), -EINVAL);
	assert_int_equal(units_parse(UNITS_RATE, "1 MB", &value), -EINVAL);
	assert_int_equal(units_parse(UNITS_TIME, "1 B", &value), -EINVAL);
	/* K is neither k nor Ki; b is a bit, but which? */
	assert_int_equal(units_parse(UNITS_BYTES, "1 KB", &value), -EINVAL);
	assert_int_equal(units_parse(UNITS_RATE, "1 Mb/s", &value), -EINVAL);
}

static void what_no_number_holds_is_out_of_range(void **state)
{
	static const struct amount amounts[] = {
		{ UNITS_TIME, "-8 ms", 0 },
		{ UNITS_COUNT, "-1", 0 },
		{ UNITS_COUNT, "18446744073709551616", 0 },
		{ UNITS_COUNT, "1e20", 0 },
		{ UNITS_COUNT, "1e999999999999", 0 },
		{ UNITS_COUNT, "99999999999999999999999999999999", 0 },
		/* 2^128 + 1 */
		{ UNITS_COUNT, "340282366920938463463374607431768211457", 0 },
		{ UNITS_BYTES, "16384 PiB", 0 },
		{ UNITS_BYTES, "18446744073709551616 B", 0 },
		{ UNITS_TIME, "0.4 ns", 0 },
		{ UNITS_TIME, "1e-40 s", 0 },
		{ UNITS_TIME, "1e-999999999 s", 0 },
	};
	uint64_t value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++)
		if (units_parse(amounts[i].kind, amounts[i].text, &value) !=
		    -ERANGE)
			fail_msg("\"%s\" is not out of range", amounts[i].text);
	/* Nothing at all is nothing, however it is written. */
	assert_int_equal(units_parse(UNITS_TIME, "0e999 s", &value), 0);
	assert_int_equal(value, 0);
}

static void plain_numbers_are_read_and_refused(void **state)
{
	double value;

	(void)state;
	assert_int_equal(units_parse_number("1.28", &value), 0);
	assert_true(value == 1.28);
	assert_int_equal(units_parse_number("0.1", &value), 0);
	assert_true(value == 0.1);
	assert_int_equal(units_parse_number("2", &value), 0);
	assert_true(value == 2.0);
	assert_int_equal(units_parse_number("-0", &value), 0);
	assert_true(value == 0.0);
	assert_int_equal(units_parse_number("-1", &value), -ERANGE);
	assert_int_equal(units_parse_number("1e400", &value), -ERANGE);
	assert_int_equal(units_parse_number("1e-400", &value), -ERANGE);
	assert_int_equal(units_parse_number("nan", &value), -EINVAL);
	assert_int_equal(units_parse_number("inf", &value), -EINVAL);
	assert_int_equal(units_parse_number("0x10", &value), -EINVAL);
	assert_int_equal(units_parse_number("2x", &value), -EINVAL);
	assert_int_equal(units_parse_number("", &value), -EINVAL);
}

static void amounts_are_printed_in_the_largest_whole_unit(void **state)
{
	static const struct amount amounts[] = {
		{ UNITS_BYTES, "0 B", 0 },
		{ UNITS_BYTES, "1023 B", 1023 },
		{ UNITS_BYTES, "64 KiB", 65536 },
		{ UNITS_BYTES, "64 MB", 64000000 },
		{ UNITS_BYTES, "1 GiB", 1073741824 },
		{ UNITS_RATE, "150 MB/s", 150000000 },
		{ UNITS_RATE, "1 PB/s", 1000000000000000 },
		{ UNITS_RATE, "1250 MB/s", 1250000000 },
		{ UNITS_TIME, "1500 us", 1500000 },
		{ UNITS_TIME, "90 s", 90000000000 },
		{ UNITS_TIME, "1 h", 3600000000000 },
		{ UNITS_TIME, "2 d", 172800000000000 },
		{ UNITS_COUNT, "16384", 16384 },
		{ UNITS_COUNT, "18446744073709551615", UINT64_MAX },
	};
	char text[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++)
		assert_string_equal(units_print(amounts[i].kind,
						amounts[i].value, text,
						sizeof(text)),
				    amounts[i].text);
}

/* Any value, printed and read again, is the same. The generator is a fixed
 * linear congruential one, so every run tests the same values. */
static void printing_and_reading_are_inverse(void **state)
{
	uint64_t bits = 1;
	uint64_t value;
	char text[64];
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		enum units_kind kind = (enum units_kind)(i % 4);
		uint64_t given;

		bits = bits * 6364136223846793005 + 1442695040888963407;
		given = bits >> (bits >> 58);
		units_print(kind, given, text, sizeof(text));
		assert_int_equal(units_parse(kind, text, &value), 0);
		assert_true(value == given);
	}
}

static void numbers_are_printed_short_and_exactly(void **state)
{
	char text[64];

	(void)state;
	assert_string_equal(units_print_number(0.1, text, 64), "0.1");
	assert_string_equal(units_print_number(1.28, text, 64), "1.28");
	assert_string_equal(units_print_number(2, text, 64), "2");
	assert_string_equal(units_print_number(0, text, 64), "0");
	assert_string_equal(units_print_number(114688, text, 64), "114688");
	assert_string_equal(units_print_number(1.0 / 3, text, 64),
			    "0.3333333333333333");
}

static void the_accepted_units_can_be_named(void **state)
{
	char text[128];

	(void)state;
	assert_string_equal(units_names(UNITS_TIME, text, sizeof(text)),
			    "ns, us, ms, s, min, h, d");
	assert_string_equal(units_names(UNITS_BYTES, text, sizeof(text)),
			    "B, kB, KiB, MB, MiB, GB, GiB, TB, TiB, PB, PiB");
	/* Cut, not overrun. */
	assert_int_equal(strlen(units_names(UNITS_BYTES, text, 5)), 4);
}

static void a_unit_that_is_none_is_answered_with_those_meant(void **state)
{
	static const char *const cases[][2] = {
		{ "110 KB", "kB or KiB" },
		{ "64k", NULL },
		{ "1 gib", "GB or GiB" },
		{ "5 MB", NULL },
		{ "5 mbps", "MB/s, MiB/s or Mbit/s" },
		{ "10Gbps", "GB/s, GiB/s or Gbit/s" },
		{ "KB", NULL },
		{ "3 ms", NULL },
		{ "3 parsecs", NULL },
		{ "", NULL },
	};
	char text[UNITS_MEANT_MAX];
	const char *meant;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		meant = units_meant(cases[i][0], text);
		if (!cases[i][1])
			assert_null(meant);
		else
			assert_string_equal(meant, cases[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_exact),
		cmocka_unit_test(rates_are_in_bytes_whether_of_bytes_or_bits),
		cmocka_unit_test(times_are_in_nanoseconds),
		cmocka_unit_test(counts_have_neither_unit_nor_fraction),
		cmocka_unit_test(what_is_no_amount_is_refused),
		cmocka_unit_test(units_of_another_kind_are_refused),
		cmocka_unit_test(what_no_number_holds_is_out_of_range),
		cmocka_unit_test(plain_numbers_are_read_and_refused),
		cmocka_unit_test(amounts_are_printed_in_the_largest_whole_unit),
		cmocka_unit_test(printing_and_reading_are_inverse),
		cmocka_unit_test(numbers_are_printed_short_and_exactly),
		cmocka_unit_test(the_accepted_units_can_be_named),
		cmocka_unit_test(
			a_unit_that_is_none_is_answered_with_those_meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
