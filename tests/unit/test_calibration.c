/* SPDX-License-Identifier: MIT */
/* From measured points to a profile and its error, and how they are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/calibration.h"
#include "tests/support/printed.h"

#define KIB 1024
#define MIB (1024 * KIB)
#define SEED 3

static struct histogram latency_ns;

static void add(struct calibration *calibration, uint32_t inflight,
		uint64_t bytes, enum calibration_use use, double rate)
{
	calibration->points[calibration->count++] = (struct calibration_point){
		.point = { inflight, bytes, rate },
		.use = use,
		.rounds = 5,
		.lower_per_s = 0.9 * rate,
		.upper_per_s = 1.1 * rate,
	};
}

/* 100 us, 10,000 operations and 400 MB a second: at each point what the law
 * says. */
static void measure(struct calibration *calibration)
{
	*calibration = (struct calibration){
		.path = "/mnt/data",
		.what = "test file",
		.files = 1,
		.bytes = UINT64_C(2) << 30,
		.direct = true,
		.complete = true,
		.backend = "io_uring",
		.notes = "",
		.date = "2024-02-29",
		.seed = SEED,
		.latency_ns = &latency_ns,
	};
	memset(&latency_ns, 0, sizeof(latency_ns));
	for (int i = 0; i < 1000; i++)
		histogram_add(&latency_ns, 90000);
	add(calibration, 1, 4 * KIB, CALIBRATION_FITTED,
	    1 / (100e-6 + 4096 / 400e6));
	add(calibration, 16, 4 * KIB, CALIBRATION_FITTED, 10000);
	add(calibration, 64, 4 * KIB, CALIBRATION_FITTED, 10000);
	add(calibration, 1, MIB, CALIBRATION_FITTED,
	    1 / (100e-6 + MIB / 400e6));
	add(calibration, 16, MIB, CALIBRATION_FITTED, 400e6 / MIB);
	add(calibration, 32, 4 * MIB, CALIBRATION_FITTED, 400e6 / (4 * MIB));
	add(calibration, 1, MIB, CALIBRATION_SHOWN, 1000);
	add(calibration, 32, 16 * KIB, CALIBRATION_HELD_OUT, 10000);
	add(calibration, 8, 256 * KIB, CALIBRATION_HELD_OUT,
	    400e6 / (256 * KIB) / 1.2);
	add(calibration, 8, 4 * MIB, CALIBRATION_HELD_OUT,
	    400e6 / (4 * MIB) / 2);
}

static void make(struct calibration *calibration)
{
	struct fault fault = { 0 };

	assert_int_equal(calibration_make(calibration, &fault), 0);
}

static void assert_near(double found, double expected, double share)
{
	if (fabs(found / expected - 1) > share)
		fail_msg("found %g, expected %g within %g", found, expected,
			 share);
}

static void the_error_is_that_of_the_points_held_out(void **state)
{
	struct calibration calibration;

	(void)state;
	measure(&calibration);
	make(&calibration);
	/* 0, 20 and 100 per cent too much. */
	assert_near(calibration.held_out.median, 0.2, 0.03);
	assert_near(calibration.held_out.max, 1, 0.01);
	assert_true(calibration.fitted.max < 0.01);
	assert_near(calibration.spread, 0.2, 1e-9);
}

static void points_held_out_or_shown_do_not_touch_the_fit(void **state)
{
	struct calibration one, other;

	(void)state;
	measure(&one);
	measure(&other);
	for (size_t i = 0; i < other.count; i++)
		if (other.points[i].use != CALIBRATION_FITTED)
			other.points[i].point.requests_per_s *= 7;
	make(&one);
	make(&other);
	assert_true(one.law.latency_s == other.law.latency_s);
	assert_true(one.law.iops == other.law.iops);
	assert_true(one.law.bytes_per_s == other.law.bytes_per_s);
	assert_memory_equal(&one.profile, &other.profile, sizeof(one.profile));
	assert_true(one.held_out.max != other.held_out.max);
}

static void sequential_reads_are_set_against_random_ones(void **state)
{
	struct calibration calibration;

	(void)state;
	measure(&calibration);
	make(&calibration);
	assert_near(calibration.sequential_gain, 1000 * (100e-6 + MIB / 400e6),
		    1e-9);
}

static void points_measured_once_have_no_spread(void **state)
{
	struct calibration calibration;

	(void)state;
	measure(&calibration);
	calibration.points[4].rounds = 2;
	make(&calibration);
	assert_true(isnan(calibration.spread));
}

static void too_few_points_are_a_fault(void **state)
{
	struct calibration calibration;
	struct fault fault = { 0 };

	(void)state;
	measure(&calibration);
	calibration.count = 3;
	assert_int_equal(calibration_make(&calibration, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "3 points"));
}

/* ---- as text ---- */

/* As a printer has it; NULL: the profile. */
static char *written(const struct calibration *calibration, const char *printer)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (printer)
		return printed(calibration_document(calibration), printer);
	out = open_memstream(&text, &size);
	assert_non_null(out);
	calibration_yaml(out, calibration);
	fclose(out);
	return text;
}

