/* SPDX-License-Identifier: MIT */
/* Costs worked out by hand, from price lists and from made-up ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "analysis/plan/cost.h"
#include "analysis/plan/demand.h"
#include "analysis/metric.h"
#include "tests/support/close.h"
#include "traces/scenario.h"

#define MONTH 730.0						 /* hours */
#define DATA "dataset: {examples: 1024, example_bytes: 1 GiB}\n" /* 1 TiB */
#define STEPS "accelerator: {step_time: 100 ms, count: 8, hosts: 2}\n"

static struct scenario scenario;
static struct result result;

static void read_scenario(const char *rest)
{
	struct fault fault = { 0 };
	char text[1000];

	snprintf(text, sizeof(text), DATA STEPS "%s", rest);
	if (scenario_parse(&scenario, "a.yaml", text, strlen(text), NULL, 0,
			   &fault))
		fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
	memset(&result, 0, sizeof(result));
	cost_find(&result.cost, &scenario);
}

#define BATCH "pipeline: {batch_size: 4}\n"

static double hourly(const char *rest)
{
	struct metric_value cost;

	read_scenario(rest);
	cost = metric_get("cost_per_hour", &result);
	assert_true(cost.known);
	return cost.real;
}

/* 500 GiB with 6,000 IOPS and 225 MiB/s in us-east-1: 40 + 15 + 4 dollars a
 * month, as Amazon's price list adds them up; a volume in each of two hosts. */
static void a_gp3_volume_costs_what_amazon_asks(void **state)
{
	(void)state;
	assert_close(hourly(BATCH
			    "storage: {device: {extends: aws-ebs-gp3, size: "
			    "500 GiB, iops: 6000, bandwidth: 225 MiB/s}}\n") *
			     MONTH,
		     2 * (40 + 15 + 4), 0.001);
}

/* What all hosts share is paid for once; stripes of three volumes in each
 * host six times. */
static void volumes_are_paid_for_wherever_they_are(void **state)
{
	(void)state;
	assert_close(hourly(BATCH "storage: {scope: shared, device: {extends: "
				  "aws-ebs-gp3, size: 100 GiB}}\n") *
			     MONTH,
		     8, 1e-9);
	assert_close(hourly(BATCH
			    "storage: {volumes: 3, device: {extends: "
			    "aws-ebs-gp3, size: 100 GiB, iops: 4000}}\n") *
			     MONTH,
		     6 * (8 + 5), 1e-9);
	/* The dataset of a TiB, once in each host. */
	assert_close(hourly(BATCH "storage: {volumes: 3, scope: per-host, "
				  "device: {bandwidth: 1 GB/s, price: "
				  "{per_gib_month: 0.1}}}\n") *
			     MONTH,
		     2 * 102.4, 1e-9);
}

static void what_is_included_costs_nothing_more(void **state)
{
	(void)state;
	assert_close(hourly(BATCH "storage: {device: {extends: aws-ebs-gp3, "
				  "size: 100 GiB}}\n") *
			     MONTH,
		     2 * 8, 1e-9);
}

static void without_a_size_the_datasets_is_paid_for(void **state)
{
	(void)state;
	assert_close(hourly(BATCH "storage: {device: {bandwidth: 1 GB/s, "
				  "price: {per_gib_month: 0.1}}}\n") *
			     MONTH,
		     102.4, 1e-9);
}

/* Two hosts of 3, eight accelerators of 2 in each, 1 + 4 + 2 + 1 workers of
 * 0.25, and a cache of 73 GiB at 10 a month. */
static void hosts_and_what_is_in_them_add_up(void **state)
{
	(void)state;
	assert_close(hourly("storage: {device: {bandwidth: 1 GB/s}}\n"
			    "pipeline: {batch_size: 4, decode: {workers: 4},"
			    " augment: {workers: 2}}\n"
			    "cache: {policy: lru, bytes: 73 GiB}\n"
			    "prices: {host_hour: 3, accelerator_hour: 2,"
			    " worker_hour: 0.25, cache_gib_month: 10}\n"),
		     2 * (3 + 8 * 2 + 8 * 0.25 + 1), 1e-9);
}

static void ones_own_prices_of_storage_stand_for_the_devices(void **state)
{
	(void)state;
	assert_close(hourly(BATCH "storage: {device: {extends: aws-ebs-gp3, "
				  "size: 100 GiB}}\n"
				  "prices: {storage: {per_gib_month: 0.5}}\n") *
			     MONTH,
		     2 * 50, 1e-9);
}

static void dollars_do_not_add_to_another_money(void **state)
{
	(void)state;
	assert_close(hourly(BATCH "storage: {device: {extends: aws-ebs-gp3, "
				  "size: 100 GiB}}\n"
				  "prices: {currency: EUR, host_hour: 1}\n"),
		     2, 1e-9);
	assert_string_equal(metric_get("currency", &result).text, "EUR");
}

static void without_a_price_nothing_is_known(void **state)
{
	(void)state;
	read_scenario(BATCH "storage: {device: {bandwidth: 1 GB/s}}\n");
	assert_false(metric_get("cost_per_hour", &result).known);
	assert_false(metric_get("cost_per_epoch", &result).known);
	assert_false(metric_get("cost_to_target", &result).known);
	assert_false(metric_get("currency", &result).known);
}

