/* SPDX-License-Identifier: MIT */
/* Devices as people write them: by name, by file, by what they extend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/mistake.h"
#include "tests/support/temp.h"
#include "traces/scenario.h"

#define REST                                                                   \
	"dataset: {examples: 100000, example_bytes: 100 kB}\n"                 \
	"accelerator: {step_time: 100 ms}\n"

static struct scenario scenario;
static const struct device_profile *const profile = &scenario.storage.profile;

/* A scenario whose device is this, with up to two overrides. */
static void parse(const char *device, const char *one, const char *other)
{
	const char *overrides[] = { one, other };
	struct fault fault = { 0 };
	char text[1000];

	snprintf(text, sizeof(text), REST "storage: {device: %s}\n", device);
	if (scenario_parse(&scenario, "a.yaml", text, strlen(text), overrides,
			   (uint32_t)(!!one + !!other), &fault))
		fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
}

static void set(const char *assignment)
{
	struct fault fault = { 0 };

	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", assignment, fault.text);
}

static void every_key_reaches_its_member(void **state)
{
	(void)state;
	parse("{description: a, source: b, as_of: c, unverified: d,"
	      " price: {per_gib_month: 0.08, per_mb_s_month: 0.04,"
	      " per_iops_month: 0.005, per_million_requests: 0.4},"
	      " bandwidth: 3 MB/s, stream_bandwidth: 2 MB/s, iops: 4000,"
	      " io_unit: 16 KiB, min_charge: 4 KiB, merge: true,"
	      " latency: 5 ms, tail: {probability: 0.25, latency: 6 s},"
	      " max_inflight: 7, first_touch: 8 ms,"
	      " seek: {track_to_track: 1 ms, average: 9 ms, full: 20 ms,"
	      " rpm: 7200, outer_rate: 200 MB/s, inner_rate: 100 MB/s,"
	      " capacity: 4 TB}, ramp: {initial: 500, doubling: 20 min},"
	      " error: {probability: 0.125, retries: 3, backoff: 10 ms,"
	      " backoff_cap: 1 s, jitter: 0.5}}",
	      NULL, NULL);
	assert_string_equal(scenario.storage.facts.description, "a");
	assert_string_equal(scenario.storage.facts.source, "b");
	assert_string_equal(scenario.storage.facts.as_of, "c");
	assert_string_equal(scenario.storage.facts.unverified, "d");
	assert_true(scenario.storage.facts.price.per_gib_month == 0.08);
	assert_true(scenario.storage.facts.price.per_mb_s_month == 0.04);
	assert_true(scenario.storage.facts.price.per_iops_month == 0.005);
	assert_true(scenario.storage.facts.price.per_million_requests == 0.4);
	assert_int_equal(profile->bandwidth_bytes_per_s, 3000000);
	assert_int_equal(profile->stream_bandwidth_bytes_per_s, 2000000);
	assert_int_equal(profile->iops, 4000);
	assert_int_equal(profile->io_unit_bytes, 16384);
	assert_int_equal(profile->min_charge_bytes, 4096);
	assert_true(profile->merges);
	assert_true(profile->latency_ns.mean == 5e6);
	assert_true(profile->tail_probability == 0.25);
	assert_true(profile->tail_latency_ns.mean == 6e9);
	assert_int_equal(profile->max_inflight, 7);
	assert_int_equal(profile->first_touch_ns, 8000000);
	assert_int_equal(profile->seek.track_to_track_ns, 1000000);
	assert_int_equal(profile->seek.average_ns, 9000000);
	assert_int_equal(profile->seek.full_ns, 20000000);
	assert_int_equal(profile->seek.rpm, 7200);
	assert_int_equal(profile->seek.outer_bytes_per_s, 200000000);
	assert_int_equal(profile->seek.inner_bytes_per_s, 100000000);
	assert_int_equal(profile->seek.capacity_bytes, 4000000000000);
	assert_int_equal(profile->ramp.initial_iops, 500);
	assert_int_equal(profile->ramp.doubling_ns, 1200000000000);
	assert_true(profile->error.probability == 0.125);
	assert_int_equal(profile->error.retries, 3);
	assert_int_equal(profile->error.backoff_base_ns, 10000000);
	assert_int_equal(profile->error.backoff_cap_ns, 1000000000);
	assert_true(profile->error.jitter == 0.5);
}

