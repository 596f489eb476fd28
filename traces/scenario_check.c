/* SPDX-License-Identifier: MIT */
/* What the members of a scenario must be to each other. */
#include <errno.h>
#include <stdio.h>

#include "sim/engine.h"
#include "sim/tiers.h"
#include "traces/device/check.h"
#include "traces/device/member.h"
#include "traces/echo.h"
#include "traces/field.h"
#include "traces/loader.h"
#include "traces/scenario.h"

#define ACCELERATORS_MAX 65536
#define BLOCK_EXAMPLES_MAX 1048576 /* it is read in one go */
#define DATASET_BYTES_MAX 0x1p60
/* Nothing that the engine adds to its clock at once may be longer: 31 years,
 * a ninth of what int64 nanoseconds hold. */
#define WAIT_S_MAX 1e9
#define MEMORY_BYTES_MAX (UINT64_C(16) << 30)

/* Refuses: "KEY: ..." without a line, for two lines are to blame. */
#define refuse(...) fault_set(fault, name, 0, __VA_ARGS__)

/* The real device is one, whatever the scenario says. */
static int check_native(const struct scenario *scenario, const char *name,
			struct fault *fault)
{
	const char *idle = NULL;

	if (scenario->storage.volumes > 1)
		idle = "volumes";
	else if (scenario->storage.scope != SCOPE_OF_DEVICE)
		idle = "scope";
	if (!idle)
		return 0;
	refuse("storage.%s: has no effect here; expected only with a device "
	       "that is modelled, not native",
	       idle);
	return -EINVAL;
}

static int check_device(const struct scenario *scenario, const char *name,
			struct fault *fault)
{
	const struct device_profile *profile = &scenario->storage.profile;
	struct device_flaw flaw;

	if (scenario->storage.native)
		return check_native(scenario, name, fault);
	if (device_contradicts(profile, &flaw) ||
	    device_lacks(profile, &flaw)) {
		refuse(DEVICE_KEY ".%s: %s", flaw.key, flaw.text);
		return -EINVAL;
	}
	if (device_is_limited(profile))
		return 0;
	refuse(DEVICE_KEY
	       ": neither bandwidth nor latency is given, nor iops, buckets or "
	       "seek; expected a name of `echosim list devices`, native, or "
	       "fields such as {bandwidth: 150 MB/s, latency: 8 ms}");
	return -EINVAL;
}

static int check_cache(const struct scenario *scenario, const char *name,
		       struct fault *fault)
{
	const struct cache_profile *cache = &scenario->cache;
	const char *idle = NULL;

	if (cache->policy != CACHE_NONE && !cache->bytes) {
		refuse("cache.bytes: not given; expected a size such as 100 "
		       "GiB with cache.policy lru or pinned");
		return -EINVAL;
	}
	if (cache->policy != CACHE_NONE)
		return 0;
	if (cache->bytes)
		idle = "bytes";
	else if (cache->bandwidth_bytes_per_s)
		idle = "bandwidth";
	else if (!distribution_is_zero(&cache->latency_ns))
		idle = "latency";
	if (!idle)
		return 0;
	refuse("cache.%s: has no effect here; expected only with cache.policy "
	       "lru or pinned",
	       idle);
	return -EINVAL;
}

/* A live run asks the packed dataset; else both numbers are needed. */
static int check_dataset(const struct scenario *scenario, const char *name,
			 struct fault *fault)
{
	const struct distribution *bytes = &scenario->dataset.example_bytes;

	if (scenario->dataset.db[0] && !scenario->dataset.path[0]) {
		refuse("dataset.db: found \"%s\", but no dataset.path that it "
		       "could be in",
		       scenario->dataset.db);
		return -EINVAL;
	}
	if (scenario->dataset.path[0])
		return 0;
	if (!scenario->dataset.examples) {
		refuse("dataset.examples: not given; expected how many, or "
		       "dataset.path with a packed dataset");
		return -EINVAL;
	}
	if (distribution_is_zero(bytes)) {
		refuse("dataset.example_bytes: not given; expected a size "
		       "such as 112 KiB, or dataset.path with a packed "
		       "dataset");
		return -EINVAL;
	}
	return 0;
}

static int check_accelerators(const struct scenario *scenario, const char *name,
			      struct fault *fault)
{
	const struct accelerators *accelerators = &scenario->accelerators;
	uint64_t count = (uint64_t)accelerators->count * accelerators->hosts;