static void assert_holds(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

static void the_profile_is_a_file_of_device_fields(void **state)
{
	struct calibration calibration;
	char *text;

	(void)state;
	measure(&calibration);
	make(&calibration);
	text = written(&calibration, NULL);
	assert_string_equal(
		text,
		"source: \"echosim probe /mnt/data (test file, direct; error "
		"on points not fitted: median 20.0 %, p90 100.0 %, max "
		"100.0 %)\"\n"
		"as_of: 2024-02-29\n"
		"bandwidth: 400.0 MB/s\n"
		"iops: 10000\n"
		"latency: {p50: 100.0 us, p90: 100.0 us, p99: 100.0 us, "
		"p999: 100.0 us}\n");
	free(text);
}

static void a_burst_becomes_a_bucket_below_the_peak(void **state)
{
	struct calibration calibration;
	double rates[100];
	char *text;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		rates[i] = i < 40 ? 1e9 : 4e8;
	measure(&calibration);
	calibration.soak_bytes_per_s = rates;
	calibration.soak_count = 100;
	calibration.soak_period_s = 0.1;
	make(&calibration);
	/* 600 MB/s above the baseline for 4 s. */
	text = written(&calibration, NULL);
	assert_holds(text, "bandwidth: 1.000 GB/s\n");
	assert_holds(text,
		     "buckets:\n"
		     "  - {of: bytes, capacity: 2400 MB, initial: 2400 MB, "
		     "baseline: 400.0 MB/s, peak: 1.000 GB/s}\n");
	free(text);
	text = written(&calibration, "text");
	assert_holds(text, "burst.baseline_bytes_per_s  400.0 MB/s");
	free(text);
	/* Without credit the model is as slow as the points are; but for what
	 * it earns in the pauses of one request at a time. */
	assert_true(calibration.fitted.max < 0.07);
}

static void a_soak_without_a_fall_says_so(void **state)
{
	struct calibration calibration;
	double rates[100];
	char *text;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		rates[i] = 4e8;
	measure(&calibration);
	calibration.soak_bytes_per_s = rates;
	calibration.soak_count = 100;
	calibration.soak_period_s = 0.1;
	make(&calibration);
	assert_int_equal(calibration.profile.bucket_count, 0);
	text = written(&calibration, "text");
	assert_holds(text, "no significant fall");
	free(text);
}

static void limits_that_were_not_seen_are_marked(void **state)
{
	struct calibration calibration;
	char *text;

	(void)state;
	measure(&calibration);
	calibration.points[1].point.requests_per_s = 16 / 110.24e-6;
	calibration.points[2].point.requests_per_s = 64 / 110.24e-6;
	calibration.points[7].use = CALIBRATION_SHOWN;
	make(&calibration);
	text = written(&calibration, NULL);
	assert_holds(text, "# no limit seen: the highest measured");
	free(text);
}

/* A path may be long, and may hold what YAML and UTF-8 may not. */
static void any_path_makes_a_line_of_the_profile(void **state)
{
	static const char odd[] = "/mnt/\"a\\b\"\n\xff";
	struct calibration calibration;
	char path[3000];
	char *text;

	(void)state;
	measure(&calibration);
	make(&calibration);
	calibration.path = odd;
	text = written(&calibration, NULL);
	assert_holds(text, "probe /mnt/\\\"a\\\\b\\\"?? (test file");
	free(text);
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	calibration.path = path;
	text = written(&calibration, NULL);
	assert_holds(text, "probe ...x");
	assert_true(strcspn(text, "\n") < 256);
	free(text);
	text = written(&calibration, "text");
	free(text);
}

static void programs_get_every_point(void **state)
{
	struct calibration calibration;
	char *text;

	(void)state;
	measure(&calibration);
	make(&calibration);
	text = written(&calibration, "json");
	assert_holds(text, "\"held_out\": {\n      \"median\": 0.1999");
	assert_holds(text, "\"use\": \"held out\"");
	assert_holds(text, "\"order\": \"sequential\"");
	assert_null(strstr(text, "\"soak\""));
	free(text);
	text = written(&calibration, "csv");
	assert_holds(text, "inflight,bytes,order,requests_per_s");
	assert_holds(text, "\n16,4096,random,10000,40960000,");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_error_is_that_of_the_points_held_out),
		cmocka_unit_test(points_held_out_or_shown_do_not_touch_the_fit),
		cmocka_unit_test(sequential_reads_are_set_against_random_ones),
		cmocka_unit_test(points_measured_once_have_no_spread),
		cmocka_unit_test(too_few_points_are_a_fault),
		cmocka_unit_test(the_profile_is_a_file_of_device_fields),
		cmocka_unit_test(a_burst_becomes_a_bucket_below_the_peak),
		cmocka_unit_test(a_soak_without_a_fall_says_so),
		cmocka_unit_test(limits_that_were_not_seen_are_marked),
		cmocka_unit_test(any_path_makes_a_line_of_the_profile),
		cmocka_unit_test(programs_get_every_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
