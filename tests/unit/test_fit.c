/* SPDX-License-Identifier: MIT */
/* The law is fitted to devices whose parameters are known, as the device model
 * serves them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>

#include "analysis/probe/fit.h"
#include "sim/math.h"
#include "sim/random.h"

#define KIB 1024
#define MIB (1024 * KIB)
#define MICROSECOND 1000.0 /* nanoseconds */
#define SEED 7

static const struct {
	uint32_t inflight;
	uint64_t bytes;
} grid[] = {
	{ 1, 4 * KIB },	  { 2, 4 * KIB },    { 4, 4 * KIB },  { 8, 4 * KIB },
	{ 16, 4 * KIB },  { 32, 4 * KIB },   { 64, 4 * KIB }, { 16, 16 * KIB },
	{ 16, 64 * KIB }, { 16, 256 * KIB }, { 16, MIB },     { 16, 4 * MIB },
	{ 1, 64 * KIB },  { 1, 256 * KIB },  { 1, MIB },      { 1, 4 * MIB },
	{ 4, MIB },	  { 8, MIB },	     { 32, MIB },
};

#define GRID_COUNT (sizeof(grid) / sizeof(grid[0]))

/* 100 us, 500 MB/s a request, 60,000 operations and 2 GB a second. */
static struct device_profile known_device(void)
{
	return (struct device_profile){
		.bandwidth_bytes_per_s = 2000000000,
		.stream_bandwidth_bytes_per_s = 500000000,
		.iops = 60000,
		.latency_ns = distribution_constant(100 * MICROSECOND),
	};
}

/* What the device model does at each point, off by normal noise. */
static void measure(struct fit_point *points,
		    const struct device_profile *profile, double noise)
{
	struct random_stream stream = random_stream(SEED, RANDOM_PROBE);

	print_message("seed %d\n", SEED);
	for (size_t i = 0; i < GRID_COUNT; i++) {
		double off = math_normal_quantile(
			random_unit(random_bits(stream, i)));

		points[i] = (struct fit_point){
			grid[i].inflight, grid[i].bytes,
			fit_device_rate(profile, grid[i].inflight,
					grid[i].bytes, SEED) *
				math_exp(noise * off)
		};
	}
}

static void assert_near(double found, double expected, double share)
{
	if (fabs(found / expected - 1) > share)
		fail_msg("found %g, expected %g within %g", found, expected,
			 share);
}

static void the_law_is_the_least_of_three_limits(void **state)
{
	const struct fit_law law = { .latency_s = 1e-3,
				     .stream_bytes_per_s = 1e8,
				     .iops = 5000,
				     .bytes_per_s = 4e8 };

	(void)state;
	/* 1 ms and 1 MB at 100 MB/s, 10 ms; twice of it at once. */
	assert_near(fit_law_rate(&law, 1, 1000000), 1 / 11e-3, 1e-12);
	assert_near(fit_law_rate(&law, 2, 1000000), 2 / 11e-3, 1e-12);
	assert_near(fit_law_rate(&law, 64, 1000), 5000, 1e-12);
	assert_near(fit_law_rate(&law, 64, 1000000), 400, 1e-12);
}

static void a_device_completes_what_the_law_says(void **state)
{
	struct device_profile profile = known_device();
	const struct fit_law law = { .latency_s = 1e-4,
				     .stream_bytes_per_s = 5e8,
				     .iops = 60000,
				     .bytes_per_s = 2e9 };

	(void)state;
	for (size_t i = 0; i < GRID_COUNT; i++)
		assert_near(fit_device_rate(&profile, grid[i].inflight,
					    grid[i].bytes, SEED),
			    fit_law_rate(&law, grid[i].inflight, grid[i].bytes),
			    1e-3);
}

static void parameters_come_back_from_exact_points(void **state)
{
	struct device_profile profile = known_device();
	struct fit_point points[GRID_COUNT];
	struct fit_law law;

	(void)state;
	measure(points, &profile, 0);
	assert_int_equal(fit_law(&law, points, GRID_COUNT), 0);
	assert_near(law.latency_s, 1e-4, 0.005);
	assert_near(law.stream_bytes_per_s, 5e8, 0.005);
	assert_near(law.iops, 60000, 0.005);
	assert_near(law.bytes_per_s, 2e9, 0.005);
	assert_true(law.stream_seen);
	assert_true(law.iops_seen);
	assert_true(law.bytes_seen);
}

/* Errors of 5 % in the points; each parameter has at least three of them. */
static void parameters_come_back_from_noisy_points(void **state)
{
	struct device_profile profile = known_device();
	struct fit_point points[GRID_COUNT];
	struct fit_law law;

	(void)state;
	measure(points, &profile, 0.05);
	assert_int_equal(fit_law(&law, points, GRID_COUNT), 0);
	assert_near(law.latency_s, 1e-4, 0.06);
	assert_near(law.stream_bytes_per_s, 5e8, 0.06);
	assert_near(law.iops, 60000, 0.06);
	assert_near(law.bytes_per_s, 2e9, 0.06);
}

static void two_wild_points_do_not_move_the_fit(void **state)
{
	struct device_profile profile = known_device();
	struct fit_point points[GRID_COUNT];
	struct fit_law law;

	(void)state;
	measure(points, &profile, 0.02);
	points[6].requests_per_s /= 4;	/* of the iops */
	points[17].requests_per_s /= 4; /* of the bandwidth */
	assert_int_equal(fit_law(&law, points, GRID_COUNT), 0);
	assert_near(law.latency_s, 1e-4, 0.06);
	assert_near(law.iops, 60000, 0.12);
	assert_near(law.bytes_per_s, 2e9, 0.06);
}

