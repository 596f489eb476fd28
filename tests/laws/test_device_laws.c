/* SPDX-License-Identifier: MIT */
/*
 * What must hold for any device and any stream of requests, thrown at random
 * from a seed: no bucket gives more than it has, a better device never answers
 * later, retries follow the law of repeated trials.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define SEED 1994
#define STREAMS 300
#define REQUESTS 300
#define SLOTS_MAX 64

/* Random numbers of one stream, in turn. */
struct dice {
	struct random_stream stream;
	uint64_t thrown;
};

static uint64_t throw(struct dice * dice, uint64_t low, uint64_t high)
{
	return low + random_below(random_bits(dice->stream, dice->thrown++),
				  high - low + 1);
}

static struct dice dice_for(uint64_t stream)
{
	struct random_stream root = random_stream(SEED, RANDOM_SHUFFLE);

	return (struct dice){ random_substream(root, stream), 0 };
}

static struct bucket_profile throw_bucket(struct dice *dice)
{
	double capacity = (double) throw(dice, 1, 1000000);
	double baseline = (double) throw(dice, 1, 1000);

	return (struct bucket_profile){
		.capacity = capacity,
		.initial = capacity * (double) throw(dice, 0, 4) / 4,
		.baseline_per_s = baseline,
		.peak_per_s = baseline * (double) throw(dice, 1, 20),
	};
}

static void a_bucket_gives_no_more_than_it_has(void **x)
{
	(void)x;
	print_message("seed %d\n", SEED);
	for (uint64_t i = 0; i < STREAMS; i++) {
		struct dice dice = dice_for(i);
		struct bucket_profile profile = throw_bucket(&dice);
		struct bucket bucket;
		int64_t now_ns = 0;
		double work = 0;

		bucket_init(&bucket, &profile);
		for (int j = 0; j < REQUESTS; j++) {
			double units = (double) throw(&dice, 1, 5000);
			double at_s;

			now_ns += (int64_t) throw(&dice, 0, 4000000000);
			at_s = seconds_of(bucket_pass(&bucket, &profile, now_ns,
						      units)) +
			       1e-6;
			work += units;
			assert_true(bucket.credit >= 0);
			assert_true(bucket.credit <= profile.capacity);
			assert_true(work <=
				    profile.initial +
					    profile.baseline_per_s * at_s);
			assert_true(work <= profile.peak_per_s * at_s);
		}
	}
}

/* Never idle, a bucket does its work in two stretches: at peak until the
 * credit is gone, then at baseline; in a million parts as in one. */
static void a_busy_bucket_does_not_drift(void **x)
{
	const struct bucket_profile profile = { 1e6, 1e6, 300, 3000 };
	struct bucket bucket;
	int64_t now_ns = 0;

	(void)x;
	bucket_init(&bucket, &profile);
	for (int i = 0; i < 2000000; i++)
		now_ns = bucket_pass(&bucket, &profile, now_ns, 1);
	/* 1e6 / 2,700 s of burst do 1e6 * 3,000 / 2,700 units. */
	assert_close(seconds_of(now_ns),
		     1e6 / 2700 + (2e6 - 1e6 * 3000 / 2700) / 300, 1e-6);
}

/* ---- a better device ---- */

static struct device_profile throw_profile(struct dice *dice)
{
	struct device_profile profile = {
		.bandwidth_bytes_per_s = throw(dice, 1, 100) * 1000000,
		.stream_bandwidth_bytes_per_s = throw(dice, 0, 3) * 20000000,
		.iops = throw(dice, 0, 3) * 500,
		.io_unit_bytes = throw(dice, 0, 2) * 65536,
		.min_charge_bytes = throw(dice, 0, 2) * 16384,
		.merges = throw(dice, 0, 1),
		.latency_ns = { .kind = DISTRIBUTION_LOGNORMAL,
				.mean = 4e6,
				.stdev = 4e6 },
		.tail_probability = 0.05 * (double) throw(dice, 0, 1),
		.tail_latency_ns = { .mean = 1e8 },
		.max_inflight = (uint32_t) throw(dice, 0, SLOTS_MAX / 2),
		.bucket_count = 2,
		.buckets = { { BUCKET_OF_OPS, throw_bucket(dice) },
			     { BUCKET_OF_BYTES, throw_bucket(dice) } },
	};

	for (int i = 0; i < 2; i++)
		profile.buckets[i].profile.peak_per_s *= i ? 1e5 : 10;
	return profile;
}

