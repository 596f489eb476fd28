/* SPDX-License-Identifier: MIT */
/*
 * Devices of the catalogue do what their vendors publish (EC2 user guide, EFS
 * user guide, S3 user guide, Azure managed disk documentation, data sheets):
 * profile file, rules of size and device model together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/close.h"
#include "traces/scenario.h"

#define NS_PER_S 1e9
#define HOUR_S 3600.0
#define DEPTH_MAX 64

/* As many requests at once as `depth`: the next comes when the first of them
 * is done. */
struct load {
	struct device_profile profile;
	struct device device;
	void *memory;
	int64_t done_ns[DEPTH_MAX];
	unsigned depth;
	uint64_t number;
	uint64_t position;
	int64_t now_ns;
};

/* "NAME" or "{extends: NAME, ...}" */
static void load_start(struct load *load, const char *device, unsigned depth)
{
	static struct scenario scenario;
	char assignment[300];
	struct fault fault = { 0 };

	scenario_init(&scenario);
	snprintf(assignment, sizeof(assignment), "storage.device=%s", device);
	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", device, fault.text);
	memset(load, 0, sizeof(*load));
	load->profile = scenario.storage.profile;
	load->depth = depth;
	load->memory = malloc(device_memory_bytes(&load->profile) + 1);
	assert_non_null(load->memory);
	device_init(&load->device, &load->profile, 1, load->memory);
}

static void load_end(struct load *load)
{
	free(load->memory);
}

static void load_read(struct load *load, uint64_t position, uint64_t bytes)
{
	struct device_request request = {
		.number = load->number++,
		.position_bytes = position,
		.bytes = bytes,
	};
	unsigned first = 0, i;

	for (i = 1; i < load->depth; i++)
		if (load->done_ns[i] < load->done_ns[first])
			first = i;
	if (load->done_ns[first] > load->now_ns)
		load->now_ns = load->done_ns[first];
	load->done_ns[first] =
		device_submit(&load->device, load->now_ns, &request).at_ns;
	load->position = position + bytes;
}

/* With a gap between, so that nothing is merged. */
static void read_apart(struct load *load, uint64_t bytes)
{
	load_read(load, load->position + 4 * bytes, bytes);
}

static double now_s(const struct load *load)
{
	return (double)load->now_ns / NS_PER_S;
}

/* Reads that begin in so many seconds. */
static double rate(struct load *load, uint64_t bytes, double seconds)
{
	double end_s = now_s(load) + seconds;
	uint64_t count = load->number;

	while (now_s(load) < end_s)
		read_apart(load, bytes);
	return (double)(load->number - count) / seconds;
}

/* The second in which fewer than half of the peak begin. */
static double fall_s(struct load *load, uint64_t bytes, double peak)
{
	while (rate(load, bytes, 1) > peak / 2)
		continue;
	return now_s(load);
}

static void gp2_falls_to_its_baseline_when_published(void **state)
{
	struct load load;

	(void)state;
	load_start(&load, "{extends: aws-ebs-gp2, size: 100 GiB}", 32);
	assert_close(rate(&load, 4096, 1000), 3000, 30);
	assert_close(fall_s(&load, 4096, 3000), 2000, 20);
	assert_close(rate(&load, 4096, 1000), 300, 3);
	/* Idle for 18,000 s it has all its credit again. */
	load.now_ns += (int64_t)(18000 * NS_PER_S);
	read_apart(&load, 4096);
	assert_close(load.device.buckets[0].credit, 5.4e6, 5.4e4);
	load_end(&load);
}

/* Without the limit of bandwidth, so that one request is 64 operations. */
static void gp2_of_any_size_bursts_as_published(void **state)
{
	static const struct {
		const char *device;
		double burst_s, baseline;
	} cases[] = {
		{ "{extends: aws-ebs-gp2, size: 1 GiB", 1862, 100 },
		{ "{extends: aws-ebs-gp2, size: 33 GiB", 1862, 100 },
		{ "{extends: aws-ebs-gp2, size: 100 GiB", 2000, 300 },
		{ "{extends: aws-ebs-gp2, size: 334 GiB", 2703, 1002 },
		{ "{extends: aws-ebs-gp2, size: 750 GiB", 7200, 2250 },
	};
	char device[100];
	struct load load;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double baseline = cases[i].baseline;
		double middle = (3000 + baseline) / 2 / 64;

		snprintf(device, sizeof(device), "%s, bandwidth: 1 PB/s}",
			 cases[i].device);
		load_start(&load, device, 1);
		while (rate(&load, 16 << 20, 10) > middle)
			continue;
		assert_close(now_s(&load) / cases[i].burst_s, 1, 0.01);
		assert_close(64 * rate(&load, 16 << 20, 1000) / baseline, 1,
			     0.01);
		load_end(&load);
	}
}

