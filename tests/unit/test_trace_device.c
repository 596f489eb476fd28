/* SPDX-License-Identifier: MIT */
/*
 * Devices that are known, asked by requests that somebody else chose: what was
 * put in must come out, as far as the requests ran into it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/device.h"
#include "sim/random.h"
#include "tests/support/close.h"

#define COUNT 20000
#define SEED 7
#define NS_PER_S 1e9

static struct device_sample samples[COUNT];

struct load {
	double requests_per_s; /* arrivals, exponential; 0: closed loop */
	uint32_t inflight;     /* of a closed loop */
	uint64_t bytes_low, bytes_high;
};

static uint32_t earliest(const int64_t *due_ns, uint32_t count)
{
	uint32_t least = 0;

	for (uint32_t i = 1; i < count; i++)
		if (due_ns[i] < due_ns[least])
			least = i;
	return least;
}

/* Asks the device, and keeps what an observer would see. */
static void observe(const struct device_profile *profile,
		    const struct load *load, size_t count)
{
	struct random_stream stream = random_stream(SEED, RANDOM_PROBE);
	void *memory = malloc(device_memory_bytes(profile) + 1);
	int64_t due_ns[64] = { 0 };
	struct device device;
	int64_t now_ns = 0;

	device_init(&device, profile, SEED, memory);
	for (size_t i = 0; i < count; i++) {
		uint64_t range = load->bytes_high - load->bytes_low + 1;
		struct device_request request = {
			.number = i,
			.position_bytes = i << 33,
			.bytes =
				load->bytes_low +
				random_below(random_bits(stream, 2 * i), range),
		};
		uint32_t slot = 0;
		struct completion done;

		if (load->requests_per_s > 0) {
			double u = random_unit(random_bits(stream, 2 * i + 1));
			struct distribution gap = {
				DISTRIBUTION_EXPONENTIAL,
				.mean = NS_PER_S / load->requests_per_s,
			};

			now_ns +=
				distribution_draw(&gap, (uint64_t)(u * 0x1p64));
		} else {
			slot = earliest(due_ns, load->inflight);
			now_ns = due_ns[slot] > now_ns ? due_ns[slot] : now_ns;
		}
		done = device_submit(&device, now_ns, &request);
		due_ns[slot] = done.at_ns;
		samples[i] = (struct device_sample){
			.issue_ns = now_ns,
			.start_ns = done.start_ns,
			.end_ns = done.at_ns,
			.number = i,
			.bytes = request.bytes,
		};
	}
	free(memory);
}

static struct device_fit fitted(const struct device_profile *profile,
				const struct load *load)
{
	struct device_fit fit;

	observe(profile, load, COUNT);
	assert_int_equal(device_fit_make(&fit, samples, COUNT), 0);
	assert_true(fit.known);
	print_message(
		"# B %llu b %llu I %llu M %u L %d %.0f (%.0f) | "
		"q %.3f mean %.3f\n",
		(unsigned long long)fit.profile.bandwidth_bytes_per_s,
		(unsigned long long)fit.profile.stream_bandwidth_bytes_per_s,
		(unsigned long long)fit.profile.iops, fit.profile.max_inflight,
		fit.profile.latency_ns.kind, fit.profile.latency_ns.mean,
		fit.profile.latency_ns.p50, fit.quantiles.max, fit.mean_error);
	return fit;
}

static struct distribution lognormal(double mean, double stdev)
{
	struct distribution distribution = { DISTRIBUTION_LOGNORMAL,
					     .mean = mean, .stdev = stdev };

	distribution_prepare(&distribution);
	return distribution;
}

static void a_pipe_with_constant_latency_is_found_exactly(void **state)
{
	const struct device_profile profile = {
		.bandwidth_bytes_per_s = 150000000,
		.latency_ns = distribution_constant(8e6),
	};
	/* Nine tenths of what it can do: 128.5 requests of 1 MiB. */
	const struct load load = { 128.5, 0, 1 << 20, 1 << 20 };
	struct device_fit fit = fitted(&profile, &load);

	(void)state;
	assert_true(fit.bandwidth_seen);
	assert_false(fit.inflight_seen);
	assert_close((double)fit.profile.bandwidth_bytes_per_s / 150e6, 1,
		     0.001);
	assert_int_equal(fit.profile.latency_ns.kind, DISTRIBUTION_CONSTANT);
	assert_close(fit.profile.latency_ns.mean / 8e6, 1, 0.01);
	assert_close(fit.quantiles.max, 0, 0.01);
	assert_close(fit.mean_error, 0, 0.01);
}

static void latency_that_varies_keeps_its_mean_and_spread(void **state)
{
	const struct device_profile profile = {
		.bandwidth_bytes_per_s = 500000000,
		.latency_ns = lognormal(3e6, 1e6),
	};
	const struct load loads[] = {
		{ 700, 0, 4096, 1 << 20 },   /* open, three quarters */
		{ 0, 16, 1 << 20, 1 << 20 }, /* closed, saturated */
	};
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct device_fit fit = fitted(&profile, &loads[i]);

		assert_close((double)fit.profile.bandwidth_bytes_per_s / 500e6,
			     1, 0.01);
		assert_close(fit.profile.latency_ns.mean / 3e6, 1, 0.05);
		assert_int_equal(fit.profile.latency_ns.kind,
				 DISTRIBUTION_LOGNORMAL);
		assert_close(fit.profile.latency_ns.stdev / 1e6, 1, 0.1);
		assert_close(fit.mean_error, 0, 0.05);
		assert_close(fit.quantiles.max, 0, 0.1);
	}
}