static void a_name_stands_for_all_its_fields(void **state)
{
	(void)state;
	parse("aws-ebs-gp3", NULL, NULL);
	assert_string_equal(scenario.storage.device, "aws-ebs-gp3");
	assert_string_equal(scenario.storage.extends, "");
	assert_int_equal(profile->iops, 3000);
	assert_int_equal(profile->bandwidth_bytes_per_s, 125 << 20);
	assert_true(strlen(scenario.storage.facts.source) > 0);
	/* Nothing of another device is left. */
	set("storage.device=hdd-7200rpm");
	assert_int_equal(profile->iops, 0);
	assert_int_equal(profile->bandwidth_bytes_per_s, 0);
	assert_int_equal(profile->seek.rpm, 7200);
	set("storage.device=native");
	assert_true(scenario.storage.native);
	assert_int_equal(profile->seek.rpm, 0);
	assert_string_equal(scenario.storage.facts.source, "");
	set("storage.device=aws-ebs-gp3");
	assert_false(scenario.storage.native);
	assert_int_equal(profile->iops, 3000);
}

static void what_is_given_counts_more_than_what_is_extended(void **state)
{
	(void)state;
	/* In whichever order it stands. */
	parse("{iops: 6000, extends: aws-ebs-gp3}", NULL, NULL);
	assert_int_equal(profile->iops, 6000);
	assert_int_equal(profile->bandwidth_bytes_per_s, 125 << 20);
	assert_string_equal(scenario.storage.device, "");
	assert_string_equal(scenario.storage.extends, "aws-ebs-gp3");
}

static void overrides_change_a_named_device(void **state)
{
	(void)state;
	parse("{bandwidth: 1 MB/s}", "storage.device=aws-ebs-gp3",
	      "storage.device.iops=6000");
	assert_int_equal(profile->iops, 6000);
	assert_int_equal(profile->bandwidth_bytes_per_s, 125 << 20);
	assert_string_equal(scenario.storage.device, "");
	assert_string_equal(scenario.storage.extends, "aws-ebs-gp3");
	/* One parameter of one of its fields. */
	parse("aws-s3-standard", "storage.device.latency.p50=10 ms", NULL);
	assert_true(profile->latency_ns.p50 == 10e6);
	assert_true(profile->latency_ns.p90 == 80e6);
	assert_string_equal(scenario.storage.extends, "aws-s3-standard");
}

static void another_base_starts_anew(void **state)
{
	(void)state;
	parse("{extends: aws-ebs-gp3, iops: 6000}",
	      "storage.device.extends=aws-ebs-io2", NULL);
	assert_int_equal(profile->iops, 16000);
	assert_string_equal(scenario.storage.extends, "aws-ebs-io2");
}

static void write_file(const struct temp *temp, const char *name,
		       const char *text)
{
	assert_int_equal(temp_write(temp, name, text, strlen(text)), 0);
}

static int read_file(const struct temp *temp, const char *override,
		     struct fault *fault)
{
	char path[TEMP_PATH_MAX];

	memset(fault, 0, sizeof(*fault));
	return scenario_read(&scenario, temp_name(temp, "s.yaml", path),
			     &override, !!override, fault);
}

/* Files lie beside the file that names them, wherever one stands. */
static void a_profile_is_read_from_its_file(void **state)
{
	const struct temp *temp = *state;
	char path[TEMP_PATH_MAX], override[TEMP_PATH_MAX + 20];
	struct fault fault;

	assert_int_equal(mkdir(temp_name(temp, "below", path), 0777), 0);
	write_file(temp, "s.yaml", REST "storage: {device: below/disk.yaml}\n");
	write_file(temp, "below/disk.yaml",
		   "# a disk\nextends: base.yml\niops: 7\n");
	write_file(temp, "below/base.yml",
		   "extends: aws-ebs-gp3\niops: 5\nlatency: 3 ms\n");
	if (read_file(temp, NULL, &fault))
		fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
	assert_int_equal(profile->iops, 7);
	assert_true(profile->latency_ns.mean == 3e6);
	assert_int_equal(profile->bandwidth_bytes_per_s, 125 << 20);
	assert_string_equal(scenario.storage.device, "below/disk.yaml");
	assert_string_equal(scenario.storage.extends, "");
	/* An option names it from where one stands. */
	snprintf(override, sizeof(override), "storage.device=%s",
		 temp_name(temp, "below/base.yml", path));
	assert_int_equal(read_file(temp, override, &fault), 0);
	assert_int_equal(profile->iops, 5);
}