	if (distribution_is_zero(&accelerators->step_ns)) {
		refuse("accelerator.step_time: not given; expected a time "
		       "such as 120 ms");
		return -EINVAL;
	}
	if (accelerators->sync == SYNC_NONE &&
	    !distribution_is_zero(&accelerators->allreduce_ns)) {
		refuse("accelerator.allreduce: has no effect here; expected "
		       "only with accelerator.sync barrier");
		return -EINVAL;
	}
	if (count > ACCELERATORS_MAX) {
		refuse("accelerator.count: %u on each of %u hosts are %llu "
		       "accelerators; expected at most %d",
		       accelerators->count, accelerators->hosts,
		       (unsigned long long)count, ACCELERATORS_MAX);
		return -EINVAL;
	}
	return 0;
}

static int check_run(const struct scenario *scenario, const char *name,
		     struct fault *fault)
{
	const struct run_limit *limit = &scenario->limit;

	if (!limit->steps || limit->warmup_steps < limit->steps)
		return 0;
	refuse("run.warmup_steps: found %llu; expected fewer than run.steps, "
	       "which is %llu",
	       (unsigned long long)limit->warmup_steps,
	       (unsigned long long)limit->steps);
	return -EINVAL;
}

static int check_echoes(const struct scenario *scenario, const char *name,
			struct fault *fault)
{
	uint32_t i, other;
	int error;

	for (i = 0; i < scenario->echo_count; i++) {
		error = echo_check(&scenario->echoes[i], i, name, fault);
		if (error)
			return error;
		for (other = 0; other < i; other++)
			if (echo_equal(&scenario->echoes[i],
				       &scenario->echoes[other]))
				break;
		if (other == i)
			continue;
		refuse("echo.%u: the same strategy as echo.%u; expected each "
		       "once",
		       i, other);
		return -EINVAL;
	}
	return 0;
}

int scenario_check(const struct scenario *scenario, const char *name,
		   struct fault *fault)
{
	static int (*const checks[])(const struct scenario *, const char *,
				     struct fault *) = {
		check_device, check_cache,  check_dataset, check_accelerators,
		check_run,    check_echoes, loader_check,
	};
	struct pipeline pipeline;
	size_t i;
	int error;

	for (i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		error = checks[i](scenario, name, fault);
		if (error)
			return error;
	}
	if (!scenario_has_layout(scenario))
		return 0;
	if (distribution_mean(&scenario->dataset.example_bytes) *
		    (double)scenario->dataset.examples >
	    DATASET_BYTES_MAX) {
		refuse("dataset.examples: the dataset would be larger than "
		       "1 EiB; expected fewer or smaller examples");
		return -EINVAL;
	}
	scenario_pipeline(scenario, &scenario->echoes[0], NULL, &pipeline);
	return scenario_check_layout(scenario, &pipeline.layout, name, fault);
}

/* Each host reads a slice of its own; an empty one could never step. */
static int check_slices(const struct scenario *scenario,
			const struct layout *layout, const char *name,
			struct fault *fault)
{
	bool crew = scenario->loading.kind == LOADER_WORKERS;
	uint32_t hosts = scenario->accelerators.hosts;
	bool by_example = crew || scenario->storage.order == ORDER_RANDOM;
	uint32_t loaders = crew ? hosts * scenario->accelerators.count : hosts;

	if (layout->examples / loaders < scenario->batch_size) {
		refuse("pipeline.batch_size: found %u, but %s has %llu "
		       "examples of the dataset; expected no more than that",
		       scenario->batch_size, crew ? "an accelerator" : "a host",
		       (unsigned long long)(layout->examples / loaders));
		return -EINVAL;
	}
	if (!by_example && layout->blocks < hosts) {
		refuse("accelerator.hosts: found %u, but the dataset has %llu "
		       "blocks; expected a block for each host: fewer hosts "
		       "or smaller dataset.block_bytes",
		       hosts, (unsigned long long)layout->blocks);
		return -EINVAL;
	}
	if (layout->examples / layout->blocks > BLOCK_EXAMPLES_MAX) {
		refuse("dataset.block_bytes: a block would hold %llu "
		       "examples; expected at most %d: smaller blocks or "
		       "larger examples",
		       (unsigned long long)(layout->examples / layout->blocks),
		       BLOCK_EXAMPLES_MAX);
		return -EINVAL;
	}
	if (layout->shards > UINT32_MAX) {
		refuse("dataset.shard_examples: found %llu, which makes %llu "
		       "shards; expected at most %u shards",
		       (unsigned long long)scenario->dataset.shard_examples,
		       (unsigned long long)layout->shards, UINT32_MAX);
		return -EINVAL;
	}
	return 0;
}