static void operations_are_told_from_bytes_by_sizes(void **state)
{
	const struct device_profile profile = {
		.bandwidth_bytes_per_s = 200000000,
		.iops = 3000,
		.latency_ns = lognormal(1e6, 2e5),
	};
	const struct load load = { 0, 24, 512, 65536 };
	struct device_fit fit = fitted(&profile, &load);

	(void)state;
	assert_true(fit.iops_seen);
	assert_close((double)fit.profile.iops / 3000, 1, 0.02);
	assert_close(fit.quantiles.max, 0, 0.1);
}

static void a_stream_is_told_from_the_pipe(void **state)
{
	const struct device_profile profile = {
		.bandwidth_bytes_per_s = 1000000000,
		.stream_bandwidth_bytes_per_s = 90000000,
		.latency_ns = lognormal(20e6, 5e6),
	};
	const struct load load = { 0, 8, 65536, 8 << 20 };
	struct device_fit fit = fitted(&profile, &load);

	(void)state;
	assert_true(fit.stream_seen);
	assert_close((double)fit.profile.stream_bandwidth_bytes_per_s / 90e6, 1,
		     0.03);
	assert_close(fit.profile.latency_ns.mean / 20e6, 1, 0.06);
	assert_close(fit.quantiles.max, 0, 0.1);
}

static void slots_are_counted_where_somebody_waits(void **state)
{
	const struct device_profile profile = {
		.latency_ns = lognormal(5e6, 1e6),
		.max_inflight = 6,
	};
	const struct load load = { 0, 16, 4096, 65536 };
	struct device_fit fit = fitted(&profile, &load);

	(void)state;
	assert_true(fit.inflight_seen);
	assert_int_equal(fit.profile.max_inflight, 6);
	assert_false(fit.bandwidth_seen);
	assert_false(fit.iops_seen);
	assert_close(fit.profile.latency_ns.mean / 5e6, 1, 0.02);
	assert_close(fit.mean_error, 0, 0.05);
}

/* One request at a time never meets a limit; nothing is made up. */
static void limits_that_nobody_met_are_left_out(void **state)
{
	const struct device_profile profile = {
		.bandwidth_bytes_per_s = 7000000000,
		.iops = 1000000,
		.latency_ns = lognormal(80e3, 20e3),
	};
	const struct load load = { 0, 1, 4096, 4096 };
	struct device_fit fit = fitted(&profile, &load);

	(void)state;
	assert_true(fit.one_size);
	assert_false(fit.bandwidth_seen);
	assert_false(fit.iops_seen);
	assert_false(fit.stream_seen);
	assert_close(fit.profile.latency_ns.mean / 80e3, 1, 0.02);
	/* 1 / 80 us, in the fastest of 312 stretches. */
	assert_true(fit.requests_per_s > 12500);
	assert_close(fit.quantiles.max, 0, 0.1);
}

static void classes_say_times_by_size_and_depth(void **state)
{
	const struct device_profile profile = {
		.bandwidth_bytes_per_s = 100000000,
	};
	/* Each waits for seven before it: 8 x 10 ms. */
	const struct load load = { 0, 8, 1000000, 1000000 };
	struct device_fit fit = fitted(&profile, &load);

	(void)state;
	assert_int_equal(fit.classes[0].bytes_low, 1 << 19);
	assert_int_equal(fit.classes[0].depth_low, 8);
	assert_close(fit.classes[0].p50_s, 0.080, 1e-6);
	assert_close(fit.classes[0].p99_s, 0.080, 1e-6);
	assert_close((double)fit.profile.bandwidth_bytes_per_s / 1e8, 1, 1e-3);
}

static void too_few_requests_say_nothing(void **state)
{
	struct device_fit fit;

	(void)state;
	observe(&(struct device_profile){ .latency_ns =
						  distribution_constant(1e6) },
		&(struct load){ 0, 1, 1, 1 }, 40);
	assert_int_equal(device_fit_make(&fit, samples, 0), 0);
	assert_false(fit.known);
	assert_int_equal(device_fit_make(&fit, samples, 15), 0);
	assert_false(fit.known);
	assert_int_equal(device_fit_make(&fit, samples, 40), 0);
	assert_true(fit.known);
	/* All at the same moment, and without a byte. */
	memset(samples, 0, sizeof(samples));
	assert_int_equal(device_fit_make(&fit, samples, 200), 0);
	assert_true(fit.known);
	assert_false(fit.bandwidth_seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipe_with_constant_latency_is_found_exactly),
		cmocka_unit_test(latency_that_varies_keeps_its_mean_and_spread),
		cmocka_unit_test(operations_are_told_from_bytes_by_sizes),
		cmocka_unit_test(a_stream_is_told_from_the_pipe),
		cmocka_unit_test(slots_are_counted_where_somebody_waits),
		cmocka_unit_test(limits_that_nobody_met_are_left_out),
		cmocka_unit_test(classes_say_times_by_size_and_depth),
		cmocka_unit_test(too_few_requests_say_nothing),
	};

	print_message("# seed %d\n", SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
