/* SPDX-License-Identifier: MIT */
/*
 * Advice is a promise: who changes the named key as told gets the gain that is
 * claimed, to the last digit, whatever the scenario. Random ones, of which the
 * advice is taken as --set would and simulated again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/experiment.h"
#include "analysis/metric.h"
#include "sim/random.h"
#include "tests/support/close.h"

#define SCENARIOS 200
#define SEED 20260711u
#define ADVISED_MIN (SCENARIOS / 2)

static uint64_t drawn;

static uint32_t draw(uint32_t below)
{
	struct random_stream stream = random_stream(SEED, RANDOM_SHUFFLE);

	return (uint32_t)random_below(random_bits(stream, drawn++), below);
}

static void set(struct scenario *scenario, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void set(struct scenario *scenario, const char *format, ...)
{
	struct fault fault = { 0 };
	char text[256];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	if (scenario_set(scenario, text, &fault))
		fail_msg("%s: %s", text, fault.text);
}

static void set_device(struct scenario *scenario)
{
	static const char *const devices[] = {
		"aws-ebs-gp3",
		"aws-ebs-gp2",
		"nvme-pcie3",
		"hdd-7200rpm",
		"aws-s3-standard",
		"{bandwidth: 30 MB/s, latency: 2 ms}",
		"{iops: 300, latency: 3 ms}",
		"{bandwidth: 90 MB/s, buckets: [{of: bytes, capacity: 40 MB, "
		"baseline: 10 MB/s, peak: 60 MB/s}]}",
		"{extends: aws-ebs-gp2, size: 900 GiB}",
	};

	set(scenario, "storage.device=%s",
	    devices[draw(sizeof(devices) / sizeof(devices[0]))]);
}

static void set_stage(struct scenario *scenario, const char *name)
{
	switch (draw(4)) {
	case 0:
		set(scenario,
		    "pipeline.%s.time={dist: lognormal, mean: %u us, "
		    "stdev: %u us}",
		    name, 500 + draw(4000), 200 + draw(3000));
		break;
	case 1:
		set(scenario, "pipeline.%s.time=%u us", name, 1 + draw(5000));
		break;
	case 2:
		set(scenario, "pipeline.%s.rate=%u MB/s", name, 20 + draw(300));
		break;
	default:
		return;
	}
	set(scenario, "pipeline.%s.workers=%u", name, 1 + draw(9));
}

/* Work that stages do, a worker of the loader does alone. */
static void set_work(struct scenario *scenario, const char *name)
{
	char key[64];

	set_stage(scenario, name);
	snprintf(key, sizeof(key), "pipeline.%s.workers", name);
	if (scenario->loading.kind == LOADER_WORKERS)
		scenario->given[field_find(key) - field_table] = false;
}

static void set_loader(struct scenario *scenario)
{
	static const char *const words[] = { "false", "true" };
	static const char *const restarts[] = { "run", "epoch" };

	if (draw(2)) {
		set(scenario, "storage.queue_depth=%u", 1 + draw(24));
		set(scenario, "pipeline.ordered=%s", words[draw(2)]);
		set(scenario, "pipeline.shuffle_examples=%u",
		    draw(2) * draw(500));
	} else {
		set(scenario,
		    "pipeline.loader={kind: workers, workers: %u, "
		    "prefetch_factor: %u, in_order: %s, reads: %u}",
		    draw(7), 1 + draw(3), words[draw(2)], 1 + draw(3));
	}
	set(scenario,
	    "pipeline.loader={restart: %s, start: %u ms, pin: %u us, "
	    "handover: %u us}",
	    restarts[draw(2)], draw(2) * draw(50), draw(2) * draw(9000),
	    draw(2) * draw(9000));
}

static void draw_scenario(struct scenario *scenario)
{
	static const char *const orders[] = { "sequential", "shuffled-shards",
					      "shuffled-blocks", "random" };
	static const char *const echoes[] = {
		"{place: none}",
		"{place: batch, factor: 2}",
		"{place: example-after-augment, factor: 1.5, repeat_cost: 1 "
		"ms}",
		"{place: batch, policy: when-starved, max_factor: 3}",
	};

	scenario_init(scenario);
	set(scenario, "seed=%u", draw(1000));
	set(scenario,
	    "dataset={examples: 60000, example_bytes: %u kB, "
	    "block_bytes: %u kB, shard_examples: 500}",
	    20 + draw(180), 200 + draw(400));
	set_device(scenario);
	set(scenario, "storage.order=%s", orders[draw(4)]);
	set_loader(scenario);
	set_work(scenario, "decompress");
	set_work(scenario, "decode");
	set_work(scenario, "augment");
	set_work(scenario, "collate");
	set(scenario, "pipeline.batch_size=%u", 8 + draw(56));
	set(scenario, "accelerator={count: %u, step_time: %u ms}", 1 + draw(3),
	    1 + draw(60));
	set(scenario, "echo=[%s]", echoes[draw(4)]);
	set(scenario, "run={steps: %u, warmup_steps: 5}", 30 + draw(50));
}

static double rate_of(const struct scenario *scenario, bool explains,
		      struct result *result)
{
	const struct experiment experiment = {
		.scenario = scenario,
		.watch = { .memory_max = SIZE_MAX },
	};
	struct fault fault = { 0 };

	if (scenario_check(scenario, NULL, &fault))
		fail_msg("%s", fault.text);
	experiment_begin(&experiment, &scenario->echoes[0], result);
	assert_int_equal(experiment_run(&experiment, result, &fault), 0);
	if (explains)
		assert_int_equal(
			experiment_explain(&experiment, 0, result, &fault), 0);
	return (double)result->figures.steps /
	       (double)result->figures.elapsed_ns;
}

/* The gain of a change, taken beside another that may be NULL. */
static double gain_of(const struct scenario *before, double rate,
		      const char *change, const char *other)
{
	static struct scenario after;
	static struct result result;

	after = *before;
	set(&after, "%s", change);
	if (other)
		set(&after, "%s", other);
	return rate_of(&after, false, &result) / rate - 1;
}

static void what_is_claimed_is_what_the_change_brings(void **x)
{
	static struct scenario scenario;
	static struct result result;
	const struct attribution *found = &result.attribution;
	int advised = 0, coupled = 0, of_workers = 0, i;
	double rate;

	(void)x;
	print_message("seed %u\n", SEED);
	for (i = 0; i < SCENARIOS; i++) {
		draw_scenario(&scenario);
		rate = rate_of(&scenario, true, &result);
		assert_true(found->known);
		if (!found->bottleneck)
			continue;
		advised++;
		of_workers += scenario.loading.kind == LOADER_WORKERS;
		assert_close(metric_get("bottleneck.gain", &result).real,
			     gain_of(&scenario, rate, found->change.set, NULL),
			     1e-12);
		if (!(found->both_gain > 0))
			continue;
		coupled++;
		assert_close(found->both_gain,
			     gain_of(&scenario, rate, found->change.set,
				     found->next_change.set),
			     1e-12);
		assert_true(found->both_gain > found->gain);
	}
	print_message("%d with advice, %d of them coupled, %d of workers\n",
		      advised, coupled, of_workers);
	assert_true(advised > ADVISED_MIN);
	assert_true(coupled > 0);
	assert_true(of_workers > ADVISED_MIN / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_claimed_is_what_the_change_brings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
