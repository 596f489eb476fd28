/* SPDX-License-Identifier: MIT */
/* Buckets of burst credit as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/mistake.h"
#include "traces/device_member.h"
#include "traces/scenario.h"

static struct scenario scenario;
static const struct device_profile *const profile = &scenario.storage.profile;

static void set(const char *assignment)
{
	struct fault fault = { 0 };

	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", assignment, fault.text);
}

#define TWO                                                                    \
	"storage.device.buckets=[{of: ops, capacity: 5.4e6, initial: 0, "      \
	"baseline: 300, peak: 3000}, {peak: 250 MiB/s, baseline: 40 MiB/s, "   \
	"capacity: 1 TiB, of: bytes}]"

static void amounts_are_in_what_the_bucket_is_of(void **state)
{
	(void)state;
	scenario_init(&scenario);
	set(TWO);
	assert_int_equal(profile->bucket_count, 2);
	assert_int_equal(profile->buckets[0].of, BUCKET_OF_OPS);
	assert_true(profile->buckets[0].profile.capacity == 5.4e6);
	assert_true(profile->buckets[0].profile.initial == 0);
	assert_true(profile->buckets[0].profile.baseline_per_s == 300);
	assert_true(profile->buckets[0].profile.peak_per_s == 3000);
	assert_int_equal(profile->buckets[1].of, BUCKET_OF_BYTES);
	assert_true(profile->buckets[1].profile.capacity == 0x1p40);
	/* Not given: full. */
	assert_true(profile->buckets[1].profile.initial == 0x1p40);
	assert_true(profile->buckets[1].profile.baseline_per_s == 40 * 0x1p20);
	assert_true(profile->buckets[1].profile.peak_per_s == 250 * 0x1p20);
}

static void one_member_of_one_bucket_is_set(void **state)
{
	(void)state;
	scenario_init(&scenario);
	set(TWO);
	set("storage.device.buckets.1.initial=1 GiB");
	set("storage.device.buckets.0.peak=4000");
	assert_true(profile->buckets[0].profile.peak_per_s == 4000);
	assert_true(profile->buckets[1].profile.initial == 0x1p30);
	assert_true(profile->buckets[1].profile.capacity == 0x1p40);
}

static void a_list_stands_for_all_before_it(void **state)
{
	(void)state;
	scenario_init(&scenario);
	set(TWO);
	set("storage.device.buckets=[]");
	assert_int_equal(profile->bucket_count, 0);
	set("storage.device=azure-premium-p20");
	assert_int_equal(profile->bucket_count, 2);
	set("storage.device={buckets: [{of: ops, capacity: 9, baseline: 1, "
	    "peak: 2}]}");
	assert_int_equal(profile->bucket_count, 1);
	assert_string_equal(scenario.storage.extends, "azure-premium-p20");
}

static void members_are_found_by_path(void **state)
{
	static const char *const wrong[] = {
		"buckets.2.peak",  "buckets.0.peek",
		"buckets.00.peak", "buckets.0",
		"buckets.0.",	   "buckets..peak",
		"buckets",	   "iops"
	};
	uint32_t bucket = 9;
	size_t i;

	(void)state;
	scenario_init(&scenario);
	set(TWO);
	assert_string_equal(
		device_bucket_find(&scenario, "buckets.1.peak", &bucket)->key,
		"storage.device.buckets[].peak");
	assert_int_equal(bucket, 1);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_null(device_bucket_find(&scenario, wrong[i], &bucket));
}

#define FILE(buckets) "storage:\n  device:\n    buckets:\n" buckets

