/* SPDX-License-Identifier: MIT */
/* Devices whose figures grow with their size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/mistake.h"
#include "traces/scenario.h"

static struct scenario scenario;
static const struct device_profile *const profile = &scenario.storage.profile;

static void set(const char *assignment)
{
	struct fault fault = { 0 };

	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", assignment, fault.text);
}

static void start(const char *device)
{
	char assignment[1000];

	scenario_init(&scenario);
	snprintf(assignment, sizeof(assignment), "storage.device=%s", device);
	set(assignment);
}

/* 240 before the first GiB, and 0.48 for each. */
static void a_rule_may_begin_above_nothing(void **state)
{
	(void)state;
	start("{size: 100 GiB, scale: {bandwidth: {value: 240 MB/s, per_gib: "
	      "480 kB/s, max: 1200 MB/s}}}");
	assert_int_equal(profile->bandwidth_bytes_per_s, 288000000);
	set("storage.device.size=1000 GiB");
	assert_int_equal(profile->bandwidth_bytes_per_s, 720000000);
	set("storage.device.size=1 PiB");
	assert_int_equal(profile->bandwidth_bytes_per_s, 1200000000);
}

static void a_rule_is_a_line_between_bounds(void **state)
{
	static const struct {
		const char *size;
		uint64_t bandwidth;
	} cases[] = {
		{ "storage.device.size=1 TiB", 10000000 },
		{ "storage.device.size=2.5 TiB", 25000000 },
		{ "storage.device.size=512 GiB", 5000000 },
		{ "storage.device.size=256 GiB", 5000000 },
		{ "storage.device.size=10 TiB", 100000000 },
		{ "storage.device.size=1 PiB", 100000000 },
	};
	size_t i;

	(void)state;
	start("{size: 4 TiB, scale: {bandwidth: {per_tib: 10 MB/s, min: 5 "
	      "MB/s, max: 100 MB/s}}}");
	assert_int_equal(profile->bandwidth_bytes_per_s, 40000000);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set(cases[i].size);
		assert_int_equal(profile->bandwidth_bytes_per_s,
				 cases[i].bandwidth);
	}
}

static void amounts_of_every_kind_can_have_rules(void **state)
{
	(void)state;
	start("{size: 8 GiB, buckets: [{of: bytes, capacity: 1 B, baseline: 1 "
	      "kB/s, peak: 1 kB/s}], scale: {iops: {per_gib: 3}, "
	      "io_unit: {value: 4 KiB}, max_inflight: {per_gib: 2}, "
	      "first_touch: {per_gib: 5 ms}, buckets.0.capacity: {per_gib: 1 "
	      "GB}, buckets.0.initial: {value: 0 B}, buckets.0.peak: "
	      "{per_gib: 1 MB/s}}}");
	assert_int_equal(profile->iops, 24);
	assert_int_equal(profile->io_unit_bytes, 4096);
	assert_int_equal(profile->max_inflight, 16);
	assert_int_equal(profile->first_touch_ns, 40000000);
	assert_true(profile->buckets[0].profile.capacity == 8e9);
	assert_true(profile->buckets[0].profile.initial == 0);
	assert_true(profile->buckets[0].profile.peak_per_s == 8e6);
	assert_true(profile->buckets[0].profile.baseline_per_s == 1e3);
}

static void of_several_rules_the_first_that_fits_counts(void **state)
{
	(void)state;
	start("{size: 1 GiB, scale: {bandwidth: [{up_to: 170 GiB, value: 128 "
	      "MiB/s}, {value: 250 MiB/s}]}}");
	assert_int_equal(profile->bandwidth_bytes_per_s, 128 << 20);
	set("storage.device.size=170 GiB");
	assert_int_equal(profile->bandwidth_bytes_per_s, 128 << 20);
	set("storage.device.size=171 GiB");
	assert_int_equal(profile->bandwidth_bytes_per_s, 250 << 20);
}

static void a_field_that_is_given_has_no_rule_any_more(void **state)
{
	(void)state;
	start("{size: 200 GiB, extends: aws-ebs-gp2, bandwidth: 99 MB/s}");
	assert_int_equal(profile->bandwidth_bytes_per_s, 99000000);
	assert_true(profile->buckets[0].profile.baseline_per_s == 600);
	set("storage.device.buckets.0.peak=2000");
	set("storage.device.size=400 GiB");
	assert_int_equal(profile->bandwidth_bytes_per_s, 99000000);
	assert_true(profile->buckets[0].profile.baseline_per_s == 1200);
	assert_true(profile->buckets[0].profile.peak_per_s == 2000);
	/* New buckets are not those that had rules. */
	set("storage.device.buckets=[{of: ops, capacity: 9, baseline: 1, peak: "
	    "2}]");
	assert_true(profile->buckets[0].profile.baseline_per_s == 1);
	assert_int_equal(scenario.storage.scale_count, 0);
	/* Rules go with the device that had them. */
	set("storage.device=aws-ebs-gp3");
	assert_int_equal(scenario.storage.scale_count, 0);
	assert_int_equal(scenario.storage.size_bytes, 0);
}

static void rules_take_the_place_of_those_of_the_base(void **state)
{
	(void)state;
	start("{extends: aws-ebs-gp2, scale: {bandwidth: {per_gib: 1 MB/s}}}");
	assert_int_equal(profile->bandwidth_bytes_per_s, 500000000);
	assert_true(profile->buckets[0].profile.baseline_per_s == 1500);
}

#define FILE(device) "storage:\n  device:\n" device