static void improve(struct device_profile *profile, int how)
{
	switch (how) {
	case 0:
		profile->bandwidth_bytes_per_s *= 2;
		return;
	case 1:
		profile->iops *= 2;
		return;
	case 2:
		profile->max_inflight *= 2;
		return;
	case 3:
		profile->buckets[0].profile.peak_per_s *= 2;
		profile->buckets[1].profile.peak_per_s *= 2;
		return;
	case 4:
		for (int i = 0; i < 2; i++)
			profile->buckets[i].profile.initial =
				profile->buckets[i].profile.capacity;
		return;
	case 5:
		profile->stream_bandwidth_bytes_per_s *= 2;
		return;
	default:
		profile->tail_probability = 0;
	}
}

#define IMPROVEMENTS 7

static void a_better_device_never_answers_later(void **x)
{
	static int64_t slots[2][SLOTS_MAX];

	(void)x;
	for (uint64_t i = 0; i < STREAMS; i++) {
		struct dice dice = dice_for(i);
		struct device_profile profile = throw_profile(&dice);
		struct device_profile more = profile;
		struct device plain;
		struct device better;
		struct device_request request = { 0 };
		int64_t now_ns = 0;

		improve(&more, (int)(i % IMPROVEMENTS));
		device_init(&plain, &profile, i, slots[0]);
		device_init(&better, &more, i, slots[1]);
		for (; request.number < REQUESTS; request.number++) {
			request.position_bytes = throw(&dice, 0, 3) << 20;
			request.bytes = throw(&dice, 1, 1000000);
			now_ns += (int64_t) throw(&dice, 0, 5000000);
			/* To the rounding of a nanosecond. */
			assert_true(
				device_submit(&better, now_ns, &request).at_ns <=
				device_submit(&plain, now_ns, &request).at_ns +
					1);
		}
	}
}

/* ---- retries ---- */

static void retries_follow_the_law_of_repeated_trials(void **x)
{
	const double p = 0.3;
	struct device_profile profile = {
		.latency_ns = { .mean = 1000 },
		.error = { .probability = p, .retries = 3 },
	};
	struct device device;
	struct device_request request = { .bytes = 1 };
	double retries = 0;
	double failed = 0;

	(void)x;
	device_init(&device, &profile, SEED, NULL);
	for (; request.number < 1000000; request.number++) {
		struct completion done = device_submit(&device, 0, &request);

		retries += done.retries;
		failed += done.failed;
		/* Every attempt takes its latency. */
		assert_int_equal(done.at_ns, 1000 * (done.retries + 1));
	}
	assert_close(failed / 1e6, pow(p, 4), 0.0003);
	assert_close(retries / 1e6, p + p * p + p * p * p, 0.002);
}

static void waits_between_attempts_double_up_to_the_cap(void **x)
{
	struct device_profile profile = {
		.error = { .probability = 1,
			   .retries = 5,
			   .backoff_base_ns = 100,
			   .backoff_cap_ns = 500 },
	};
	struct device_request request = { .bytes = 1 };
	struct device device;

	(void)x;
	device_init(&device, &profile, SEED, NULL);
	assert_int_equal(device_submit(&device, 0, &request).at_ns,
			 100 + 200 + 400 + 500 + 500);
	profile.error.jitter = 1;
	device_init(&device, &profile, SEED, NULL);
	for (int i = 0; i < 1000; i++, request.number++)
		assert_true(device_submit(&device, 0, &request).at_ns < 1700);
}

static void a_failed_request_does_not_keep_others_waiting(void **x)
{
	struct device_profile profile = {
		.bandwidth_bytes_per_s = 1000000,
		.error = { .probability = 0.5,
			   .retries = 20,
			   .backoff_base_ns = NS_PER_S,
			   .backoff_cap_ns = NS_PER_S },
	};
	struct device_request request = { .bytes = 1000 };
	struct device device;

	(void)x;
	device_init(&device, &profile, SEED, NULL);
	for (; request.number < 100; request.number++) {
		struct completion done = device_submit(&device, 0, &request);
		int64_t queue_ns = (int64_t)(request.number + 1) * 1000000;

		assert_int_equal(done.at_ns,
				 queue_ns + done.retries * NS_PER_S);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bucket_gives_no_more_than_it_has),
		cmocka_unit_test(a_busy_bucket_does_not_drift),
		cmocka_unit_test(a_better_device_never_answers_later),
		cmocka_unit_test(retries_follow_the_law_of_repeated_trials),
		cmocka_unit_test(waits_between_attempts_double_up_to_the_cap),
		cmocka_unit_test(a_failed_request_does_not_keep_others_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
