/* SPDX-License-Identifier: MIT */
/* Prices as people write them: in a scenario, in a file, with mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "tests/support/mistake.h"
#include "tests/support/temp.h"
#include "traces/scenario.h"

static struct scenario scenario;

static int read_with(const struct temp *temp, const char *rest,
		     const char *override, struct fault *fault)
{
	char text[1000], path[TEMP_PATH_MAX];

	snprintf(text, sizeof(text), MISTAKE_LEAST "%s", rest);
	assert_int_equal(temp_write(temp, "s.yaml", text, strlen(text)), 0);
	return scenario_read(&scenario, temp_name(temp, "s.yaml", path),
			     &override, override != NULL, fault);
}

static void read_right(const struct temp *temp, const char *rest,
		       const char *override)
{
	struct fault fault = { 0 };

	if (read_with(temp, rest, override, &fault))
		fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
}

static void write_prices(const struct temp *temp, const char *text)
{
	assert_int_equal(temp_write(temp, "mine.yaml", text, strlen(text)), 0);
}

static void every_key_reaches_its_member(void **state)
{
	const struct prices *prices = &scenario.prices;

	read_right(*state,
		   "prices: {currency: EUR, accelerator_hour: 4, host_hour: 3,"
		   " worker_hour: 0.5, cache_gib_month: 0.25,"
		   " storage: {per_gib_month: 0.1, per_mb_s_month: 0.2,"
		   " per_iops_month: 0.3, per_million_requests: 0.4,"
		   " included_bandwidth: 5 MB/s, included_iops: 6}}\n",
		   NULL);
	assert_string_equal(prices->currency, "EUR");
	assert_true(prices->accelerator_hour == 4);
	assert_true(prices->host_hour == 3);
	assert_true(prices->worker_hour == 0.5);
	assert_true(prices->cache_gib_month == 0.25);
	assert_true(prices->storage.per_gib_month == 0.1);
	assert_true(prices->storage.per_mb_s_month == 0.2);
	assert_true(prices->storage.per_iops_month == 0.3);
	assert_true(prices->storage.per_million_requests == 0.4);
	assert_int_equal(prices->storage.included_bytes_per_s, 5000000);
	assert_int_equal(prices->storage.included_iops, 6);
}

static void without_prices_nothing_is_known_and_dollars_are_meant(void **state)
{
	read_right(*state, "", NULL);
	assert_string_equal(scenario.prices.currency, "USD");
	assert_true(scenario.prices.accelerator_hour == 0);
	assert_true(scenario.prices.storage.per_gib_month == 0);
}

static void a_file_of_prices_lies_beside_the_scenario(void **state)
{
	write_prices(*state, "currency: CHF\nhost_hour: 2\n");
	read_right(*state, "prices: mine.yaml\n", NULL);
	assert_string_equal(scenario.prices.currency, "CHF");
	assert_true(scenario.prices.host_hour == 2);
}

static void what_is_set_alone_comes_on_top_of_the_file(void **state)
{
	write_prices(*state, "host_hour: 2\naccelerator_hour: 7\n");
	read_right(*state, "prices: mine.yaml\n", "prices.host_hour=5");
	assert_true(scenario.prices.host_hour == 5);
	assert_true(scenario.prices.accelerator_hour == 7);
}

static void a_file_may_be_named_by_an_override(void **state)
{
	char path[TEMP_PATH_MAX], assignment[TEMP_PATH_MAX + 16];

	write_prices(*state, "host_hour: 2\n");
	snprintf(assignment, sizeof(assignment), "prices='%s'",
		 temp_name(*state, "mine.yaml", path));
	read_right(*state, "", assignment);
	assert_true(scenario.prices.host_hour == 2);
}

static void the_example_list_is_right(void **state)
{
	read_right(*state, "", "prices=traces/examples/prices.yaml");
	assert_true(scenario.prices.accelerator_hour > 0);
}

/* A mistake in the file is told where the file is named, with its own line. */
static void mistakes_in_a_file_are_told_with_its_line(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} rows[] = {
		{ "currency: USD\nhost_hour: -1\n",
		  "mine.yaml:2: prices.host_hour: found \"-1\"; expected a "
		  "number from 1e-09 to 1000000" },
		{ "host_hour: nan\n",
		  "mine.yaml:1: prices.host_hour: found \"nan\"; expected" },
		{ "host_hour: inf\n",
		  "mine.yaml:1: prices.host_hour: found \"inf\"; expected" },
		{ "host_hour: 0\n",
		  "mine.yaml:1: prices.host_hour: found \"0\"; expected" },
		{ "host_houre: 1\n",
		  "mine.yaml:1: unknown key \"host_houre\" in prices; did you "
		  "mean \"host_hour\"?" },
		{ "storage: {per_gib: 1}\n",
		  "mine.yaml:1: unknown key \"per_gib\" in prices.storage" },
		{ "- 1\n", "mine.yaml:1: prices: found a list; expected a map "
			   "of keys and values" },
		{ "host_hour: [\n", "mine.yaml:" },
		{ "prices: mine.yaml\n",
		  "mine.yaml:1: unknown key \"prices\"" },
	};
	struct fault fault;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		write_prices(*state, rows[i].text);
		fault = (struct fault){ 0 };
		assert_int_equal(read_with(*state, "prices: mine.yaml\n", NULL,
					   &fault),
				 -EINVAL);
		assert_int_equal(fault.line, 4);
		if (!strstr(fault.text, rows[i].says))
			fail_msg("\"%s\" does not say \"%s\"", fault.text,
				 rows[i].says);
	}
}

static void a_file_that_is_not_there_is_named(void **state)
{
	struct fault fault = { 0 };

	assert_int_equal(read_with(*state, "prices: none.yaml\n", NULL, &fault),
			 -ENOENT);
	assert_int_equal(fault.line, 4);
	assert_non_null(strstr(fault.text,
			       "none.yaml cannot be read: No such file or "
			       "directory"));
}

int main(void)
{
#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, temp_setup, temp_teardown)
	const struct CMUnitTest tests[] = {
		TEST(every_key_reaches_its_member),
		TEST(without_prices_nothing_is_known_and_dollars_are_meant),
		TEST(a_file_of_prices_lies_beside_the_scenario),
		TEST(what_is_set_alone_comes_on_top_of_the_file),
		TEST(a_file_may_be_named_by_an_override),
		TEST(the_example_list_is_right),
		TEST(mistakes_in_a_file_are_told_with_its_line),
		TEST(a_file_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
