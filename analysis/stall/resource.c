/* SPDX-License-Identifier: MIT */
#include "analysis/stall/resource.h"

#define NUMBER_FACTOR_MAX 16 /* of what takes memory */

static void scale_time(struct distribution *time, double scale)
{
	double *values[] = {
		&time->mean, &time->stdev, &time->low, &time->high,
		&time->p50,  &time->p90,   &time->p99, &time->p999
	};
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		*values[i] *= scale;
	distribution_prepare(time);
}

/* 1 when it takes no time anyway. */
static double improve_time(struct distribution *time, double factor)
{
	if (distribution_is_zero(time))
		return 1;
	if (factor < RESOURCE_UNLIMITED)
		scale_time(time, 1 / factor);
	else
		*time = distribution_constant(0);
	return factor;
}

static double improve_ns(int64_t *time_ns, double factor)
{
	if (!*time_ns)
		return 1;
	*time_ns = factor < RESOURCE_UNLIMITED ?
			   (int64_t)((double)*time_ns / factor + 0.5) :
			   0;
	return factor;
}

/* Zero is no limit. */
static double improve_rate(uint64_t *rate, double factor)
{
	uint64_t old = *rate;

	if (!old)
		return 1;
	if (factor >= RESOURCE_UNLIMITED) {
		*rate = 0;
		return factor;
	}
	*rate = (uint64_t)((double)old * factor + 0.5);
	*rate += *rate == old;
	return (double)*rate / (double)old;
}

/* Of slots, requests, examples: at least one more. */
static double improve_number(uint32_t *number, double factor)
{
	double most = factor < NUMBER_FACTOR_MAX ? factor : NUMBER_FACTOR_MAX;
	double more = (double)*number * most + 0.5;
	uint32_t old = *number;

	*number = more < UINT32_MAX ? (uint32_t)more : UINT32_MAX;
	*number += *number == old && old < UINT32_MAX;
	return (double)*number / (double)old;
}

static double bandwidth(const struct resource *resource,
			struct setting *setting, double factor)
{
	(void)resource;
	return improve_rate(&setting->tiers.device.bandwidth_bytes_per_s,
			    factor);
}

static double stream(const struct resource *resource, struct setting *setting,
		     double factor)
{
	(void)resource;
	return improve_rate(&setting->tiers.device.stream_bandwidth_bytes_per_s,
			    factor);
}

static double latency(const struct resource *resource, struct setting *setting,
		      double factor)
{
	struct device_profile *device = &setting->tiers.device;
	double body = improve_time(&device->latency_ns, factor);
	double tail = 1;

	(void)resource;
	if (device->tail_probability > 0)
		tail = improve_time(&device->tail_latency_ns, factor);
	return body > tail ? body : tail;
}

static double iops(const struct resource *resource, struct setting *setting,
		   double factor)
{
	struct device_profile *device = &setting->tiers.device;

	(void)resource;
	if (factor >= RESOURCE_UNLIMITED)
		device->ramp.initial_iops = 0;
	return improve_rate(&device->iops, factor);
}

static double ramp(const struct resource *resource, struct setting *setting,
		   double factor)
{
	struct device_profile *device = &setting->tiers.device;
	uint64_t *initial = &device->ramp.initial_iops;

	(void)resource;
	factor = improve_rate(initial, factor);
	if (*initial > device->iops)
		*initial = device->iops;
	return factor;
}

static double buckets(const struct resource *resource, struct setting *setting,
		      double factor)
{
	struct device_profile *device = &setting->tiers.device;
	struct bucket_profile *bucket;
	uint32_t i;

	(void)resource;
	if (!device->bucket_count)
		return 1;
	for (i = 0; i < device->bucket_count; i++) {
		bucket = &device->buckets[i].profile;
		bucket->capacity *= factor;
		bucket->initial *= factor;
		bucket->baseline_per_s *= factor;
		bucket->peak_per_s *= factor;
	}
	if (factor >= RESOURCE_UNLIMITED)
		device->bucket_count = 0;
	return factor;
}

