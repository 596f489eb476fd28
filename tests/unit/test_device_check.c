/* SPDX-License-Identifier: MIT */
/* Devices whose members do not suit each other, word for word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/close.h"
#include "tests/support/mistake.h"
#include "traces/device/check.h"
#include "traces/scenario.h"

#define FILE(device) "storage:\n  device:\n" device
#define SEEK                                                                   \
	"    seek:\n      rpm: 7200\n      average: 9 ms\n"                    \
	"      outer_rate: 200 MB/s\n      capacity: 1 TB\n"

static void contradictions_in_a_file_are_said_with_their_line(void **state)
{
	static const struct mistake mistakes[] = {
		{ FILE("    bandwidth: 1 MB/s\n    io_unit: 64 KiB\n"), 4,
		  "storage.device.io_unit: has no effect here; expected only "
		  "with storage.device.iops or a bucket of ops" },
		{ FILE("    iops: 1\n    min_charge: 64 KiB\n"), 4,
		  "storage.device.min_charge: has no effect here; expected "
		  "only with storage.device.bandwidth or a bucket of bytes" },
		{ FILE("    bandwidth: 1 MB/s\n    merge: true\n"), 4,
		  "storage.device.merge: has no effect here; expected only "
		  "with storage.device.iops, a bucket of ops or "
		  "storage.device.min_charge" },
		{ FILE(SEEK "      full: 8 ms\n"), 8,
		  "storage.device.seek.full: found 8 ms; expected at least "
		  "seek.average, 9 ms" },
		{ FILE(SEEK "      full: 28 ms\n"), 8,
		  "storage.device.seek.full: found 28 ms; expected at most "
		  "three times seek.average (both beyond track_to_track), 27 "
		  "ms" },
		{ FILE(SEEK "      track_to_track: 3 ms\n      full: 22 ms\n"),
		  9,
		  "storage.device.seek.full: found 22 ms; expected at most "
		  "three times seek.average (both beyond track_to_track), 21 "
		  "ms" },
		{ FILE(SEEK "      track_to_track: 10 ms\n"), 5,
		  "storage.device.seek.average: found 9 ms; expected at least "
		  "seek.track_to_track, 10 ms" },
		{ FILE(SEEK "      inner_rate: 201 MB/s\n"), 8,
		  "storage.device.seek.inner_rate: found 201 MB/s; expected at "
		  "most seek.outer_rate, 200 MB/s" },
		{ FILE("    iops: 100\n    ramp: {initial: 101, doubling: 1 "
		       "s}\n"),
		  4,
		  "storage.device.ramp.initial: found 101; expected at most "
		  "storage.device.iops, 100" },
		{ FILE("    iops: 100\n    error:\n      probability: 0.1\n"
		       "      backoff: 2 s\n      backoff_cap: 1 s\n"),
		  7,
		  "storage.device.error.backoff_cap: found 1 s; expected at "
		  "least error.backoff, 2 s" },
		{ FILE("    iops: 100\n    error: {retries: 2}\n"), 4,
		  "storage.device.error.retries: has no effect here; expected "
		  "only with storage.device.error.probability" },
		{ FILE("    iops: 100\n    error: {backoff: 2 s}\n"), 4,
		  "storage.device.error.backoff: has no effect here; expected "
		  "only with storage.device.error.probability" },
		{ FILE("    iops: 100\n    error: {backoff_cap: 2 s}\n"), 4,
		  "storage.device.error.backoff_cap: has no effect here; "
		  "expected only with storage.device.error.probability" },
		{ FILE("    iops: 100\n    error: {jitter: 1}\n"), 4,
		  "storage.device.error.jitter: has no effect here; expected "
		  "only with storage.device.error.probability" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

/* What is wrong for a field of the base is said where the base is extended. */
static void a_contradiction_to_the_base_is_said_where_it_was_made(void **state)
{
	static const struct mistake mistakes[] = {
		{ FILE("    extends: hdd-7200rpm\n    seek:\n      span: 7 "
		       "TB\n"),
		  5,
		  "storage.device.seek.span: found 7 TB; expected at most "
		  "seek.capacity, 6 TB" },
		{ FILE("    extends: hdd-7200rpm\n    seek:\n      full: 1 "
		       "ms\n"),
		  5,
		  "storage.device.seek.full: found 1 ms; expected at least "
		  "seek.average, 7400 us" },
		{ FILE("    extends: gcs\n    iops: 4000\n"), 3,
		  "storage.device.ramp.initial: found 5000; expected at most "
		  "storage.device.iops, 4000" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void values_out_of_range_are_refused(void **state)
{
	static const struct mistake mistakes[] = {
		{ FILE("    bandwidth: -1 MB/s\n"), 3,
		  "storage.device.bandwidth: found \"-1 MB/s\"; expected a "
		  "rate such as 150 MB/s, from 1 kB/s to 1 PB/s" },
		{ FILE("    stream_bandwidth: 0 B/s\n"), 3,
		  "storage.device.stream_bandwidth: found \"0 B/s\"; expected "
		  "a rate such as 150 MB/s, from 1 kB/s to 1 PB/s" },
		{ FILE("    iops: 0\n"), 3,
		  "storage.device.iops: found \"0\"; expected a whole number "
		  "from 1 to 1000000000" },
		{ FILE("    tail: {probability: 1.5}\n"), 3,
		  "storage.device.tail.probability: found \"1.5\"; expected a "
		  "number from 0 to 1" },
		{ FILE("    error: {jitter: 2}\n"), 3,
		  "storage.device.error.jitter: found \"2\"; expected a number "
		  "from 0 to 1" },
		{ FILE("    error: {retries: 33}\n"), 3,
		  "storage.device.error.retries: found \"33\"; expected a "
		  "whole number from 0 to 32" },
		{ FILE("    seek: {rpm: 0}\n"), 3,
		  "storage.device.seek.rpm: found \"0\"; expected a whole "
		  "number from 1 to 100000" },
		{ FILE("    merge: maybe\n"), 3,
		  "storage.device.merge: found \"maybe\"; expected true or "
		  "false" },
		{ FILE("    tail: {latency: {p50: 3 ms, p90: 2 ms, p99: 5 ms, "
		       "p999: 6 ms}}\n"),
		  3,
		  "storage.device.tail.latency: expected p50 <= p90 <= p99 <= "
		  "p999" },
		{ FILE("    price: {per_gib_month: -1}\n"), 3,
		  "storage.device.price.per_gib_month: found \"-1\"; expected "
		  "a number from 1e-09 to 1000000" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void what_is_missing_is_named(void **state)
{
	static const struct mistake mistakes[] = {
		{ "storage: {device: {max_inflight: 4}}\n", 0,
		  "storage.device: neither bandwidth nor latency is given, "
		  "nor iops, buckets or seek; expected a name of `echosim list "
		  "devices`, native, or fields such as {bandwidth: 150 MB/s, "
		  "latency: 8 ms}" },
		{ FILE("    tail: {probability: 0.1}\n"), 0,
		  "storage.device.tail.latency: not given; expected it with "
		  "storage.device.tail.probability" },
		{ FILE("    tail: {latency: 1 s}\n"), 0,
		  "storage.device.tail.probability: not given; expected it "
		  "with storage.device.tail.latency" },
		{ FILE("    seek: {average: 1 ms}\n"), 0,
		  "storage.device.seek.rpm: not given; expected it with the "
		  "other keys of storage.device.seek" },
		{ FILE("    seek: {rpm: 7200}\n"), 0,
		  "storage.device.seek.average: not given; expected it with "
		  "the other keys of storage.device.seek" },
		{ FILE("    seek: {rpm: 7200, average: 1 ms}\n"), 0,
		  "storage.device.seek.outer_rate: not given; expected it with "
		  "the other keys of storage.device.seek" },
		{ FILE("    seek: {rpm: 7200, average: 1 ms, outer_rate: 1 "
		       "MB/s}\n"),
		  0,
		  "storage.device.seek.capacity: not given; expected it with "
		  "the other keys of storage.device.seek" },
		{ FILE("    ramp: {doubling: 1 s}\n"), 0,
		  "storage.device.ramp.initial: not given; expected it with "
		  "storage.device.ramp.doubling" },
		{ FILE("    ramp: {initial: 1}\n"), 0,
		  "storage.device.ramp.doubling: not given; expected it with "
		  "storage.device.ramp.initial" },
		{ FILE("    ramp: {initial: 1, doubling: 1 s}\n"), 0,
		  "storage.device.iops: not given; expected it with "
		  "storage.device.ramp, which ends there" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

/* Each of these alone says how long a request takes. */
static void one_limit_is_enough(void **state)
{
	static const char *const devices[] = {
		"{bandwidth: 1 MB/s}",
		"{latency: 1 ms}",
		"{iops: 100}",
		"{buckets: [{of: ops, capacity: 9, baseline: 1, peak: 2}]}",
		"{buckets: [{of: bytes, capacity: 9 B, baseline: 1 MB/s, peak: "
		"2 MB/s}]}",
		"{seek: {rpm: 7200, average: 9 ms, outer_rate: 9 MB/s, "
		"capacity: 1 TB}}",
	};
	static struct scenario scenario;
	char assignment[200];
	struct fault fault;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		memset(&fault, 0, sizeof(fault));
		scenario_init(&scenario);
		snprintf(assignment, sizeof(assignment), "storage.device=%s",
			 devices[i]);
		assert_int_equal(scenario_set(&scenario, assignment, &fault),
				 0);
		assert_true(device_is_limited(&scenario.storage.profile));
	}
	scenario_init(&scenario);
	assert_false(device_is_limited(&scenario.storage.profile));
}

/* A hundred requests of a megabyte, each limit alone, by hand. */
static void a_backlog_is_the_sum_of_what_each_limit_takes(void **state)
{
	static const struct {
		const char *device;
		double seconds;
	} cases[] = {
		{ "{bandwidth: 10 MB/s}", 10 },
		{ "{bandwidth: 10 MB/s, min_charge: 2 MB}", 20 },
		{ "{iops: 50}", 2 },
		{ "{iops: 50, io_unit: 100 kB}", 22 },
		{ "{iops: 50, ramp: {initial: 25, doubling: 1 s}}", 4 },
		{ "{iops: 50, error: {probability: 0.5, retries: 3}}", 8 },
		{ "{buckets: [{of: bytes, capacity: 1 GB, baseline: 20 MB/s, "
		  "peak: 1 GB/s}]}",
		  5 },
		{ "{buckets: [{of: ops, capacity: 100, baseline: 4, peak: "
		  "1000}]}",
		  25 },
		{ "{latency: 1 s}", 0 },
		{ "{latency: 1 s, max_inflight: 10}", 10 },
		{ "{latency: 1 s, max_inflight: 10, first_touch: 500 ms, "
		  "error: {probability: 0.5, retries: 1, backoff: 1 s}}",
		  45 },
		{ "{seek: {rpm: 6000, average: 10 ms, outer_rate: 20 MB/s, "
		  "inner_rate: 10 MB/s, capacity: 1 TB}}",
		  14 },
	};
	static struct scenario scenario;
	char assignment[300];
	struct fault fault;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(&fault, 0, sizeof(fault));
		scenario_init(&scenario);
		snprintf(assignment, sizeof(assignment), "storage.device=%s",
			 cases[i].device);
		assert_int_equal(scenario_set(&scenario, assignment, &fault),
				 0);
		assert_close(device_backlog_s(&scenario.storage.profile, 100,
					      1e6),
			     cases[i].seconds, 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			contradictions_in_a_file_are_said_with_their_line),
		cmocka_unit_test(
			a_contradiction_to_the_base_is_said_where_it_was_made),
		cmocka_unit_test(values_out_of_range_are_refused),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(one_limit_is_enough),
		cmocka_unit_test(a_backlog_is_the_sum_of_what_each_limit_takes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