/* Said where the file is named, and where in the file it is. */
static void mistakes_in_a_profile_are_said_with_both_places(void **state)
{
	static const struct {
		const char *text, *says; /* behind the folder */
		int error;
	} cases[] = {
		{ "iops: 7\nbandwith: 1 MB/s\n",
		  "/disk.yaml:2: unknown key \"bandwith\" in storage.device; "
		  "did you mean \"bandwidth\"?",
		  -EINVAL },
		{ "\n\nbandwidth: 0 MB/s\n",
		  "/disk.yaml:3: storage.device.bandwidth: found \"0 MB/s\"; "
		  "expected a rate such as 150 MB/s, from 1 kB/s to 1 PB/s",
		  -EINVAL },
		{ "- 1\n",
		  "/disk.yaml:1: storage.device: found a list; expected a map "
		  "of keys and values",
		  -EINVAL },
		{ "a: [\n",
		  "/disk.yaml:2: not YAML: did not find expected "
		  "node content",
		  -EINVAL },
	};
	const struct temp *temp = *state;
	struct fault fault;
	char path[TEMP_PATH_MAX];
	size_t i;

	write_file(temp, "s.yaml", REST "storage:\n  device: disk.yaml\n");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_file(temp, "disk.yaml", cases[i].text);
		assert_int_equal(read_file(temp, NULL, &fault), cases[i].error);
		assert_string_equal(fault.file,
				    temp_name(temp, "s.yaml", path));
		assert_int_equal(fault.line, 4);
		assert_memory_equal(fault.text, temp->path, strlen(temp->path));
		assert_string_equal(fault.text + strlen(temp->path),
				    cases[i].says);
	}
}

static void a_profile_that_is_not_there_is_said(void **state)
{
	const struct temp *temp = *state;
	char expected[TEMP_PATH_MAX + 100];
	struct fault fault;

	write_file(temp, "s.yaml", REST "storage: {device: gone.yaml}\n");
	assert_int_equal(read_file(temp, NULL, &fault), -ENOENT);
	snprintf(expected, sizeof(expected),
		 "storage.device: %s/gone.yaml cannot be read: No such file "
		 "or directory",
		 temp->path);
	assert_string_equal(fault.text, expected);
	assert_int_equal(fault.line, 3);
}

static void a_profile_that_extends_itself_ends(void **state)
{
	const struct temp *temp = *state;
	struct fault fault;

	write_file(temp, "s.yaml", REST "storage: {device: a.yaml}\n");
	write_file(temp, "a.yaml", "extends: b.yaml\n");
	write_file(temp, "b.yaml", "extends: a.yaml\n");
	assert_int_equal(read_file(temp, NULL, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "/a.yaml:1: "));
}

static void an_unknown_name_is_refused_with_the_nearest(void **state)
{
	static const struct mistake mistakes[] = {
		{ "storage:\n  device: aws-ebs-gp33\n", 2,
		  "storage.device: unknown device \"aws-ebs-gp33\"; did you "
		  "mean aws-ebs-gp3?" },
		{ "storage:\n  device: gp9\n", 2,
		  "storage.device: unknown device \"gp9\"; did you mean "
		  "aws-ebs-gp2 or aws-ebs-gp3?" },
		{ "storage:\n  device: s3\n", 2,
		  "storage.device: unknown device \"s3\"; did you mean "
		  "aws-s3-express or aws-s3-standard?" },
		{ "storage:\n  device:\n    size: 1 TiB\n    extends: nvme\n",
		  4,
		  "storage.device.extends: unknown device \"nvme\"; did you "
		  "mean nvme-pcie3, nvme-pcie4 or nvme-pcie5?" },
		{ "storage: {device: a floppy disk}\n", 1,
		  "storage.device: unknown device \"a floppy disk\"; expected "
		  "a name of `echosim list devices`, a profile file such as "
		  "my.yaml, native, or fields such as {bandwidth: 150 MB/s, "
		  "latency: 8 ms}" },
		{ "storage: {device: \"\"}\n", 1,
		  "storage.device: unknown device \"\"; expected a name of "
		  "`echosim list devices`, a profile file such as my.yaml, "
		  "native, or fields such as {bandwidth: 150 MB/s, latency: 8 "
		  "ms}" },
		{ "storage: {device: {extends: native}}\n", 1,
		  "storage.device.extends: found \"native\"; expected a device "
		  "of the catalogue or a profile file: native is as it is" },
		{ "storage: {device: [aws-ebs-gp3]}\n", 1,
		  "storage.device: found a list; expected a text of at most "
		  "255 characters" },
		{ "storage: {device: }\n", 1,
		  "storage.device: found nothing; expected a text of at most "
		  "255 characters" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_reaches_its_member),
		cmocka_unit_test(a_name_stands_for_all_its_fields),
		cmocka_unit_test(
			what_is_given_counts_more_than_what_is_extended),
		cmocka_unit_test(overrides_change_a_named_device),
		cmocka_unit_test(another_base_starts_anew),
		cmocka_unit_test_setup_teardown(a_profile_is_read_from_its_file,
						temp_setup, temp_teardown),
		cmocka_unit_test_setup_teardown(
			mistakes_in_a_profile_are_said_with_both_places,
			temp_setup, temp_teardown),
		cmocka_unit_test_setup_teardown(
			a_profile_that_is_not_there_is_said, temp_setup,
			temp_teardown),
		cmocka_unit_test_setup_teardown(
			a_profile_that_extends_itself_ends, temp_setup,
			temp_teardown),
		cmocka_unit_test(an_unknown_name_is_refused_with_the_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