static void mistakes_are_said_with_their_line(void **state)
{
	static const struct mistake mistakes[] = {
		{ FILE("    - {of: ops, capacity: 9, baseline: 30, peak: "
		       "20}\n"),
		  4,
		  "storage.device.buckets.0.peak: found 20; expected at least "
		  "its baseline, 30" },
		{ FILE("    - {of: bytes, capacity: 9 MB, baseline: 3 MB/s, "
		       "peak: 2 MB/s}\n"),
		  4,
		  "storage.device.buckets.0.peak: found 2 MB/s; expected at "
		  "least its baseline, 3 MB/s" },
		{ FILE("    - {of: ops, capacity: 9, baseline: 1, peak: 2}\n"
		       "    - {of: bytes, capacity: 9 MB, initial: 10 MB, "
		       "baseline: 1 MB/s, peak: 2 MB/s}\n"),
		  5,
		  "storage.device.buckets.1.initial: found 10 MB; expected at "
		  "most its capacity, 9 MB" },
		{ FILE("    - of: ops\n      capacity: 9\n"
		       "      baseline: 0\n      peak: 2\n"),
		  6,
		  "storage.device.buckets.0.baseline: found \"0\"; expected a "
		  "whole number from 1 to 1000000000000000" },
		{ FILE("    - of: bytes\n      capacity: 9\n"
		       "      baseline: 1 MB/s\n      peak: 2 MB/s\n"),
		  5,
		  "storage.device.buckets.0.capacity: found \"9\"; expected a "
		  "size such as 64 KiB (B, kB, KiB, MB, MiB, GB, GiB, TB, TiB, "
		  "PB, PiB)" },
		{ FILE("    - {of: ops, capacity: 9, baseline: 1 MB/s, peak: "
		       "2}\n"),
		  4,
		  "storage.device.buckets.0.baseline: found \"1 MB/s\"; "
		  "expected a whole number from 1 to 1000000000000000" },
		{ FILE("    - {of: op, capacity: 9, baseline: 1, peak: 2}\n"),
		  4,
		  "storage.device.buckets.0.of: found \"op\"; expected one of "
		  "ops, bytes; did you mean \"ops\"?" },
		{ FILE("    - {of: ops, capacity: 9, peak: 2}\n"), 4,
		  "storage.device.buckets.0.baseline: not given; expected a "
		  "bucket such as {of: ops, capacity: 5400000, baseline: 300, "
		  "peak: 3000}" },
		{ FILE("    - {of: ops, capacity: 9, baseline: 1, peek: 2}\n"),
		  4,
		  "unknown key \"peek\" in storage.device.buckets.0; did you "
		  "mean \"peak\"?" },
		{ FILE("    - 3\n"), 4,
		  "storage.device.buckets.0: found \"3\"; expected a map such "
		  "as {of: ops, capacity: 5400000, baseline: 300, peak: "
		  "3000}" },
		{ FILE("      of: ops\n"), 4,
		  "storage.device.buckets: found a map; expected a list of "
		  "buckets such as [{of: ops, capacity: 5400000, baseline: "
		  "300, peak: 3000}]" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void overrides_are_checked_like_files(void **state)
{
	static const struct mistake mistakes[] = {
		{ "storage.device.buckets.0.peak=3", 0,
		  "unknown key \"storage.device.buckets.0.peak\"; expected "
		  "storage.device.buckets.N.KEY with N of one of the device's "
		  "0 buckets" },
		{ "storage.device.buckets[].peak=3", 0,
		  "unknown key \"storage.device.buckets[].peak\"; expected "
		  "storage.device.buckets.N.KEY with N of one of the device's "
		  "0 buckets" },
		{ "storage.device.buckets=[{of: ops, capacity: 9, baseline: 1, "
		  "peak: 2}, {of: ops, capacity: 9, baseline: 1, peak: 2}, "
		  "{of: ops, capacity: 9, baseline: 1, peak: 2}, {of: ops, "
		  "capacity: 9, baseline: 1, peak: 2}, {of: ops, capacity: 9, "
		  "baseline: 1, peak: 2}]",
		  0,
		  "storage.device.buckets: more than 4 buckets; expected "
		  "fewer" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

/* Set one by one, members are judged together at the end. */
static void members_that_were_set_alone_are_judged_together(void **state)
{
	const char *overrides[] = { "storage.device=azure-premium-p20",
				    "storage.device.buckets.0.peak=2000",
				    "storage.device.buckets.0.baseline=1000" };
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(scenario_parse(&scenario, "a.yaml", MISTAKE_LEAST,
					strlen(MISTAKE_LEAST), overrides, 3,
					&fault),
			 0);
	assert_int_not_equal(scenario_parse(&scenario, "a.yaml", MISTAKE_LEAST,
					    strlen(MISTAKE_LEAST), overrides, 2,
					    &fault),
			     0);
	assert_string_equal(fault.text,
			    "storage.device.buckets.0.peak: found 2000; "
			    "expected at least its baseline, 2300");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amounts_are_in_what_the_bucket_is_of),
		cmocka_unit_test(one_member_of_one_bucket_is_set),
		cmocka_unit_test(a_list_stands_for_all_before_it),
		cmocka_unit_test(members_are_found_by_path),
		cmocka_unit_test(mistakes_are_said_with_their_line),
		cmocka_unit_test(overrides_are_checked_like_files),
		cmocka_unit_test(
			members_that_were_set_alone_are_judged_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
