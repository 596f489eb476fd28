/* SPDX-License-Identifier: MIT */
/* Caches and links in scenarios. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/mistake.h"
#include "traces/scenario.h"

static struct scenario scenario;

static void parse(const char *text)
{
	struct fault fault = { 0 };

	if (scenario_parse(&scenario, "a.yaml", text, strlen(text), NULL, 0,
			   &fault))
		fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
}

static void set(const char *assignment)
{
	struct fault fault = { 0 };

	if (scenario_set(&scenario, assignment, &fault))
		fail_msg("%s: %s", assignment, fault.text);
}

/* The slower of the two. */
static void a_device_may_limit_each_host_as_its_link_does(void **state)
{
	static const struct {
		const char *link, *client;
		uint64_t expected;
	} cases[] = {
		{ "link.latency=1 us", "storage.device.client_bandwidth=5 MB/s",
		  5000000 },
		{ "link.bandwidth=4 MB/s",
		  "storage.device.client_bandwidth=5 MB/s", 4000000 },
		{ "link.bandwidth=6 MB/s",
		  "storage.device.client_bandwidth=5 MB/s", 5000000 },
		{ "link.bandwidth=6 MB/s", "seed=1", 6000000 },
		{ "link.latency=1 us", "seed=1", 0 },
	};
	struct tiers_profile tiers;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parse(MISTAKE_LEAST);
		set(cases[i].link);
		set(cases[i].client);
		scenario_tiers(&scenario, &tiers);
		assert_int_equal(tiers.link.bandwidth_bytes_per_s,
				 cases[i].expected);
	}
	set("storage.device=aws-efs-elastic");
	scenario_tiers(&scenario, &tiers);
	assert_int_equal(tiers.link.bandwidth_bytes_per_s, UINT64_C(1500)
								   << 20);
	set("storage.device=native");
	scenario_tiers(&scenario, &tiers);
	assert_int_equal(tiers.link.bandwidth_bytes_per_s, 0);
}

/* A local drive and a block volume are a host's own, a file system and an
 * object store are everybody's, and so is what nobody says. */
static void a_device_says_whose_it_is(void **state)
{
	static const struct {
		const char *device, *scope;
		enum device_scope expected;
	} cases[] = {
		{ "nvme-pcie4", "as-device", SCOPE_PER_HOST },
		{ "sata-ssd", "as-device", SCOPE_PER_HOST },
		{ "hdd-7200rpm", "as-device", SCOPE_PER_HOST },
		{ "aws-ebs-gp3", "as-device", SCOPE_PER_HOST },
		{ "azure-premium-p30", "as-device", SCOPE_PER_HOST },
		{ "ceph-rbd", "as-device", SCOPE_PER_HOST },
		{ "{extends: nvme-pcie4, iops: 5}", "as-device",
		  SCOPE_PER_HOST },
		{ "nfs-10gbe", "as-device", SCOPE_SHARED },
		{ "aws-efs-elastic", "as-device", SCOPE_SHARED },
		{ "aws-fsx-lustre-250", "as-device", SCOPE_SHARED },
		{ "aws-s3-standard", "as-device", SCOPE_SHARED },
		{ "gcs", "as-device", SCOPE_SHARED },
		{ "azure-blob", "as-device", SCOPE_SHARED },
		{ "{latency: 1 ms}", "as-device", SCOPE_SHARED },
		{ "{latency: 1 ms, scope: per-host}", "as-device",
		  SCOPE_PER_HOST },
		{ "nvme-pcie4", "shared", SCOPE_SHARED },
		{ "gcs", "per-host", SCOPE_PER_HOST },
	};
	char assignment[100];
	size_t i;

	(void)state;
	parse(MISTAKE_LEAST);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(assignment, sizeof(assignment), "storage.device=%s",
			 cases[i].device);
		set(assignment);
		snprintf(assignment, sizeof(assignment), "storage.scope=%s",
			 cases[i].scope);
		set(assignment);
		assert_int_equal(scenario_scope(&scenario), cases[i].expected);
	}
}

static void devices_are_counted_over_hosts_and_volumes(void **state)
{
	(void)state;
	parse(MISTAKE_LEAST);
	set("storage.device=nvme-pcie4");
	set("storage.volumes=3");
	set("accelerator.hosts=4");
	assert_int_equal(scenario_volumes(&scenario), 12);
	set("storage.scope=shared");
	assert_int_equal(scenario_volumes(&scenario), 3);
}