/* 1 ms and 50 MB/s: 64 in flight make 64,000 of a million operations. */
static void a_limit_that_no_point_reached_is_not_seen(void **state)
{
	struct device_profile profile = {
		.bandwidth_bytes_per_s = 1000000000,
		.iops = 1000000,
		.latency_ns = distribution_constant(1000 * MICROSECOND),
	};
	struct fit_point points[GRID_COUNT];
	struct fit_law law;

	(void)state;
	measure(points, &profile, 0.02);
	assert_int_equal(fit_law(&law, points, GRID_COUNT), 0);
	assert_true(law.bytes_seen);
	assert_near(law.bytes_per_s, 1e9, 0.03);
	assert_false(law.iops_seen);
	assert_near(law.iops, 64000, 0.1);
	/* One request alone gets all of the bandwidth. */
	assert_false(law.stream_seen);
	assert_near(law.stream_bytes_per_s, law.bytes_per_s, 1e-9);
}

static void too_little_to_fit_is_refused(void **state)
{
	struct device_profile profile = known_device();
	struct fit_point points[GRID_COUNT];
	struct fit_law law;

	(void)state;
	measure(points, &profile, 0);
	assert_int_equal(fit_law(&law, points, FIT_POINTS_MIN - 1), -EINVAL);
	/* Nothing with one request in flight. */
	assert_int_equal(fit_law(&law, points + 1, 8), -EINVAL);
	points[3].requests_per_s = 0;
	assert_int_equal(fit_law(&law, points, GRID_COUNT), -EINVAL);
	points[3].requests_per_s = NAN;
	assert_int_equal(fit_law(&law, points, GRID_COUNT), -EINVAL);
}

static void the_profile_has_the_latency_of_the_law_as_its_mean(void **state)
{
	const struct fit_law law = { .latency_s = 250e-6,
				     .stream_bytes_per_s = 1e9,
				     .iops = 98765.4,
				     .bytes_per_s = 1e9 };
	const struct distribution measured = { .kind = DISTRIBUTION_QUANTILES,
					       .p50 = 80 * MICROSECOND,
					       .p90 = 130 * MICROSECOND,
					       .p99 = 900 * MICROSECOND,
					       .p999 = 5000 * MICROSECOND };
	struct device_profile profile;

	(void)state;
	fit_profile(&profile, &law, &measured);
	assert_near(distribution_mean(&profile.latency_ns), 250 * MICROSECOND,
		    1e-3);
	/* The shape is the measured one. */
	assert_near(profile.latency_ns.p99 / profile.latency_ns.p50, 900.0 / 80,
		    1e-3);
	assert_int_equal(profile.bandwidth_bytes_per_s, 1000000000);
	assert_int_equal(profile.stream_bandwidth_bytes_per_s, 0);
	/* Four digits. */
	assert_int_equal(profile.iops, 98770);
	/* The mean of 20,000 draws of that tail is sure to a few per cent. */
	assert_near(fit_device_rate(&profile, 1, 4 * KIB, SEED),
		    1 / (250e-6 + 4096 / 1e9), 0.06);
}

static void credit_is_used_up_before_a_rate_is_told(void **state)
{
	struct device_profile profile = known_device();

	(void)state;
	profile.bucket_count = 1;
	profile.buckets[0] = (struct device_bucket){
		BUCKET_OF_BYTES,
		{ .capacity = 1e12,
		  .initial = 1e12,
		  .baseline_per_s = 1e8,
		  .peak_per_s = 2e9 },
	};
	assert_near(fit_device_rate(&profile, 16, MIB, SEED), 1e8 / MIB, 1e-3);
}

static void errors_are_relative_and_ranked(void **state)
{
	const double measured[] = { 100, 100, 100, 100, 100,
				    100, 100, 100, 100, 100 };
	const double predicted[] = { 110, 80, 100, 150, 101,
				     102, 97, 104, 95,	106 };
	struct fit_error error = fit_error_of(predicted, measured, 10);

	(void)state;
	/* 0 1 2 3 4 | 5 6 10 20 50 per cent */
	assert_near(error.median, 0.045, 1e-9);
	assert_near(error.p90, 0.2, 1e-9);
	assert_near(error.max, 0.5, 1e-9);
	error = fit_error_of(predicted, measured, 3);
	assert_near(error.median, 0.1, 1e-9);
	assert_near(error.p90, 0.2, 1e-9);
	error = fit_error_of(predicted, measured, 0);
	assert_true(error.max == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_law_is_the_least_of_three_limits),
		cmocka_unit_test(a_device_completes_what_the_law_says),
		cmocka_unit_test(parameters_come_back_from_exact_points),
		cmocka_unit_test(parameters_come_back_from_noisy_points),
		cmocka_unit_test(two_wild_points_do_not_move_the_fit),
		cmocka_unit_test(a_limit_that_no_point_reached_is_not_seen),
		cmocka_unit_test(too_little_to_fit_is_refused),
		cmocka_unit_test(
			the_profile_has_the_latency_of_the_law_as_its_mean),
		cmocka_unit_test(credit_is_used_up_before_a_rate_is_told),
		cmocka_unit_test(errors_are_relative_and_ranked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
