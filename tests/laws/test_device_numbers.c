/* SPDX-License-Identifier: MIT */
/*
 * Public numbers of real devices (sources: the EC2 user guide for gp2, st1 and
 * sc1; the Ultrastar HC310 data sheet for the disk; the EFS user guide; the
 * Azure managed disk documentation), and what must hold for any profile.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/runs.h"

#define KIB 1024.0
#define MIB (1024.0 * 1024)
#define GIB (1024.0 * 1024 * 1024)
#define TIB (1024.0 * 1024 * 1024 * 1024)
#define HOUR_S 3600.0

/* A device under load: the next request comes when the one before is done. */
struct load {
	struct device device;
	uint64_t number;
	uint64_t position;
	int64_t now_ns;
};

static void load_start(struct load *load, const struct device_profile *profile)
{
	memset(load, 0, sizeof(*load));
	device_init(&load->device, profile, 1, NULL);
}

static void load_read(struct load *load, uint64_t position, uint64_t bytes)
{
	struct device_request request = {
		.number = load->number++,
		.position_bytes = position,
		.bytes = bytes,
	};

	load->now_ns =
		device_submit(&load->device, load->now_ns, &request).at_ns;
	load->position = position + bytes;
}

/* Places with a gap between, so that nothing is merged. */
static void read_apart(struct load *load, uint64_t bytes)
{
	load_read(load, load->position + 4 * bytes, bytes);
}

static struct device_profile bucket_device(enum bucket_of of, double capacity,
					   double initial, double baseline,
					   double peak)
{
	return (struct device_profile){
		.bucket_count = 1,
		.buckets = { { of, { capacity, initial, baseline, peak } } },
	};
}

/* gp2: 3 IOPS per GiB, at least 100; bursts of 3,000 from 5.4 million credits,
 * which a new volume has. */
static void gp2_bursts_for_as_long_as_published(void **x)
{
	static const struct {
		double gib;
		double burst_s;
		double refill_s;
	} rows[] = {
		{ 33, 1862, 54000 },
		{ 100, 2000, 18000 },
		{ 334, 2703, 5389 },
		{ 750, 7200, 2400 },
	};

	(void)x;
	for (size_t i = 0; i < 4; i++) {
		double baseline = fmax(100, 3 * rows[i].gib);
		struct device_profile profile = bucket_device(
			BUCKET_OF_OPS, 5.4e6, 5.4e6, baseline, 3000);
		struct load load;
		double burst_s;

		load_start(&load, &profile);
		while (load.device.buckets[0].credit > 1)
			read_apart(&load, 4096);
		burst_s = seconds_of(load.now_ns);
		assert_close(burst_s / rows[i].burst_s, 1, 0.001);
		/* From then on the baseline. */
		for (int j = 0; j < 1000; j++)
			read_apart(&load, 4096);
		assert_close(1000 / (seconds_of(load.now_ns) - burst_s),
			     baseline, baseline * 0.005);
		/* Idle for the published time, it is full again. */
		load.now_ns += (int64_t)(rows[i].refill_s * 1.001 * 1e9);
		read_apart(&load, 4096);
		assert_close(load.device.buckets[0].credit, 5.4e6, 5.4e3);
	}
}

#define BIN_S 10
#define BINS 300

static void count_in_bin(void *context, const struct batch_use *use)
{
	uint64_t *bins = context;
	int64_t bin = use->at_ns / (BIN_S * NS_PER_S);

	if (bin < BINS)
		bins[bin] += use->count;
}

/* A whole training job on a gp2 volume of 100 GiB reads 3,000 small examples a
 * second for 2,000 s and 300 from then on. */
static void a_job_on_gp2_falls_to_baseline_at_the_published_second(void **x)
{
	struct device_profile profile =
		bucket_device(BUCKET_OF_OPS, 5.4e6, 5.4e6, 300, 3000);
	struct distribution size = bytes(16 * KIB);
	struct pipeline pipeline = plain_pipeline(100, 1);
	uint64_t bins[BINS] = { 0 };
	const struct watcher watcher = { .context = bins,
					 .batch = count_in_bin };
	static struct figures figures;
	int fall = 0;

	(void)x;
	layout_compute(&pipeline.layout, 10000000, &size, 1, 16 * 1024, 100, 1);
	pipeline.order = ORDER_SHUFFLED_BLOCKS;
	pipeline.request_bytes = 16 * 1024;
	pipeline.stages[STAGE_READ].workers = 32;
	pipeline.limit = (struct run_limit){
		.duration_ns = BINS * BIN_S * NS_PER_S,
	};
	run_pipeline(&pipeline, &profile, &watcher, &figures);
	while (fall < BINS && bins[fall] > 2000 * BIN_S)
		fall++;
	assert_close(fall * BIN_S, 2000, BIN_S);
	for (int i = 0; i < BINS; i++)
		if (i < fall - 1 || i > fall)
			assert_close((double)bins[i] / BIN_S,
				     i < fall ? 3000 : 300, 2);
}