/* A disk whose arm and platters are all faster. */
static double seek(const struct resource *resource, struct setting *setting,
		   double factor)
{
	struct device_seek *arm = &setting->tiers.device.seek;
	double turns = (double)arm->rpm * factor + 0.5;

	(void)resource;
	if (!arm->rpm)
		return 1;
	if (factor >= RESOURCE_UNLIMITED) {
		*arm = (struct device_seek){ 0 };
		return factor;
	}
	improve_ns(&arm->track_to_track_ns, factor);
	improve_ns(&arm->average_ns, factor);
	improve_ns(&arm->full_ns, factor);
	improve_rate(&arm->outer_bytes_per_s, factor);
	improve_rate(&arm->inner_bytes_per_s, factor);
	arm->rpm = (uint32_t)turns;
	return factor;
}

static double first_touch(const struct resource *resource,
			  struct setting *setting, double factor)
{
	(void)resource;
	return improve_ns(&setting->tiers.device.first_touch_ns, factor);
}

static double max_inflight(const struct resource *resource,
			   struct setting *setting, double factor)
{
	uint32_t *most = &setting->tiers.device.max_inflight;

	(void)resource;
	return *most ? improve_number(most, factor) : 1;
}

static double queue_depth(const struct resource *resource,
			  struct setting *setting, double factor)
{
	(void)resource;
	return improve_number(&setting->pipeline.stages[STAGE_READ].workers,
			      factor);
}

static double link_bandwidth(const struct resource *resource,
			     struct setting *setting, double factor)
{
	(void)resource;
	return improve_rate(&setting->tiers.link.bandwidth_bytes_per_s, factor);
}

static double link_latency(const struct resource *resource,
			   struct setting *setting, double factor)
{
	(void)resource;
	return improve_ns(&setting->tiers.link.latency_ns, factor);
}

static double cache_bytes(const struct resource *resource,
			  struct setting *setting, double factor)
{
	struct cache_profile *cache = &setting->tiers.cache;

	(void)resource;
	return cache->policy == CACHE_NONE ?
		       1 :
		       improve_rate(&cache->bytes, factor < 64 ? factor : 64);
}

static double cache_bandwidth(const struct resource *resource,
			      struct setting *setting, double factor)
{
	(void)resource;
	return improve_rate(&setting->tiers.cache.bandwidth_bytes_per_s,
			    factor);
}

static double cache_latency(const struct resource *resource,
			    struct setting *setting, double factor)
{
	(void)resource;
	return improve_time(&setting->tiers.cache.latency_ns, factor);
}

/* The stage whose workers make the copies. */
static enum stage_name copying_stage(enum echo_place place)
{
	static const enum stage_name stages[] = {
		[ECHO_NONE] = STAGE_COUNT,
		[ECHO_EXAMPLE_BEFORE_DECODE] = STAGE_DECOMPRESS,
		[ECHO_EXAMPLE_BEFORE_AUGMENT] = STAGE_DECODE,
		[ECHO_EXAMPLE_AFTER_AUGMENT] = STAGE_AUGMENT,
		[ECHO_BATCH] = STAGE_COLLATE,
	};

	return stages[place];
}

/* More workers, as less time an item: whole workers are too coarse. */
static double workers(const struct resource *resource, struct setting *setting,
		      double factor)
{
	struct stage *stage = &setting->pipeline.stages[resource->stage];
	struct echo *echo = &setting->pipeline.echo;
	bool any = improve_time(&stage->time_ns, factor) > 1;

	any |= improve_rate(&stage->rate_bytes_per_s, factor) > 1;
	if (copying_stage(echo->place) == resource->stage)
		any |= improve_ns(&echo->repeat_cost_ns, factor) > 1;
	return any ? factor : 1;
}