/* Above a tebibyte there is nothing to burst to; 5,334 GiB have all there is. */
static void large_gp2_volumes_need_no_credit(void **state)
{
	static const struct {
		const char *device;
		double iops;
	} cases[] = {
		{ "{extends: aws-ebs-gp2, size: 2 TiB}", 6144 },
		{ "{extends: aws-ebs-gp2, size: 5334 GiB}", 16000 },
		{ "{extends: aws-ebs-gp2, size: 16 TiB}", 16000 },
	};
	struct load load;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		load_start(&load, cases[i].device, 64);
		assert_close(rate(&load, 4096, 10) / cases[i].iops, 1, 0.01);
		load_end(&load);
	}
}

static void volumes_have_the_throughput_that_is_published(void **state)
{
	static const struct {
		const char *device;
		double mib_per_s;
	} cases[] = {
		{ "{extends: aws-ebs-gp2, size: 100 GiB}", 128 },
		{ "{extends: aws-ebs-gp2, size: 334 GiB}", 250 },
		{ "{extends: aws-ebs-gp2, size: 250 GiB}", 250 },
		/* Without credit: operations of 256 KiB. */
		{ "{extends: aws-ebs-gp2, size: 250 GiB, buckets: [{of: ops, "
		  "capacity: 5400000, initial: 0, baseline: 750, peak: "
		  "3000}]}",
		  187.5 },
		{ "aws-ebs-gp3", 125 },
		{ "aws-ebs-io2", 4000 },
	};
	struct load load;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		load_start(&load, cases[i].device, 64);
		assert_close(rate(&load, 1 << 20, 60) / cases[i].mib_per_s, 1,
			     0.02);
		load_end(&load);
	}
}

/* st1 of 5 TiB in 2.91 h, sc1 of 1 TiB in 3.64 h. */
static void hard_disk_volumes_are_scanned_as_fast_as_published(void **state)
{
	static const struct {
		const char *device;
		double bytes, hours;
	} cases[] = {
		{ "{extends: aws-ebs-st1, size: 5 TiB}", 5 * 0x1p40, 2.91 },
		{ "{extends: aws-ebs-sc1, size: 1 TiB}", 0x1p40, 3.64 },
	};
	struct load load;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		load_start(&load, cases[i].device, 16);
		while ((double)load.position < cases[i].bytes)
			load_read(&load, load.position, 1 << 20);
		assert_close(now_s(&load) / HOUR_S / cases[i].hours, 1, 0.01);
		load_end(&load);
	}
}

/* Their rates at the sizes where the user guide's tables change: TiB, baseline
 * and burst in MiB/s. */
static void hard_disk_volumes_grow_as_published(void **state)
{
	static const struct {
		const char *device;
		double baseline, peak;
	} cases[] = {
		{ "{extends: aws-ebs-st1, size: 1 TiB}", 40, 250 },
		{ "{extends: aws-ebs-st1, size: 2 TiB}", 80, 500 },
		{ "{extends: aws-ebs-st1, size: 12.5 TiB}", 500, 500 },
		{ "{extends: aws-ebs-st1, size: 16 TiB}", 500, 500 },
		{ "{extends: aws-ebs-sc1, size: 3.125 TiB}", 37.5, 250 },
		{ "{extends: aws-ebs-sc1, size: 16 TiB}", 192, 250 },
	};
	struct load load;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		load_start(&load, cases[i].device, 1);
		assert_close(load.profile.buckets[0].profile.baseline_per_s,
			     cases[i].baseline * 0x1p20, 1);
		assert_close(load.profile.buckets[0].profile.peak_per_s,
			     cases[i].peak * 0x1p20, 1);
		load_end(&load);
	}
}

/* Google's tables: operations and MiB/s before the first GiB, for each, and
 * of an instance at most. */
static void persistent_disks_grow_as_published(void **state)
{
	static const struct {
		const char *device;
		uint64_t iops;
		double mib_per_s;
	} cases[] = {
		{ "{extends: gce-pd-ssd, size: 10 GiB}", 6300, 244.8 },
		{ "gce-pd-ssd", 21000, 480 },
		{ "{extends: gce-pd-ssd, size: 1 TiB}", 36720, 731.52 },
		{ "{extends: gce-pd-ssd, size: 64 TiB}", 100000, 1200 },
		{ "gce-pd-balanced", 6000, 280 },
		{ "{extends: gce-pd-balanced, size: 1 TiB}", 9144, 426.72 },
		{ "{extends: gce-pd-balanced, size: 64 TiB}", 80000, 1200 },
		{ "gce-hyperdisk-balanced", 3000, 140 },
		{ "gce-hyperdisk-ml", 16 * 400, 400 },
	};
	struct load load;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		load_start(&load, cases[i].device, 1);
		assert_int_equal(load.profile.iops, cases[i].iops);
		assert_close((double)load.profile.bandwidth_bytes_per_s,
			     cases[i].mib_per_s * 0x1p20, 1);
		load_end(&load);
	}
}