/* st1, sc1: throughput buckets of 1 TiB per TiB that start full. */
static void st1_and_sc1_scan_as_fast_as_published(void **x)
{
	static const struct {
		double tib;
		double baseline_mib; /* per TiB */
		double peak_mib;
		double cap_mib;
		double scan_h;
	} rows[] = {
		{ 5, 40, 250, 500, 2.91 },
		{ 1, 12, 80, 250, 3.64 },
	};

	(void)x;
	for (size_t i = 0; i < 2; i++) {
		double tib = rows[i].tib;
		double peak = fmin(rows[i].cap_mib, rows[i].peak_mib * tib);
		struct device_profile profile = bucket_device(
			BUCKET_OF_BYTES, tib * TIB, tib * TIB,
			rows[i].baseline_mib * tib * MIB, peak * MIB);
		struct load load;

		load_start(&load, &profile);
		while ((double)load.position < tib * TIB)
			load_read(&load, load.position, 1024 * 1024);
		assert_close(seconds_of(load.now_ns) / HOUR_S / rows[i].scan_h,
			     1, 0.01);
	}
}

/* A random read of an HDD volume costs 1 MiB however small it is; sequential
 * reads are merged. */
static void st1_charges_random_reads_a_mebibyte(void **x)
{
	struct device_profile profile =
		bucket_device(BUCKET_OF_BYTES, TIB, 0, 40 * MIB, 250 * MIB);
	struct load load;

	(void)x;
	profile.min_charge_bytes = 1024 * 1024;
	profile.merges = true;
	load_start(&load, &profile);
	for (int i = 0; i < 400; i++)
		read_apart(&load, 16 * 1024);
	assert_close(400 / seconds_of(load.now_ns), 40, 0.4);
	load_start(&load, &profile);
	for (int i = 0; i < 64 * 40; i++)
		load_read(&load, load.position, 16 * 1024);
	assert_close(seconds_of(load.now_ns), 1, 0.03);
}

/* EBS SSD volumes charge an op per 256 KiB begun, and merge small sequential
 * reads into one. */
static void ops_are_charged_by_the_unit(void **x)
{
	static const struct {
		double kib;
		double ops;
	} rows[] = { { 4, 1 }, { 256, 1 }, { 257, 2 }, { 1024, 4 } };

	(void)x;
	for (size_t i = 0; i < 4; i++) {
		struct device_profile profile = { .iops = 1000,
						  .io_unit_bytes = 262144 };
		struct load load;

		load_start(&load, &profile);
		for (int j = 0; j <= 1000; j++)
			read_apart(&load, (uint64_t)(rows[i].kib * KIB));
		assert_close(seconds_of(load.now_ns), rows[i].ops, 1e-6);
	}
}

static void small_sequential_reads_are_merged(void **x)
{
	struct device_profile profile = { .iops = 1000,
					  .io_unit_bytes = 262144,
					  .merges = true };
	struct load load;

	(void)x;
	load_start(&load, &profile);
	for (int i = 0; i <= 64000; i++)
		load_read(&load, load.position, 4096);
	assert_close(seconds_of(load.now_ns), 1, 0.002);
}

/* Ultrastar HC310: 7.4 ms, 7,200 rpm, 4.16 ms mean rotation: 85 random reads
 * of 4 KiB a second; its own 255 MB/s in sequence. */
static struct device_profile hard_disk(void)
{
	return (struct device_profile){
		.latency_ns = { .mean = 0.1e6 },
		.seek = { .track_to_track_ns = 230000,
			  .average_ns = 7400000,
			  .rpm = 7200,
			  .outer_bytes_per_s = 255000000,
			  .inner_bytes_per_s = 255000000,
			  .capacity_bytes = UINT64_C(6000000000000) },
	};
}

static void a_disk_seeks_85_times_a_second(void **x)
{
	struct device_profile profile = hard_disk();
	struct random_stream places = random_stream(5, RANDOM_SHUFFLE);
	struct load load;

	(void)x;
	load_start(&load, &profile);
	for (uint64_t i = 0; i < 20000; i++)
		load_read(&load,
			  random_below(random_bits(places, i),
				       profile.seek.capacity_bytes),
			  4096);
	assert_close(20000 / seconds_of(load.now_ns), 85, 0.85);
}

