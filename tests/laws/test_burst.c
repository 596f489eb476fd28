/* SPDX-License-Identifier: MIT */
/*
 * Burst credit by theory. A device that is asked for R a second, with credit
 * for R at first, keeps its accelerators busy for credit / (R - baseline)
 * seconds, and baseline / R of the time ever after; it takes a baseline of a R
 * for an utilisation of a. Sizes and baselines are those of the providers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/metric.h"
#include "tests/support/close.h"
#include "tests/support/plans.h"

#define TIB 0x1p40
#define MIB 0x1p20

#define ONE_HOST "accelerator: {step_time: 100 ms}\n"
#define TWO_HOSTS "accelerator: {hosts: 2, step_time: 100 ms}\n"

/* 2,500 reads of 16 KiB a second by each host. */
#define SMALL_READS(hosts, device)                                             \
	"dataset: {examples: 4000000, example_bytes: 16 KiB, block_bytes: 16 " \
	"KiB, shard_examples: 1}\n"                                            \
	"pipeline: {batch_size: 250}\n" hosts "storage: {device: " device      \
	", order: random, request_bytes: 16 KiB, queue_depth: 32, window: "    \
	"64}\n"
#define GP2_100 "{extends: aws-ebs-gp2, size: 100 GiB}"

/* 160 reads of 1 MiB a second. */
#define LARGE_READS                                                            \
	"dataset: {examples: 4000000, example_bytes: 1 MiB, block_bytes: 1 "   \
	"MiB, shard_examples: 1}\n"                                            \
	"pipeline: {batch_size: 16}\n"                                         \
	"accelerator: {step_time: 100 ms}\n"                                   \
	"storage: {device: {extends: aws-ebs-st1, size: 2 TiB}, order: "       \
	"random, request_bytes: 1 MiB, queue_depth: 32}\n"

static struct result result;

static void simulate(const char *text)
{
	plans_begin(text, "au>=0.9");
	experiment_begin(&plans.experiment, &plans.scenario.echoes[0], &result);
	assert_int_equal(
		experiment_run(&plans.experiment, &result, &plans.fault), 0);
	assert_int_equal(experiment_sustain(&plans.experiment, &result,
					    &plans.fault),
			 0);
}

static void finish(void **state)
{
	free(result.sustained);
	plans_finish(state);
}

static double figure(const char *name)
{
	struct metric_value value = metric_get(name, &result);

	assert_true(value.known);
	return value.real;
}

static bool meets(const char *text)
{
	struct goal goal;

	assert_int_equal(goal_parse(&goal, text, &plans.fault), 0);
	return goal_met(&goal, &result);
}

static void credit_lasts_and_then_the_baseline_is_left(void **state)
{
	simulate(SMALL_READS(ONE_HOST, GP2_100));
	assert_close(figure("au"), 1, 1e-9);
	assert_close(figure("au_sustained"), 300.0 / 2500, 1e-3);
	assert_close(figure("burst.lasts_s"), 5.4e6 / (2500 - 300), 1);
	/* 100 steps of 100 ms, and what is read ahead. */
	assert_close(figure("burst.credit_used"), 10 * 2200 / 5.4e6, 2e-4);
	assert_close(figure("sustained.fresh_per_s"), 300, 1);
	assert_false(meets("au>=0.9"));
	assert_true(meets("au>=0.119"));
	assert_true(burst_matters(&result));
	finish(state);
}

/* Of two buckets, the one that is empty first: 1,800 times 3,000 operations. */
static void the_first_bucket_to_be_empty_counts(void **state)
{
	simulate(SMALL_READS(ONE_HOST, "azure-premium-p10"));
	assert_close(figure("au_sustained"), 500.0 / 2500, 1e-3);
	assert_close(figure("burst.lasts_s"), 5.4e6 / (2500 - 500), 1);
	finish(state);
}

static void a_device_within_its_baseline_lasts_for_good(void **state)
{
	simulate(
		SMALL_READS(ONE_HOST, "{extends: aws-ebs-gp2, size: 900 GiB}"));
	assert_false(metric_get("burst.lasts_s", &result).known);
	assert_close(figure("au_sustained"), 1, 1e-9);
	assert_true(meets("au>=0.99"));
	assert_false(burst_matters(&result));
	finish(state);
}