/* Seek 7.4 ms, half a turn 4.16 ms, overhead 0.1 ms. */
static void a_hard_disk_does_85_random_reads_a_second(void **state)
{
	struct random_stream places = random_stream(5, RANDOM_SHUFFLE);
	struct load load;
	uint64_t i;

	(void)state;
	load_start(&load, "hdd-7200rpm", 1);
	for (i = 0; i < 20000; i++)
		load_read(&load,
			  random_below(random_bits(places, i),
				       load.profile.seek.capacity_bytes),
			  4096);
	assert_close(20000 / now_s(&load), 85, 0.85);
	load_end(&load);
}

/* A read counts a third: 2.1 TiB of credit at 100 MiB/s above 50 MiB/s per
 * TiB are 12.2 h at 1 TiB, in which reads come at 300 MiB/s. */
static void efs_bursts_until_its_credits_are_spent(void **state)
{
	double burst_s = 2.1 * 0x1p40 / ((100 - 50) * 0x1p20);
	struct load load;

	(void)state;
	load_start(&load, "aws-efs-bursting", 64);
	assert_close(rate(&load, 4 << 20, 600), 75, 0.75);
	while (rate(&load, 4 << 20, 60) > 56)
		continue;
	assert_close(now_s(&load) / burst_s, 1, 0.01);
	assert_close(rate(&load, 4 << 20, 600), 37.5, 0.4);
	load_end(&load);
}

/* P20: 3,500 operations and 170 MB/s for 30 minutes, then 2,300 and 150. */
static void an_azure_disk_bursts_for_half_an_hour(void **state)
{
	struct load load;

	(void)state;
	load_start(&load, "azure-premium-p20", 32);
	while (rate(&load, 4096, 1) > 2900)
		continue;
	assert_close(now_s(&load), 1800, 18);
	assert_close(rate(&load, 4096, 100), 2300, 23);
	load_end(&load);
	load_start(&load, "azure-premium-p20", 32);
	while (rate(&load, 1000000, 1) > 160)
		continue;
	assert_close(now_s(&load), 1800, 18);
	assert_close(rate(&load, 1000000, 100), 150, 1.5);
	load_end(&load);
}

/* 5,500 reads a second of a prefix, twice that after each period, up to four
 * partitions' worth. */
static void an_s3_prefix_grows_under_load(void **state)
{
	static const double expected[] = { 5500, 11000, 22000, 22000 };
	struct load load;
	int i;

	(void)state;
	load_start(&load, "{extends: aws-s3-standard, latency: 1 ms}", 64);
	assert_close(rate(&load, 4096, 10), 5500, 55);
	load_end(&load);
	load_start(&load,
		   "{extends: aws-s3-standard, latency: 1 ms, iops: 22000, "
		   "ramp: {initial: 5500, doubling: 10 min}}",
		   64);
	read_apart(&load, 4096);
	for (i = 0; i < 4; i++) {
		load.now_ns = (int64_t)((600 * i + 60) * NS_PER_S);
		assert_close(rate(&load, 4096, 10), expected[i],
			     expected[i] * 0.01);
	}
	load_end(&load);
}

/* 90 MB/s a connection: AWS counts on 15 of them for 10 Gbit/s. */
static void s3_connections_add_up(void **state)
{
	struct load load;

	(void)state;
	load_start(&load, "{extends: aws-s3-standard, latency: 30 ms}", 15);
	assert_close(rate(&load, 16000000, 60) * 16e6 / 1.25e9, 0.93, 0.02);
	load_end(&load);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gp2_falls_to_its_baseline_when_published),
		cmocka_unit_test(gp2_of_any_size_bursts_as_published),
		cmocka_unit_test(large_gp2_volumes_need_no_credit),
		cmocka_unit_test(volumes_have_the_throughput_that_is_published),
		cmocka_unit_test(
			hard_disk_volumes_are_scanned_as_fast_as_published),
		cmocka_unit_test(hard_disk_volumes_grow_as_published),
		cmocka_unit_test(persistent_disks_grow_as_published),
		cmocka_unit_test(a_hard_disk_does_85_random_reads_a_second),
		cmocka_unit_test(efs_bursts_until_its_credits_are_spent),
		cmocka_unit_test(an_azure_disk_bursts_for_half_an_hour),
		cmocka_unit_test(an_s3_prefix_grows_under_load),
		cmocka_unit_test(s3_connections_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