static double read_ahead(const struct resource *resource,
			 struct setting *setting, double factor)
{
	double most = factor < NUMBER_FACTOR_MAX ? factor : NUMBER_FACTOR_MAX;

	(void)resource;
	return improve_rate(&setting->pipeline.read_ahead_examples, most);
}

static double allreduce(const struct resource *resource,
			struct setting *setting, double factor)
{
	(void)resource;
	return improve_time(&setting->pipeline.accelerators.allreduce_ns,
			    factor);
}

static double step_time(const struct resource *resource,
			struct setting *setting, double factor)
{
	(void)resource;
	return improve_time(&setting->pipeline.accelerators.step_ns, factor);
}

#define STORAGE(name, key, improve)                                            \
	{                                                                      \
		name, key, RESOURCE_STORAGE, STAGE_READ, improve               \
	}
#define WORKERS(name, stage)                                                   \
	{                                                                      \
		name " workers", "pipeline." name ".workers", RESOURCE_LOADER, \
			stage, workers                                         \
	}

/* Of two that help equally the first is named first. */
const struct resource resource_table[] = {
	STORAGE("device bandwidth", "storage.device.bandwidth", bandwidth),
	STORAGE("stream bandwidth", "storage.device.stream_bandwidth", stream),
	STORAGE("link bandwidth",
		"link.bandwidth or storage.device.client_bandwidth",
		link_bandwidth),
	STORAGE("iops", "storage.device.iops", iops),
	STORAGE("iops ramp", "storage.device.ramp.initial", ramp),
	STORAGE("buckets", "storage.device.buckets", buckets),
	STORAGE("seek", "storage.device.seek", seek),
	STORAGE("latency", "storage.device.latency", latency),
	STORAGE("first touch", "storage.device.first_touch", first_touch),
	STORAGE("link latency", "link.latency", link_latency),
	STORAGE("max_inflight", "storage.device.max_inflight", max_inflight),
	STORAGE("queue depth", "storage.queue_depth", queue_depth),
	STORAGE("cache bytes", "cache.bytes", cache_bytes),
	STORAGE("cache bandwidth", "cache.bandwidth", cache_bandwidth),
	STORAGE("cache latency", "cache.latency", cache_latency),
	WORKERS("decompress", STAGE_DECOMPRESS),
	WORKERS("decode", STAGE_DECODE),
	WORKERS("augment", STAGE_AUGMENT),
	WORKERS("collate", STAGE_COLLATE),
	{ "read-ahead", "pipeline.read_ahead_examples", RESOURCE_LOADER,
	  STAGE_READ, read_ahead },
	{ "step time", "accelerator.step_time", RESOURCE_ACCELERATOR,
	  STAGE_READ, step_time },
	{ "allreduce", "accelerator.allreduce", RESOURCE_ACCELERATOR,
	  STAGE_READ, allreduce },
};

const size_t resource_count =
	sizeof(resource_table) / sizeof(resource_table[0]);

double resource_improve(const struct resource *resource,
			struct setting *setting, double factor)
{
	struct pipeline *pipeline = &setting->pipeline;
	bool by_default = pipeline->read_ahead_examples ==
			  pipeline_read_ahead_default(pipeline);
	uint64_t wanted;

	factor = resource->improve(resource, setting, factor);
	wanted = pipeline_read_ahead_default(pipeline);
	if (by_default && wanted > pipeline->read_ahead_examples)
		pipeline->read_ahead_examples = wanted;
	return factor;
}

void resource_free_storage(struct setting *setting)
{
	setting->tiers = (struct tiers_profile){ 0 };
}

void resource_free_stages(struct setting *setting)
{
	static const struct distribution nothing = { 0 };
	int i;

	for (i = STAGE_DECOMPRESS; i < STAGE_COUNT; i++) {
		setting->pipeline.stages[i].time_ns = nothing;
		setting->pipeline.stages[i].rate_bytes_per_s = 0;
	}
	setting->pipeline.echo.repeat_cost_ns = 0;
}
