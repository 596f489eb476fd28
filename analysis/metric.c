/* SPDX-License-Identifier: MIT */
#include "analysis/metric.h"

#include <string.h>

#include "analysis/burst.h"
#include "analysis/law/worth.h"
#include "analysis/metric_requests.h"
#include "analysis/metric_throttle.h"
#include "analysis/metric_workers.h"
#include "analysis/plan/cost.h"
#include "analysis/plan/demand.h"
#include "analysis/stall/stall.h"
#include "sim/check.h"
#include "traces/nearest.h"
#include "traces/scenario.h"

#define NS_PER_SECOND 1e9

/* Not known to anybody yet. */
static struct metric_value get_unknown(const struct result *result)
{
	(void)result;
	return value_unknown();
}

/* What was asked. */

static struct metric_value get_mode(const struct result *result)
{
	return value_text(result->live ? "live" : "sim");
}

static struct metric_value get_place(const struct result *result)
{
	return value_text(echo_place_name(result->echo.place));
}

static struct metric_value get_factor(const struct result *result)
{
	if (result->echo.place == ECHO_NONE)
		return value_real(1);
	if (result->echo.policy == ECHO_WHEN_STARVED)
		return value_real(result->echo.max_factor);
	return value_real(result->echo.factor);
}

static struct metric_value get_policy(const struct result *result)
{
	return value_text(echo_policy_name(result->echo.policy));
}

/* What the accelerators did. */

static struct metric_value get_complete(const struct result *result)
{
	return value_bool(result->figures.complete);
}

static struct metric_value get_steps(const struct result *result)
{
	return value_count(result->figures.steps);
}

static struct metric_value get_epochs(const struct result *result)
{
	return value_count(result->figures.run_epochs);
}

static struct metric_value get_elapsed(const struct result *result)
{
	return value_real((double)result->figures.elapsed_ns / NS_PER_SECOND);
}

static struct metric_value get_au(const struct result *result)
{
	const struct figures *figures = &result->figures;

	return value_ratio(level_to_double(figures->busy_ns),
			   level_to_double(figures->accelerator_ns));
}

static struct metric_value get_au_steady(const struct result *result)
{
	const struct figures *figures = &result->figures;

	return value_ratio(level_to_double(figures->steady_busy_ns),
			   (double)figures->steady_elapsed_ns *
				   (double)figures->accelerators);
}

static struct metric_value get_idle_fraction(const struct result *result)
{
	const struct figures *figures = &result->figures;

	return value_ratio(level_to_double(figures->idle_ns),
			   level_to_double(figures->accelerator_ns));
}

static struct metric_value get_steps_per_s(const struct result *result)
{
	return value_per_second(result->figures.steps,
				result->figures.elapsed_ns);
}

/* What happened to the examples. */

static struct metric_value get_examples_per_s(const struct result *result)
{
	return value_per_second(result->figures.consumed_examples,
				result->figures.elapsed_ns);
}

static struct metric_value get_fresh_per_s(const struct result *result)
{
	return value_per_second(result->figures.fresh_examples,
				result->figures.elapsed_ns);
}

static struct metric_value get_fresh(const struct result *result)
{
	return value_count(result->figures.fresh_examples);
}

static struct metric_value get_consumed(const struct result *result)
{
	return value_count(result->figures.consumed_examples);
}

static struct metric_value get_dropped(const struct result *result)
{
	return value_count(result->figures.run_dropped_examples);
}

static struct metric_value get_left_over(const struct result *result)
{
	return value_count(result->figures.run_left_over_examples);
}

static struct metric_value get_left_over_batches(const struct result *result)
{
	return value_count(result->figures.run_left_over_batches);
}

static struct metric_value get_under_way(const struct result *result)
{
	return value_count(result->figures.run_under_way_examples);
}

static struct metric_value get_digest(const struct result *result)
{
	return value_count(result->figures.digest);
}

static struct metric_value get_mean_factor(const struct result *result)
{
	return value_ratio((double)result->figures.consumed_examples,
			   (double)result->figures.fresh_examples);
}

static struct metric_value get_duplicates(const struct result *result)
{
	return value_ratio((double)result->figures.duplicates,
			   (double)result->figures.batches);
}