/* Each of them alone would take decades for what can be in flight. */
static void slow_links_and_caches_are_refused_like_slow_devices(void **state)
{
	static const char *const overrides[][2] = {
		{ "storage={queue_depth: 16384, request_bytes: 1 GiB}",
		  "link.bandwidth=1 kB/s" },
		{ "storage={queue_depth: 16384, request_bytes: 1 GiB}",
		  "cache={policy: lru, bytes: 1 MiB, bandwidth: 1 kB/s}" },
		{ "storage={queue_depth: 16384, request_bytes: 1 GiB}",
		  "storage.device.client_bandwidth=1 kB/s" },
	};
	struct fault fault;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(overrides) / sizeof(overrides[0]); i++) {
		memset(&fault, 0, sizeof(fault));
		assert_int_equal(scenario_parse(&scenario, "a.yaml",
						MISTAKE_LEAST,
						strlen(MISTAKE_LEAST),
						overrides[i], 2, &fault),
				 -EINVAL);
		assert_string_equal(
			fault.text,
			"storage.queue_depth: the device would need decades "
			"for the requests in flight; expected fewer or smaller "
			"ones, or a faster device");
	}
}

static void what_caches_hold_must_fit_the_memory(void **state)
{
	const char *override = "dataset={examples: 1e12, example_bytes: 1 kB, "
			       "block_bytes: 1 kB, shard_examples: 1e6}";
	const char *overrides[] = { override,
				    "cache={policy: lru, bytes: 1 PiB}" };
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(scenario_parse(&scenario, "a.yaml", MISTAKE_LEAST,
					strlen(MISTAKE_LEAST), overrides, 2,
					&fault),
			 -EINVAL);
	assert_string_equal(fault.text,
			    "cache.bytes: to know what is in the caches would "
			    "take more than 16 GiB of memory; expected smaller "
			    "caches, fewer hosts or larger dataset."
			    "block_bytes");
}

static void caches_and_links_must_make_sense(void **state)
{
	static const struct mistake mistakes[] = {
		{ "storage={device: native, volumes: 2}", MISTAKE_WHOLE,
		  "storage.volumes: has no effect here; expected only with a "
		  "device that is modelled, not native" },
		{ "storage={device: native, scope: shared}", MISTAKE_WHOLE,
		  "storage.scope: has no effect here; expected only with a "
		  "device that is modelled, not native" },
		{ "storage.scope=host", 0,
		  "storage.scope: found \"host\"; expected one of as-device, "
		  "shared, per-host" },
		{ "cache.bytes=1 GiB", MISTAKE_WHOLE,
		  "cache.bytes: has no effect here; expected only with "
		  "cache.policy lru or pinned" },
		{ "cache.bandwidth=1 GB/s", MISTAKE_WHOLE,
		  "cache.bandwidth: has no effect here; expected only with "
		  "cache.policy lru or pinned" },
		{ "cache.latency=1 ms", MISTAKE_WHOLE,
		  "cache.latency: has no effect here; expected only with "
		  "cache.policy lru or pinned" },
		{ "cache.policy=lru", MISTAKE_WHOLE,
		  "cache.bytes: not given; expected a size such as 100 GiB "
		  "with cache.policy lru or pinned" },
		{ "cache={policy: lur, bytes: 1 GiB}", 0,
		  "cache.policy: found \"lur\"; expected one of none, lru, "
		  "pinned; did you mean \"lru\"?" },
		{ "cache.bytes=-1 GiB", 0,
		  "cache.bytes: found \"-1 GiB\"; expected a size such as 64 "
		  "KiB, from 0 B to 1024 PiB" },
		{ "link.bandwidth=0", 0,
		  "link.bandwidth: found \"0\"; expected a rate such as 150 "
		  "MB/s, from 1 kB/s to 1 PB/s" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_may_limit_each_host_as_its_link_does),
		cmocka_unit_test(a_device_says_whose_it_is),
		cmocka_unit_test(devices_are_counted_over_hosts_and_volumes),
		cmocka_unit_test(
			slow_links_and_caches_are_refused_like_slow_devices),
		cmocka_unit_test(what_caches_hold_must_fit_the_memory),
		cmocka_unit_test(caches_and_links_must_make_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