static void without_buckets_nothing_is_known_of_them(void **state)
{
	simulate(SMALL_READS(ONE_HOST, "aws-ebs-gp3"));
	assert_false(metric_get("au_sustained", &result).known);
	assert_false(metric_get("burst.credit_used", &result).known);
	assert_false(metric_get("sustained.fresh_per_s", &result).known);
	assert_null(result.sustained);
	finish(state);
}

/* Its length given, a job of ten seconds is done before the credit is. */
static void a_job_of_known_length_is_what_is_asked_for(void **state)
{
	simulate(SMALL_READS(ONE_HOST, GP2_100) "run: {duration: 10 "
						"s}\n");
	assert_true(meets("au>=0.99"));
	assert_true(burst_matters(&result));
	finish(state);
}

/* 40 minutes and 54.5 seconds of an hour at full speed. */
static void a_run_may_outlive_the_credit(void **state)
{
	double lasts_s = 5.4e6 / (2500 - 300);

	simulate(SMALL_READS(ONE_HOST, GP2_100) "run: {duration: 1 "
						"h}\n");
	assert_close(figure("burst.credit_used"), 1, 0);
	assert_close(figure("burst.lasts_s"), lasts_s, 2);
	assert_close(figure("au"), (lasts_s + (3600 - lasts_s) * 0.12) / 3600,
		     2e-3);
	assert_close(figure("au_sustained"), 0.12, 1e-3);
	finish(state);
}

/* Two hosts with a volume each ask as much of each; of one that both share,
 * twice as much, which is more than its peak: 3,000 a second. */
static void every_host_has_credit_of_its_own(void **state)
{
	simulate(SMALL_READS(TWO_HOSTS, GP2_100 ", scope: per-host"));
	assert_close(figure("burst.lasts_s"), 5.4e6 / (2500 - 300), 1);
	assert_close(figure("au_sustained"), 0.12, 1e-3);
	finish(state);
	simulate(SMALL_READS(TWO_HOSTS, GP2_100 ", scope: shared"));
	assert_close(figure("burst.lasts_s"), 5.4e6 / (3000 - 300), 12);
	assert_close(figure("au_sustained"), 0.06, 1e-3);
	finish(state);
}

static double planned_bytes(const char *text, bool by_start)
{
	static struct plan_answer answer;

	plans_begin(text, "au>=0.9");
	plans.experiment.by_start = by_start;
	plans_knob("storage.device.size=64 GiB..16 TiB");
	assert_int_equal(plan_alone(&plans.plan, 0, &answer, &plans.fault), 0);
	assert_true(answer.known && answer.reached);
	if (!by_start)
		assert_string_equal(answer.trial.binding, "the burst baseline");
	return answer.point.values[0];
}

/* 40 MiB/s of baseline a TiB, 250 MiB/s of peak; rounded up, as people type. */
static void a_plan_is_for_what_is_sustained(void **state)
{
	double wanted = 0.9 * 160 * MIB;
	double sustained = wanted / (40 * MIB) * TIB;
	double at_start = wanted / (250 * MIB) * TIB;

	assert_close(planned_bytes(LARGE_READS, false), sustained,
		     0.05 * sustained);
	plans_finish(state);
	assert_close(planned_bytes(LARGE_READS, true), at_start,
		     0.05 * at_start);
	plans_finish(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(credit_lasts_and_then_the_baseline_is_left),
		cmocka_unit_test(the_first_bucket_to_be_empty_counts),
		cmocka_unit_test(a_device_within_its_baseline_lasts_for_good),
		cmocka_unit_test(without_buckets_nothing_is_known_of_them),
		cmocka_unit_test(a_job_of_known_length_is_what_is_asked_for),
		cmocka_unit_test(a_run_may_outlive_the_credit),
		cmocka_unit_test(every_host_has_credit_of_its_own),
		cmocka_unit_test(a_plan_is_for_what_is_sustained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
