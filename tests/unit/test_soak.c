/* SPDX-License-Identifier: MIT */
/* Falls that are there are found, and none that are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "analysis/probe/soak.h"
#include "sim/device.h"
#include "sim/math.h"
#include "sim/random.h"

#define PERIOD_S 0.1
#define COUNT 300
#define SERIES 300 /* of each kind */
#define SEED 11

/* Noise with a standard deviation of 1; `repeated` of each value is the one
 * before. */
static void make_noise(double *noise, size_t count, double repeated,
		       uint64_t series)
{
	struct random_stream stream =
		random_substream(random_stream(SEED, RANDOM_PROBE), series);
	double last = 0;

	for (size_t i = 0; i < count; i++) {
		double fresh = math_normal_quantile(
			random_unit(random_bits(stream, i)));

		last = repeated * last +
		       math_sqrt(1 - repeated * repeated) * fresh;
		noise[i] = last;
	}
}

static void assert_near(double found, double expected, double share)
{
	if (fabs(found / expected - 1) > share)
		fail_msg("found %g, expected %g within %g", found, expected,
			 share);
}

/* 2.4 GB/s for 8 s, then 1.0, each tenth of a second off by 10 %. */
static void a_fall_between_two_levels_is_found(void **state)
{
	double rates[COUNT];
	struct soak_burst burst;

	(void)state;
	print_message("seed %d\n", SEED);
	for (uint64_t series = 0; series < SERIES; series++) {
		make_noise(rates, COUNT, 0, series);
		for (size_t i = 0; i < COUNT; i++)
			rates[i] = (i < 80 ? 2.4e9 : 1e9) * (1 + rates[i] / 10);
		burst = soak_find(rates, COUNT, PERIOD_S);
		assert_true(burst.found);
		assert_near(burst.peak_per_s, 2.4e9, 0.05);
		assert_near(burst.baseline_per_s, 1e9, 0.03);
		assert_near(burst.burst_s, 8, 0.05);
	}
}

static void count_finds(double level, double slope, double noise,
			double repeated, unsigned most)
{
	double rates[COUNT];
	unsigned finds = 0;

	for (uint64_t series = 0; series < SERIES; series++) {
		make_noise(rates, COUNT, repeated, series);
		for (size_t i = 0; i < COUNT; i++)
			rates[i] = level + slope * (double)i / COUNT +
				   noise * rates[i];
		finds += soak_find(rates, COUNT, PERIOD_S).found;
	}
	if (finds > most)
		fail_msg("%u falls found in %d series without", finds, SERIES);
}

static void noise_around_one_level_is_no_fall(void **state)
{
	(void)state;
	count_finds(1e9, 0, 0, 0, 0);
	count_finds(1e9, 0, 1e8, 0, 0);
	count_finds(1e9, 0, 4e8, 0, 0);
}

/* Other work on the machine comes and goes: a fall needs more than that. */
static void noise_that_lasts_is_no_fall(void **state)
{
	(void)state;
	count_finds(1e9, 0, 1e8, 0.5, 0);
	count_finds(1e9, 0, 2e8, 0.8, 0);
}

static void a_drift_is_no_fall(void **state)
{
	(void)state;
	count_finds(1e9, -5e8, 1e7, 0, 0);
	count_finds(1e9, -5e8, 0, 0, 0);
}

static void a_rise_is_no_fall(void **state)
{
	double rates[COUNT];

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		rates[i] = i < 80 ? 1e9 : 2e9;
	assert_false(soak_find(rates, COUNT, PERIOD_S).found);
}

static void a_fall_too_small_to_matter_is_none(void **state)
{
	double rates[COUNT];

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		rates[i] = i < 80 ? 1e9 : 0.95e9;
	assert_false(soak_find(rates, COUNT, PERIOD_S).found);
}

/* Half a second of nothing is no level, in the middle or at the end. */
static void a_short_silence_is_no_fall(void **state)
{
	double rates[COUNT];
	size_t starts[] = { 0, 150, COUNT - 5 };

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		make_noise(rates, COUNT, 0, k);
		for (size_t i = 0; i < COUNT; i++)
			rates[i] = 1e9 + 5e7 * rates[i];
		for (size_t i = starts[k]; i < starts[k] + 5; i++)
			rates[i] = 0;
		assert_false(soak_find(rates, COUNT, PERIOD_S).found);
	}
}

static void short_series_tell_nothing(void **state)
{
	const double rates[] = { 9, 9, 9, 9, 9, 1, 1, 1, 1 };
	struct soak_burst burst;

	(void)state;
	burst = soak_find(rates, 0, PERIOD_S);
	assert_false(burst.found);
	burst = soak_find(rates, 9, PERIOD_S);
	assert_false(burst.found);
	assert_near(burst.peak_per_s, 49.0 / 9, 1e-12);
}

static void a_storage_that_stops_has_no_baseline(void **state)
{
	double rates[COUNT];

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		rates[i] = i < 80 ? 1e9 : 0;
	assert_false(soak_find(rates, COUNT, PERIOD_S).found);
}

/* A device with 10 GB of credit, earned at 1 GB/s and used at 3 GB/s: it
 * lasts 10 / (3 - 1) = 5 s. */
static void the_bucket_of_a_device_is_found_again(void **state)
{
	const struct device_profile profile = {
		.bucket_count = 1,
		.buckets = { { BUCKET_OF_BYTES,
			       { .capacity = 10e9,
				 .initial = 10e9,
				 .baseline_per_s = 1e9,
				 .peak_per_s = 3e9 } } },
	};
	struct device_request request = { .bytes = 1 << 20 };
	struct bucket_profile bucket;
	double rates[COUNT] = { 0 };
	struct device device;
	struct soak_burst burst;
	int64_t now_ns = 0;

	(void)state;
	device_init(&device, &profile, SEED, NULL);
	while (now_ns < COUNT * INT64_C(100000000)) {
		rates[now_ns / 100000000] += (double)request.bytes / PERIOD_S;
		now_ns = device_submit(&device, now_ns, &request).at_ns;
	}
	burst = soak_find(rates, COUNT, PERIOD_S);
	assert_true(burst.found);
	assert_near(burst.burst_s, 5, 0.021);
	bucket = soak_bucket(&burst);
	assert_near(bucket.peak_per_s, 3e9, 0.01);
	assert_near(bucket.baseline_per_s, 1e9, 0.01);
	assert_near(bucket.capacity, 10e9, 0.03);
	assert_near(bucket.initial, bucket.capacity, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fall_between_two_levels_is_found),
		cmocka_unit_test(noise_around_one_level_is_no_fall),
		cmocka_unit_test(noise_that_lasts_is_no_fall),
		cmocka_unit_test(a_drift_is_no_fall),
		cmocka_unit_test(a_rise_is_no_fall),
		cmocka_unit_test(a_fall_too_small_to_matter_is_none),
		cmocka_unit_test(a_short_silence_is_no_fall),
		cmocka_unit_test(short_series_tell_nothing),
		cmocka_unit_test(a_storage_that_stops_has_no_baseline),
		cmocka_unit_test(the_bucket_of_a_device_is_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