static void mistakes_are_said_with_their_line(void **state)
{
	static const struct mistake mistakes[] = {
		{ FILE("    bandwidth: 1 MB/s\n    size: 1 GiB\n"), 4,
		  "storage.device.size: has no effect here; expected only with "
		  "a device whose rates or price depend on it" },
		{ FILE("    scale: {iops: {per_gib: 3}}\n"), 3,
		  "storage.device.size: not given; expected a size such as 100 "
		  "GiB, for storage.device.scale" },
		{ FILE("    size: 1 GiB\n    scale: {iops: {per_gb: 3}}\n"), 4,
		  "storage.device.scale.iops: unknown key \"per_gb\"; expected "
		  "value, per_gib, per_tib, min, max or up_to" },
		{ FILE("    size: 1 GiB\n    scale:\n      iosp: {value: 3}\n"),
		  5,
		  "unknown key \"iosp\" in storage.device.scale; expected a "
		  "field of the device that is an amount, such as bandwidth or "
		  "buckets.0.baseline" },
		{ FILE("    size: 1 GiB\n    scale:\n      latency: {value: 3 "
		       "ms}\n"),
		  5,
		  "unknown key \"latency\" in storage.device.scale; expected a "
		  "field of the device that is an amount, such as bandwidth or "
		  "buckets.0.baseline" },
		{ FILE("    size: 1 GiB\n    scale: {size: {value: 1 GiB}}\n"),
		  4,
		  "unknown key \"size\" in storage.device.scale; expected a "
		  "field of the device that is an amount, such as bandwidth or "
		  "buckets.0.baseline" },
		{ FILE("    size: 1 GiB\n    scale: {buckets.0.peak: {value: "
		       "1}}\n"),
		  4,
		  "unknown key \"buckets.0.peak\" in storage.device.scale; "
		  "expected a field of the device that is an amount, such as "
		  "bandwidth or buckets.0.baseline" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void mistakes_in_rules_are_said_with_their_line(void **state)
{
	static const struct mistake mistakes[] = {
		{ FILE("    size: 1 GiB\n    scale: {iops: {per_tib: 3, "
		       "per_gib: "
		       "3}}\n"),
		  4,
		  "storage.device.scale.iops.per_gib: found \"3\"; expected "
		  "only one of per_gib, per_tib" },
		{ FILE("    size: 1 GiB\n    scale: {iops: {min: 3}}\n"), 4,
		  "storage.device.scale.iops: found a map; expected value, "
		  "per_gib or per_tib in it" },
		{ FILE("    size: 1 GiB\n    scale: {iops: {value: 3 MB/s}}\n"),
		  4,
		  "storage.device.scale.iops.value: found \"3 MB/s\"; expected "
		  "a whole number from 1 to 1000000000" },
		{ FILE("    size: 1 GiB\n    scale: {iops: 3}\n"), 4,
		  "storage.device.scale.iops: found \"3\"; expected a rule "
		  "such as {per_gib: 3, min: 100, max: 16000}" },
		{ FILE("    size: 1 GiB\n    scale: [iops]\n"), 4,
		  "storage.device.scale: found a list; expected a map of "
		  "fields and rules such as {iops: {per_gib: 3, min: 100}}" },
		{ FILE("    extends: aws-ebs-gp2\n    size: 17 TiB\n"), 4,
		  "storage.device.size: found 17 TiB; expected at most 16 "
		  "TiB" },
		{ FILE("    size: 1 MiB\n    scale: {bandwidth: {per_tib: 5 "
		       "MB/s}}\n"),
		  3,
		  "storage.device.size: found 1 MiB; expected one that makes "
		  "bandwidth a rate such as 150 MB/s, from 1 kB/s to 1 "
		  "PB/s" },
		{ FILE("    size: 1 B\n"), 3,
		  "storage.device.size: found \"1 B\"; expected a size such as "
		  "64 KiB, from 1 MiB to 1024 PiB" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void overrides_are_checked_like_files(void **state)
{
	static const struct mistake mistakes[] = {
		{ "storage.device.size=1 GiB", 0,
		  "storage.device.size: has no effect here; expected only with "
		  "a device whose rates or price depend on it" },
		{ "storage.device.scale={iops: {per_gib: 3}}", 0,
		  "storage.device.size: not given; expected a size such as 100 "
		  "GiB, for storage.device.scale" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

/* So many rules, the last of which fits any size. */
static int set_rules(int count, struct fault *fault)
{
	char text[2000] = "storage.device.scale={iops: [";
	size_t used = strlen(text);

	for (int i = 1; i < count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "{up_to: 1 MiB, value: 1}, ");
	snprintf(text + used, sizeof(text) - used, "{value: 3}]}");
	return scenario_set(&scenario, text, fault);
}

static void the_number_of_rules_has_a_ceiling(void **state)
{
	struct fault fault = { 0 };

	(void)state;
	start("{size: 1 GiB, scale: {iops: {value: 2}}}");
	assert_int_equal(set_rules(DEVICE_SCALES_MAX, &fault), 0);
	assert_int_equal(profile->iops, 3);
	assert_int_not_equal(set_rules(DEVICE_SCALES_MAX + 1, &fault), 0);
	assert_string_equal(fault.text, "storage.device.scale.iops: more than "
					"32 rules; expected fewer");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_may_begin_above_nothing),
		cmocka_unit_test(a_rule_is_a_line_between_bounds),
		cmocka_unit_test(amounts_of_every_kind_can_have_rules),
		cmocka_unit_test(of_several_rules_the_first_that_fits_counts),
		cmocka_unit_test(a_field_that_is_given_has_no_rule_any_more),
		cmocka_unit_test(rules_take_the_place_of_those_of_the_base),
		cmocka_unit_test(mistakes_are_said_with_their_line),
		cmocka_unit_test(mistakes_in_rules_are_said_with_their_line),
		cmocka_unit_test(overrides_are_checked_like_files),
		cmocka_unit_test(the_number_of_rules_has_a_ceiling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