/* 3,600 fresh examples in an hour, each in two requests of which a half was
 * cached: 36 an hour are 0.01 an example, and one request 0.002 more. */
static void an_epoch_costs_its_hours_and_its_requests(void **state)
{
	struct figures *figures = &result.figures;

	(void)state;
	read_scenario(BATCH "storage: {device: {bandwidth: 1 GB/s}}\n"
			    "prices: {host_hour: 18,"
			    " storage: {per_million_requests: 2000}}\n");
	figures->elapsed_ns = INT64_C(3600000000000);
	figures->fresh_examples = 3600;
	figures->storage.requests = 7200;
	figures->storage.bytes = 1000;
	figures->storage.cached_bytes = 500;
	result.pipeline.layout.examples = 1024;
	assert_close(metric_get("cost_per_hour", &result).real, 36, 1e-9);
	assert_close(metric_get("cost_per_epoch", &result).real, 1024 * 0.012,
		     1e-9);
	assert_false(metric_get("cost_to_target", &result).known);
	result.law.fresh = 100000;
	assert_close(metric_get("cost_to_target", &result).real, 1200, 1e-9);
}

static void what_has_no_price_is_named(void **state)
{
	char text[96];

	(void)state;
	read_scenario(BATCH "storage: {device: {bandwidth: 1 GB/s}}\n"
			    "cache: {policy: lru, bytes: 1 GiB}\n"
			    "prices: {host_hour: 18}\n");
	assert_string_equal(cost_missing(&scenario, text, sizeof(text)),
			    "accelerators, storage, caches");
}

/* Figures of MLPerf Storage: what an accelerator wants that never idles. */
static void demand_is_that_of_mlperf_storage(void **state)
{
	static const struct {
		double example_bytes;
		uint32_t batch;
		double step_s;
		double mb_per_s;
	} rows[] = {
		{ 146600628, 4, 1.3604, 431 },	 /* unet3d, V100 */
		{ 146600628, 7, 0.636, 1613.5 }, /* A100 */
		{ 146600628, 7, 0.323, 3177.1 }, /* H100 */
		{ 114660, 400, 0.224, 204.8 },	 /* resnet50, H100 */
		{ 2828486, 1, 0.0035, 808.1 },	 /* cosmoflow, H100 */
	};
	struct pipeline pipeline = { .echo = { .place = ECHO_NONE } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		pipeline.layout.example_bytes =
			distribution_constant(rows[i].example_bytes);
		pipeline.batch_size = rows[i].batch;
		pipeline.accelerators.step_ns =
			distribution_constant(rows[i].step_s * 1e9);
		assert_close(demand_bytes_per_s(&pipeline) / 1e6,
			     rows[i].mb_per_s, 0.0005 * rows[i].mb_per_s);
	}
}

static void repeats_lessen_the_demand(void **state)
{
	struct pipeline pipeline = {
		.echo = { .place = ECHO_BATCH, .factor = 4 },
		.batch_size = 10,
	};

	(void)state;
	pipeline.layout.example_bytes = distribution_constant(1000);
	pipeline.accelerators.step_ns = distribution_constant(1e9);
	assert_close(demand_bytes_per_s(&pipeline), 2500, 1e-9);
	assert_close(demand_accelerators(&pipeline, 10000).real, 4, 1e-9);
	memset(&result, 0, sizeof(result));
	result.pipeline = pipeline;
	result.pipeline.accelerators.count = 8;
	result.pipeline.accelerators.hosts = 3;
	assert_close(metric_get("demand_bytes_per_s", &result).real, 2500,
		     1e-9);
	assert_close(metric_get("demand_all_bytes_per_s", &result).real,
		     24 * 2500, 1e-9);
	assert_false(demand_accelerators(&pipeline, 0).known);
	pipeline.echo.policy = ECHO_WHEN_STARVED;
	assert_close(demand_bytes_per_s(&pipeline), 10000, 1e-9);
}

/* A packed dataset: 30 and 10 bytes in two blocks of two examples. */
static void a_packed_datasets_examples_have_their_mean_size(void **state)
{
	static const struct layout_entry entries[] = {
		{ .stored_bytes = 30 },
		{ .stored_bytes = 10 },
	};
	struct pipeline pipeline = {
		.batch_size = 3,
		.layout = { .examples = 4, .blocks = 2, .entries = entries },
	};

	(void)state;
	pipeline.accelerators.step_ns = distribution_constant(1e9);
	assert_close(demand_bytes_per_s(&pipeline), 30, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gp3_volume_costs_what_amazon_asks),
		cmocka_unit_test(volumes_are_paid_for_wherever_they_are),
		cmocka_unit_test(what_is_included_costs_nothing_more),
		cmocka_unit_test(without_a_size_the_datasets_is_paid_for),
		cmocka_unit_test(hosts_and_what_is_in_them_add_up),
		cmocka_unit_test(
			ones_own_prices_of_storage_stand_for_the_devices),
		cmocka_unit_test(dollars_do_not_add_to_another_money),
		cmocka_unit_test(without_a_price_nothing_is_known),
		cmocka_unit_test(an_epoch_costs_its_hours_and_its_requests),
		cmocka_unit_test(what_has_no_price_is_named),
		cmocka_unit_test(demand_is_that_of_mlperf_storage),
		cmocka_unit_test(repeats_lessen_the_demand),
		cmocka_unit_test(
			a_packed_datasets_examples_have_their_mean_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