static struct metric_value get_lag(const struct result *result)
{
	return value_ratio((double)result->figures.lag_steps,
			   (double)result->figures.lag_uses);
}

/* The table. Its order is the order of every output. */

#define COUNT(name, help, get)                                                 \
	{                                                                      \
		name, METRIC_COUNT, "", false, help, get                       \
	}
#define REAL(name, unit, help, get)                                            \
	{                                                                      \
		name, METRIC_REAL, unit, false, help, get                      \
	}
#define PART(name, help)                                                       \
	{                                                                      \
		name, METRIC_PART, "", false, help, get_unknown                \
	}
#define TEXT(name, help, get)                                                  \
	{                                                                      \
		name, METRIC_TEXT, "", false, help, get                        \
	}
#define LIVE(name, kind, unit, help, get)                                      \
	{                                                                      \
		name, kind, unit, true, help, get                              \
	}

const struct metric metric_table[] = {
	TEXT("mode", "sim: modelled; live: real reads.", get_mode),
	TEXT("strategy.place", "Where in the pipeline data is echoed.",
	     get_place),
	REAL("strategy.factor", "",
	     "Uses of each item asked for; when-starved: at most.", get_factor),
	TEXT("strategy.policy", "fixed, or when-starved.", get_policy),
	{ "complete", METRIC_BOOL, "", false,
	  "The run reached its limit; false: it was interrupted.",
	  get_complete },
	COUNT("steps", "Steps in the measured window, warm-up excluded.",
	      get_steps),
	COUNT("epochs", "Epochs begun, warm-up included.", get_epochs),
	REAL("elapsed_s", "s", "Length of the measured window.", get_elapsed),
	REAL("au", "", "Accelerator utilisation: nominal step time / elapsed.",
	     get_au),
	REAL("au_steady", "",
	     "au of the steady part of the run (MSER-5 truncation).",
	     get_au_steady),
	REAL("au_sustained", "",
	     "au once burst credit is gone; null: the device has no bucket.",
	     sustained_au),
	REAL("idle_fraction", "", "1 - au.", get_idle_fraction),
	REAL("useful_au", "", "au x efficiency: a repeat is worth less.",
	     worth_useful_au),
	REAL("steps_per_s", "1/s", "Steps a second.", get_steps_per_s),
	REAL("examples_per_s", "1/s",
	     "Examples consumed a second, repeats included.",
	     get_examples_per_s),
	REAL("fresh_examples_per_s", "1/s",
	     "Examples first used a second, repeats not counted.",
	     get_fresh_per_s),
	COUNT("fresh_examples", "Examples read from storage and used.",
	      get_fresh),
	COUNT("consumed_examples", "Examples used by steps, repeats included.",
	      get_consumed),
	COUNT("dropped_examples",
	      "Examples too few for a batch as an epoch ended, whole run.",
	      get_dropped),
	COUNT("left_over_examples",
	      "Examples in whole batches that no step took as an epoch ended.",
	      get_left_over),
	COUNT("left_over_batches",
	      "Such batches: too few for a step of all accelerators.",
	      get_left_over_batches),
	COUNT("under_way_examples",
	      "Examples read ahead that no step had used as the run ended.",
	      get_under_way),
	REAL("mean_factor", "", "Consumed / fresh examples, as it happened.",
	     get_mean_factor),
	REAL("duplicates_in_batch", "",
	     "Uses of an example already in the same batch, mean per batch.",
	     get_duplicates),
	REAL("mean_lag_steps", "", "Steps between uses of one example, mean.",
	     get_lag),
	REAL("gain", "", "Fresh examples to the target, without / with echo.",
	     worth_gain),
	REAL("gain_min", "", "Lower end of the gain's range.", worth_gain_min),
	REAL("gain_max", "", "Upper end of the gain's range.", worth_gain_max),
	TEXT("gain_source", "Its source: table, interpolated, ..., or none.",
	     worth_gain_source),
	TEXT("gain_warning", "Where the law was asked beyond its range.",
	     worth_gain_warning),
	REAL("efficiency", "", "gain / mean_factor: worth of an average use.",
	     worth_efficiency),
	REAL("speedup", "", "Time to target without echo / with it.",
	     worth_speedup),
	REAL("time_to_target_s", "s", "Fresh examples to it / those a second.",
	     worth_time_to_target),
	REAL("cost_per_hour", "", "What stands there, by the prices known.",
	     cost_per_hour),
	REAL("cost_per_epoch", "", "All of it and the requests, in an epoch.",
	     cost_per_epoch),
	REAL("cost_to_target", "", "The same until the target.",
	     cost_to_target),
	REAL("burst.credit_used", "",
	     "Share of the burst credit that the run used; null: it uses none.",
	     burst_used),
	REAL("burst.lasts_s", "s",
	     "How long that credit lasts at this rate, from the start.",
	     burst_lasts),
	REAL("sustained.fresh_per_s", "1/s",
	     "The same once burst credit is gone, as all of sustained.",
	     sustained_fresh_rate),
	REAL("sustained.time_to_target_s", "s", "Time to target at that rate.",
	     sustained_time_to_target),
	REAL("sustained.speedup", "", "Speed-up at that rate.",
	     sustained_speedup),
	REAL("sustained.cost_per_epoch", "", "Cost of an epoch at that rate.",
	     sustained_cost_per_epoch),
	REAL("sustained.cost_to_target", "", "Cost to the target at that rate.",
	     sustained_cost_to_target),
	TEXT("currency", "The money of the costs.", cost_currency),
	REAL("demand_bytes_per_s", "B/s",
	     "What one accelerator that never idles would read.",
	     demand_metric),
	REAL("demand_all_bytes_per_s", "B/s",
	     "The same of all accelerators of all hosts together.",
	     demand_all_metric),
	TEXT("rank", "best; tie: within the law's spread.", worth_rank),
	REAL("stalls.fetch", "", "Idle that infinitely fast storage would end.",
	     stall_fetch),
	REAL("stalls.prep", "", "Idle that infinitely fast stages would end.",
	     stall_prep),
	REAL("stalls.other", "", "The rest: start-up, hand-over, barrier.",
	     stall_other),
	TEXT("bottleneck.resource",
	     "What raises the rate most when it gets 10 % better.",
	     stall_bottleneck),
	REAL("bottleneck.gain_per_10pct", "",
	     "By which fraction it does, for 10 %.", stall_gain),
	TEXT("bottleneck.change", "What was changed to see that, as for --set.",
	     stall_change),
	REAL("bottleneck.gain", "", "What that change brings.",
	     stall_change_gain),
	TEXT("bottleneck.next", "The next one after it.", stall_next),
	{ "digest", METRIC_DIGEST, "", false,
	  "Of every decision: equal ones, equal runs.", get_digest },
	PART("stages", "Every stage of the pipeline."),
	COUNT("loader.workers",
	      "Workers that carry whole batches, of all accelerators together; "
	      "null, as all of loader: it has stages.",
	      metric_workers_count),
	REAL("loader.busy_fraction", "",
	     "Share of their time with a batch in work, reads included.",
	     metric_workers_busy),
	REAL("loader.held_fraction", "",
	     "Share in which they had finished all they were given and waited "
	     "for some of it to be handed over.",
	     metric_workers_held),
	REAL("loader.blocked_fraction", "",
	     "Of that, while their accelerator waited for another one's batch.",
	     metric_workers_blocked),
	REAL("loader.dispatched_batches_mean", "",
	     "Batches given to workers and not handed over, mean over time.",
	     metric_workers_out),
	{ "storage.bytes", METRIC_COUNT, "B", false,
	  "Asked of storage, what caches had included.",
	  metric_requests_bytes },
	REAL("storage.bytes_per_s", "B/s", "The same a second.",
	     metric_requests_bytes_per_s),
	COUNT("storage.requests", "Read requests.", metric_requests_count),
	REAL("storage.requests_per_s", "1/s", "The same a second.",
	     metric_requests_per_s),
	REAL("storage.read_amplification", "",
	     "Bytes asked / stored bytes of the examples delivered.",
	     metric_requests_amplification),
	REAL("storage.queue_depth_mean", "",
	     "Requests in flight, mean over time.",
	     metric_requests_queue_depth),
	REAL("storage.latency_s.p50", "s",
	     "Request issued to complete, median.",
	     metric_requests_latency_p50),
	REAL("storage.latency_s.p90", "s", "The same, 90 % are below.",
	     metric_requests_latency_p90),
	REAL("storage.latency_s.p99", "s", "The same, 99 % are below.",
	     metric_requests_latency_p99),
	REAL("storage.latency_s.p999", "s", "The same, 99.9 % are below.",
	     metric_requests_latency_p999),
	REAL("storage.latency_s.max", "s", "The same, the longest.",
	     metric_requests_latency_max),
	REAL("storage.cache_hit_rate", "", "Share of bytes that caches had.",
	     metric_requests_hit_rate),
	PART("storage.epochs", "Bytes of each epoch (the first 32)."),
	COUNT("storage.errors", "Requests that failed.",
	      metric_requests_errors),
	COUNT("storage.retries", "Requests tried again.",
	      metric_requests_retries),
	LIVE("storage.device_bytes", METRIC_COUNT, "B",
	     "Bytes really read, warm-up included.",
	     metric_requests_device_bytes),
	LIVE("throttle.late", METRIC_COUNT, "",
	     "Reads that took longer than the modelled device.",
	     metric_throttle_late),
	LIVE("throttle.late_fraction", METRIC_REAL, "", "Of all reads.",
	     metric_throttle_late_fraction),
	LIVE("throttle.lateness_s.p50", METRIC_REAL, "s",
	     "By how much they were late, median.",
	     metric_throttle_lateness_p50),
	LIVE("throttle.lateness_s.p99", METRIC_REAL, "s",
	     "The same, 99 % are below.", metric_throttle_lateness_p99),
	LIVE("throttle.lateness_s.max", METRIC_REAL, "s",
	     "The same, the longest.", metric_throttle_lateness_max),
	LIVE("throttle.release_s.p50", METRIC_REAL, "s",
	     "How long after its due time a held read was noticed, median.",
	     metric_throttle_release_p50),
	LIVE("throttle.release_s.p99", METRIC_REAL, "s",
	     "The same, 99 % are below.", metric_throttle_release_p99),
	LIVE("throttle.release_s.max", METRIC_REAL, "s",
	     "The same, the longest.", metric_throttle_release_max),
	LIVE("throttle.overtaken", METRIC_COUNT, "",
	     "Blocks that were decompressed later than modelled.",
	     metric_throttle_overtaken),
	LIVE("throttle.overtaken_s", METRIC_REAL, "s", "By how much, summed.",
	     metric_throttle_overtaken_s),
	LIVE("throttle.lag_s", METRIC_REAL, "s",
	     "How far the run ended behind the clock.", metric_throttle_behind),
	LIVE("throttle.disturbed_fraction", METRIC_REAL, "",
	     "Share of the time in which a late read or block held the run up, "
	     "or echosim did not run; its AU is off by at most this.",
	     metric_throttle_disturbed),
	LIVE("throttle.verdict", METRIC_TEXT, "",
	     "held: disturbed for at most a hundredth of the time, so this "
	     "host was as fast as what it played; or not held; or native: not "
	     "held back; or native, paused: echosim itself did not run for "
	     "more "
	     "than that.",
	     metric_throttle_verdict),
};

const size_t metric_count = sizeof(metric_table) / sizeof(metric_table[0]);

const struct metric *metric_find(const char *name)
{
	size_t i;

	for (i = 0; i < metric_count; i++)
		if (!strcmp(metric_table[i].name, name))
			return &metric_table[i];
	return NULL;
}

struct metric_value metric_get(const char *name, const struct result *result)
{
	const struct metric *metric = metric_find(name);

	CHECK(metric);
	return metric->get(result);
}

const char *metric_nearest(const char *name)
{
	struct nearest nearest = nearest_to(name);
	const char *best = NULL;
	size_t i;

	for (i = 0; i < metric_count; i++)
		if (nearest_take(&nearest, metric_table[i].name,
				 strlen(metric_table[i].name)))
			best = metric_table[i].name;
	return best;
}