/* How long the device would take for all that can be in flight at once. */
static double backlog_s(const struct scenario *scenario,
			const struct layout *layout)
{
	double requests = scenario_depth(scenario);
	double bytes = (double)scenario->storage.request_bytes +
		       (double)layout->block_bytes_mean;
	struct tiers_profile tiers;
	double host_s = 0;

	scenario_tiers(scenario, &tiers);
	if (tiers.link.bandwidth_bytes_per_s)
		host_s += requests * bytes /
			  (double)tiers.link.bandwidth_bytes_per_s;
	if (tiers.cache.bandwidth_bytes_per_s)
		host_s += requests * bytes /
			  (double)tiers.cache.bandwidth_bytes_per_s;
	return host_s +
	       device_backlog_s(&tiers.device,
				tiers.scope == SCOPE_PER_HOST ?
					requests :
					requests * scenario->accelerators.hosts,
				bytes);
}

static double repeats_s(const struct layout *layout, const struct echo *echo)
{
	/* Behind decompression the item is a block. */
	double items = echo->place == ECHO_EXAMPLE_BEFORE_DECODE ?
			       (double)(layout->examples / layout->blocks + 1) :
			       1;
	double uses = echo->policy == ECHO_FIXED ? echo->factor :
						   echo->max_factor;

	return (double)echo->repeat_cost_ns / 1e9 * uses * items;
}

static int check_waits(const struct scenario *scenario,
		       const struct layout *layout, const char *name,
		       struct fault *fault)
{
	uint32_t i;

	if (loader_backlog_s(scenario) > WAIT_S_MAX) {
		refuse("pipeline.loader.pin: it would take decades for the "
		       "batches that can wait for it; expected less time");
		return -EINVAL;
	}
	if (backlog_s(scenario, layout) > WAIT_S_MAX) {
		refuse("storage.queue_depth: the device would need decades "
		       "for the requests in flight; expected fewer or smaller "
		       "ones, or a faster device");
		return -EINVAL;
	}
	for (i = 0; i < scenario->echo_count; i++) {
		if (repeats_s(layout, &scenario->echoes[i]) <= WAIT_S_MAX)
			continue;
		refuse("echo.%u.repeat_cost: the copies of one item would "
		       "take decades; expected less",
		       i);
		return -EINVAL;
	}
	return 0;
}

/* Too little read-ahead for the buffers it must fill would never step; too
 * much of anything would not fit the machine. */
static int check_buffers(const struct scenario *scenario,
			 const struct layout *layout, const char *name,
			 struct fault *fault)
{
	struct pipeline pipeline;
	uint64_t least;
	uint32_t i;

	for (i = 0; i < scenario->echo_count; i++) {
		scenario_pipeline(scenario, &scenario->echoes[i], layout,
				  &pipeline);
		least = pipeline_read_ahead_min(&pipeline);
		if (pipeline.read_ahead_examples < least) {
			refuse("pipeline.read_ahead_examples: found %llu; "
			       "expected at least %llu, for shuffle_examples "
			       "and the batches under way with echo.%u",
			       (unsigned long long)pipeline.read_ahead_examples,
			       (unsigned long long)least, i);
			return -EINVAL;
		}
		if (engine_memory_bytes(&pipeline) > MEMORY_BYTES_MAX) {
			refuse("%s: a run would take more than 16 GiB "
			       "of memory; expected fewer examples, requests, "
			       "batches, workers or hosts under way",
			       loader_memory_key(scenario));
			return -EINVAL;
		}
	}
	return 0;
}

static int check_tiers_memory(const struct scenario *scenario,
			      const struct layout *layout, const char *name,
			      struct fault *fault)
{
	struct tiers_profile tiers;

	scenario_tiers(scenario, &tiers);
	if (tiers_memory_bytes(&tiers, layout, scenario->accelerators.hosts) <=
	    MEMORY_BYTES_MAX)
		return 0;
	if (scenario->cache.policy == CACHE_NONE) {
		refuse("storage.volumes: %llu volumes on all hosts together "
		       "would take more than 16 GiB of memory; expected fewer "
		       "volumes or hosts, or a lower "
		       "storage.device.max_inflight",
		       (unsigned long long)tiers_volumes(
			       &tiers, scenario->accelerators.hosts));
		return -EINVAL;
	}
	refuse("cache.bytes: to know what is in the caches would take more "
	       "than 16 GiB of memory; expected smaller caches, fewer hosts or "
	       "larger dataset.block_bytes");
	return -EINVAL;
}

int scenario_check_layout(const struct scenario *scenario,
			  const struct layout *layout, const char *name,
			  struct fault *fault)
{
	int error = check_slices(scenario, layout, name, fault);

	if (error)
		return error;
	error = check_waits(scenario, layout, name, fault);
	if (error)
		return error;
	error = check_tiers_memory(scenario, layout, name, fault);
	if (error)
		return error;
	return check_buffers(scenario, layout, name, fault);
}