static void a_disk_reads_in_sequence_at_its_media_rate(void **x)
{
	struct device_profile profile = hard_disk();
	struct load load;

	(void)x;
	profile.latency_ns.mean = 0;
	load_start(&load, &profile);
	for (int i = 0; i < 10000; i++)
		load_read(&load, load.position, 1000000);
	assert_close(10000 * 1e6 / seconds_of(load.now_ns) / 255e6, 1, 0.01);
}

/* Deskstar 7K500: the outer zone is twice as fast as the inner one. */
static void the_inner_zone_is_slower(void **x)
{
	struct device_profile profile = hard_disk();
	struct load outer;
	struct load inner;

	(void)x;
	profile.latency_ns.mean = 0;
	profile.seek.inner_bytes_per_s = 127500000;
	load_start(&outer, &profile);
	load_start(&inner, &profile);
	inner.position = profile.seek.capacity_bytes - 2000000000;
	for (int i = 0; i < 1000; i++) {
		load_read(&outer, outer.position, 1000000);
		load_read(&inner, inner.position, 1000000);
	}
	assert_close(seconds_of(inner.now_ns) / seconds_of(outer.now_ns), 2,
		     0.01);
}

/* EFS bursting below 1 TiB: 100 MiB/s while credits of 2.1 TiB last, which
 * accrue at 50 MiB/s per TiB; so 7 h or so for a small file system. */
static void efs_bursts_until_its_credits_are_spent(void **x)
{
	struct device_profile profile = bucket_device(
		BUCKET_OF_BYTES, 2.1 * TIB, 2.1 * TIB, 5 * MIB, 100 * MIB);
	double burst_s = 2.1 * TIB / (95 * MIB);
	struct load load;

	(void)x;
	load_start(&load, &profile);
	while (load.device.buckets[0].credit > 0)
		read_apart(&load, 8 * 1024 * 1024);
	assert_close(seconds_of(load.now_ns) / burst_s, 1, 0.001);
}

/* Azure P20: 2,300 IOPS, bursts of 3,500 for 30 minutes. */
static void an_azure_disk_bursts_for_half_an_hour(void **x)
{
	double capacity = (3500 - 2300) * 1800.0;
	struct device_profile profile =
		bucket_device(BUCKET_OF_OPS, capacity, capacity, 2300, 3500);
	struct load load;

	(void)x;
	load_start(&load, &profile);
	while (load.device.buckets[0].credit > 1)
		read_apart(&load, 4096);
	assert_close(seconds_of(load.now_ns), 1800, 2);
}

/* An object store that starts at 5,500 requests a second and doubles every 20
 * minutes. */
static void a_ramp_doubles_from_its_first_request_on(void **x)
{
	struct device_profile profile = {
		.iops = 44000,
		.ramp = { 5500, INT64_C(1200) * NS_PER_S },
	};
	static const double expected[] = { 5500, 11000, 22000, 44000, 44000 };
	struct load load;

	(void)x;
	load_start(&load, &profile);
	load.now_ns = 77 * NS_PER_S;
	for (int i = 0; i < 5; i++) {
		int64_t start_ns = (77 + 1200 * i + 60) * NS_PER_S;
		uint64_t first;

		read_apart(&load, 4096);
		load.now_ns = start_ns;
		first = load.number;
		while (load.now_ns < start_ns + 10 * NS_PER_S)
			read_apart(&load, 4096);
		assert_close((double)(load.number - first) / 10, expected[i],
			     expected[i] * 0.001);
	}
}

static void one_connection_is_no_faster_than_its_own_limit(void **x)
{
	struct device_profile profile = plain_device(1000000000);
	struct load load;

	(void)x;
	profile.stream_bandwidth_bytes_per_s = 90000000;
	profile.latency_ns = seconds(0.030);
	load_start(&load, &profile);
	for (int i = 0; i < 100; i++)
		read_apart(&load, 9000000);
	assert_close(seconds_of(load.now_ns), 100 * 0.130, 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gp2_bursts_for_as_long_as_published),
		cmocka_unit_test(
			a_job_on_gp2_falls_to_baseline_at_the_published_second),
		cmocka_unit_test(st1_and_sc1_scan_as_fast_as_published),
		cmocka_unit_test(st1_charges_random_reads_a_mebibyte),
		cmocka_unit_test(ops_are_charged_by_the_unit),
		cmocka_unit_test(small_sequential_reads_are_merged),
		cmocka_unit_test(a_disk_seeks_85_times_a_second),
		cmocka_unit_test(a_disk_reads_in_sequence_at_its_media_rate),
		cmocka_unit_test(the_inner_zone_is_slower),
		cmocka_unit_test(efs_bursts_until_its_credits_are_spent),
		cmocka_unit_test(an_azure_disk_bursts_for_half_an_hour),
		cmocka_unit_test(a_ramp_doubles_from_its_first_request_on),
		cmocka_unit_test(
			one_connection_is_no_faster_than_its_own_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
