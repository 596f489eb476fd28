/* SPDX-License-Identifier: MIT */
#include "analysis/stall/resource.h"

#include <stdio.h>
#include <string.h>

#include "traces/device/member.h"
#include "traces/distribution_text.h"
#include "traces/member.h"

#define ECHO_KEY "echo.0."
#define LOADER_KEY "pipeline.loader."
#define WORKERS_KEY LOADER_KEY "workers"
#define QUEUE_NAME ".queue"
#define WINDOW_KEY "storage.window"
#define READ_AHEAD_KEY "pipeline.read_ahead_examples"
#define ANY_MUCH 1e6
#define MEMORY_MUCH 16 /* of what takes the model's memory */
#define SIZE_MUCH 64
#define TENTH 0.1

#define STAGES (1u << LOADER_STAGES)
#define WORKERS (1u << LOADER_WORKERS)

#define ROW(name, key, group, way, most)                                       \
	{                                                                      \
		name, key, group, way, most, NULL, 0                           \
	}
#define ROW_IN(kinds, name, key, way, most)                                    \
	{                                                                      \
		name, key, RESOURCE_LOADER, way, most, NULL, kinds             \
	}
#define SWITCH(name, key, group, word)                                         \
	{                                                                      \
		name, key, group, RESOURCE_SWITCH, 1, word, 0                  \
	}
#define STORAGE_MORE(name, key)                                                \
	ROW(name, key, RESOURCE_STORAGE, RESOURCE_MORE, ANY_MUCH)
#define STORAGE_LESS(name, key)                                                \
	ROW(name, key, RESOURCE_STORAGE, RESOURCE_LESS, ANY_MUCH)
#define STORAGE_PIECES(name, key, much)                                        \
	ROW(name, key, RESOURCE_STORAGE, RESOURCE_MORE, much)
#define BUCKET(number)                                                         \
	STORAGE_MORE("buckets", DEVICE_KEY ".buckets." number ".baseline"),    \
		STORAGE_MORE("buckets",                                        \
			     DEVICE_KEY ".buckets." number ".peak"),           \
		STORAGE_MORE("buckets",                                        \
			     DEVICE_KEY ".buckets." number ".capacity")
#define LOADER(name, key, way, much) ROW(name, key, RESOURCE_LOADER, way, much)
#define COST(kinds, name, key)                                                 \
	ROW_IN(kinds, name, key ".time", RESOURCE_LESS, ANY_MUCH),             \
		ROW_IN(kinds, name, key ".rate", RESOURCE_MORE, ANY_MUCH)
/* A stage has workers of its own, or its time is one of those that a worker of
 * the loader spends on a batch. */
#define STAGE(name)                                                            \
	ROW_IN(STAGES, name " workers", "pipeline." name ".workers",           \
	       RESOURCE_MORE, MEMORY_MUCH),                                    \
		COST(STAGES, name " workers", "pipeline." name),               \
		COST(WORKERS, name " time", "pipeline." name)
#define QUEUE(name)                                                            \
	LOADER(name " queue", "pipeline." name QUEUE_NAME, RESOURCE_MORE,      \
	       MEMORY_MUCH)
#define HANDOVER(name, key, way)                                               \
	ROW(name, LOADER_KEY key, RESOURCE_HANDOVER, way, ANY_MUCH)

/* Of two that help equally the first is named first. */
const struct resource resource_table[] = {
	STORAGE_MORE("device size", DEVICE_KEY ".size"),
	STORAGE_MORE("device bandwidth", DEVICE_KEY ".bandwidth"),
	STORAGE_MORE("stream bandwidth", DEVICE_KEY ".stream_bandwidth"),
	STORAGE_MORE("link bandwidth", "link.bandwidth"),
	STORAGE_MORE("link bandwidth", DEVICE_KEY ".client_bandwidth"),
	STORAGE_MORE("iops", DEVICE_KEY ".iops"),
	STORAGE_MORE("iops ramp", DEVICE_KEY ".ramp.initial"),
	STORAGE_LESS("iops ramp", DEVICE_KEY ".ramp.doubling"),
	BUCKET("0"),
	BUCKET("1"),
	BUCKET("2"),
	BUCKET("3"),
	STORAGE_LESS("seek", DEVICE_KEY ".seek.average"),
	STORAGE_LESS("seek", DEVICE_KEY ".seek.track_to_track"),
	STORAGE_LESS("seek", DEVICE_KEY ".seek.full"),
	STORAGE_MORE("seek", DEVICE_KEY ".seek.rpm"),
	STORAGE_MORE("seek", DEVICE_KEY ".seek.outer_rate"),
	STORAGE_MORE("seek", DEVICE_KEY ".seek.inner_rate"),
	STORAGE_LESS("latency", DEVICE_KEY ".latency"),
	STORAGE_LESS("latency", DEVICE_KEY ".tail.latency"),
	STORAGE_LESS("first touch", DEVICE_KEY ".first_touch"),
	STORAGE_LESS("link latency", "link.latency"),
	STORAGE_PIECES("max_inflight", DEVICE_KEY ".max_inflight", MEMORY_MUCH),
	STORAGE_PIECES("queue depth", "storage.queue_depth", MEMORY_MUCH),
	STORAGE_PIECES("read window", WINDOW_KEY, MEMORY_MUCH),
	STORAGE_PIECES("worker reads", LOADER_KEY "reads", MEMORY_MUCH),
	STORAGE_PIECES("cache bytes", "cache.bytes", SIZE_MUCH),
	STORAGE_MORE("cache bandwidth", "cache.bandwidth"),
	STORAGE_LESS("cache latency", "cache.latency"),
	LOADER("loader workers", WORKERS_KEY, RESOURCE_MORE, MEMORY_MUCH),
	SWITCH("in-order waiting", LOADER_KEY "in_order", RESOURCE_LOADER,
	       "false"),
	STAGE("decompress"),
	STAGE("decode"),
	STAGE("augment"),
	STAGE("collate"),
	LOADER("echo repeat cost", ECHO_KEY "repeat_cost", RESOURCE_LESS,
	       ANY_MUCH),
	QUEUE("decompress"),
	QUEUE("decode"),
	QUEUE("augment"),
	LOADER("prefetch factor", LOADER_KEY "prefetch_factor", RESOURCE_MORE,
	       MEMORY_MUCH),
	LOADER("prefetch", "pipeline.prefetch_batches", RESOURCE_MORE,
	       MEMORY_MUCH),
	LOADER("read-ahead", READ_AHEAD_KEY, RESOURCE_MORE, MEMORY_MUCH),
	SWITCH("start-up", LOADER_KEY "restart", RESOURCE_HANDOVER, "run"),
	HANDOVER("start-up", "start", RESOURCE_LESS),
	HANDOVER("pinning", "pin.time", RESOURCE_LESS),
	HANDOVER("pinning", "pin.rate", RESOURCE_MORE),
	HANDOVER("hand-over", "handover.time", RESOURCE_LESS),
	HANDOVER("hand-over", "handover.rate", RESOURCE_MORE),
	ROW("step time", "accelerator.step_time", RESOURCE_ACCELERATOR,
	    RESOURCE_LESS, ANY_MUCH),
	ROW("allreduce", "accelerator.allreduce", RESOURCE_ACCELERATOR,
	    RESOURCE_LESS, ANY_MUCH),
};

const size_t resource_count =
	sizeof(resource_table) / sizeof(resource_table[0]);

bool resource_is_same(const struct resource *one, const struct resource *other)
{
	return one && other && !strcmp(one->name, other->name);
}

/* ---- a key's value ---- */

/* The member of a scenario that a key means. */
struct place {
	struct field field; /* as its values are written */
	bool is_work;	    /* kept as a double, written as a whole number */
	const char *at;
};

/* The field and what holds its member: the scenario, its strategy, a bucket. */
static const struct field *find_field(const struct scenario *scenario,
				      const char *key, const void **base)
{
	size_t device = strlen(DEVICE_KEY "."), echo = strlen(ECHO_KEY);
	const struct field *field = field_find(key);
	char listed[FIELD_KEY_MAX];
	uint32_t bucket;

	*base = scenario;
	if (field)
		return field;
	if (!strncmp(key, ECHO_KEY, echo)) {
		*base = &scenario->echoes[0];
		snprintf(listed, sizeof(listed), "echo[].%s", key + echo);
		return field_find(listed);
	}
	field = device_bucket_find(scenario, key + device, &bucket);
	if (field)
		*base = &scenario->storage.profile.buckets[bucket];
	return field;
}

static bool find_place(const struct scenario *scenario, const char *key,
		       struct place *place)
{
	const void *base;
	const struct field *field = find_field(scenario, key, &base);

	if (!field)
		return false;
	place->is_work = field->kind == FIELD_WORK ||
			 field->kind == FIELD_WORK_RATE;
	place->field = member_field(field, base);
	place->at = (const char *)base + field->offset;
	return true;
}

/* In base units; of a distribution its mean. */
static double value_at(const struct place *place)
{
	if (place->is_work)
		return *(const double *)place->at;
	if (place->field.kind == FIELD_TIME_DIST)
		return distribution_mean((const void *)place->at);
	if (place->field.kind == FIELD_TIME)
		return (double)*(const int64_t *)place->at;
	if (place->field.size == sizeof(uint32_t))
		return *(const uint32_t *)place->at;
	return (double)*(const uint64_t *)place->at;
}

/* What a key that is not given amounts to; 0: to no limit. */
static double value_by_default(const char *key, const struct scenario *scenario,
			       const struct layout *layout)
{
	enum stage_name stage;
	struct pipeline pipeline;

	scenario_pipeline(scenario, &scenario->echoes[0], layout, &pipeline);
	if (!strcmp(key, READ_AHEAD_KEY))
		return (double)pipeline.read_ahead_examples;
	if (!strcmp(key, WINDOW_KEY))
		stage = STAGE_READ;
	else if (!strcmp(key, "pipeline.decompress" QUEUE_NAME))
		stage = STAGE_DECOMPRESS;
	else if (!strcmp(key, "pipeline.decode" QUEUE_NAME))
		stage = STAGE_DECODE;
	else if (!strcmp(key, "pipeline.augment" QUEUE_NAME))
		stage = STAGE_AUGMENT;
	else
		return 0;
	return pipeline_stage_room(&pipeline, stage);
}

static double better(const struct resource *resource, const struct field *field,
		     enum resource_step step, double value)
{
	double much = step == RESOURCE_AWAY ? resource->most : 1 + TENTH;
	double least = field->low;

	if (resource->way == RESOURCE_LESS) {
		value = step == RESOURCE_AWAY ? 0 : value * (1 - TENTH);
		return value > least ? value : least;
	}
	much *= value > 0 ? value : 1;
	if (field->kind == FIELD_COUNT && much < value + 1)
		much = value + 1;
	return much < field->high ? much : field->high;
}

/* ---- the change ---- */

static struct distribution scaled(const struct distribution *time, double scale)
{
	struct distribution result = *time;
	double *values[] = { &result.mean, &result.stdev, &result.low,
			     &result.high, &result.p50,	  &result.p90,
			     &result.p99,  &result.p999 };
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		*values[i] *= scale;
	return result;
}

/* A given sequence stands for what was measured: it has no tenth less. */
static bool is_cycle(const struct place *place)
{
	const struct distribution *time = (const void *)place->at;

	return place->field.kind == FIELD_TIME_DIST &&
	       time->kind == DISTRIBUTION_CYCLE;
}

static void write_value(const struct place *place, double from, double to,
			char *text, size_t size)
{
	struct distribution time;

	if (place->field.kind != FIELD_TIME_DIST) {
		units_print(field_units(&place->field), (uint64_t)(to + 0.5),
			    text, size);
		return;
	}
	time = distribution_constant(0);
	if (to > 0)
		time = scaled((const void *)place->at, to / from);
	distribution_write(&time, UNITS_TIME, text, size);
}

/* Is the figure one that the device came with, and not sold by itself? */
static bool is_of_device(const struct scenario *scenario, const char *key)
{
	const struct storage_price *price = &scenario->storage.facts.price;

	if (strncmp(key, DEVICE_KEY ".", strlen(DEVICE_KEY ".")) != 0 ||
	    !strcmp(key, DEVICE_KEY ".size"))
		return false;
	if (!strcmp(key, DEVICE_KEY ".bandwidth") && price->per_mb_s_month > 0)
		return false;
	if (!strcmp(key, DEVICE_KEY ".iops") && price->per_iops_month > 0)
		return false;
	return scenario->storage.device[0] || scenario->storage.extends[0];
}

static void say(const struct scenario *scenario, const char *key,
		const struct place *place, double from, double to, char *text)
{
	const char *how = "larger";
	size_t skip = 0;

	if (is_of_device(scenario, key))
		skip = strlen(DEVICE_KEY ".");
	if (field_units(&place->field) == UNITS_TIME)
		how = "shorter";
	else if (field_units(&place->field) == UNITS_RATE)
		how = "higher";
	if (field_units(&place->field) == UNITS_COUNT)
		snprintf(text, RESOURCE_SAID_MAX, "%s%s from %.0f to %.0f",
			 skip ? "another " DEVICE_KEY " with " : "", key + skip,
			 from, to);
	else
		snprintf(text, RESOURCE_SAID_MAX, "%s%s %.0f %% %s",
			 skip ? "another " DEVICE_KEY " with " : "", key + skip,
			 TENTH * 100, how);
}

/* The rule by which the figure follows from the device's size; NULL: none. */
static const struct device_scale *rule_of(const struct scenario *scenario,
					  const struct place *place)
{
	const struct device_scale *scale = scenario->storage.scales;
	const void *base;
	uint32_t i;

	for (i = 0; i < scenario->storage.scale_count; i++, scale++) {
		base = scenario;
		if (field_is_listed(scale->field))
			base = &scenario->storage.profile.buckets[scale->bucket];
		if ((const char *)base + scale->field->offset == place->at &&
		    (scale->up_to_bytes <= 0 ||
		     (double)scenario->storage.size_bytes <=
			     scale->up_to_bytes))
			return scale;
	}
	return NULL;
}

/* Does it grow with the size, which is then what can be changed? */
static bool follows_size(const struct scenario *scenario,
			 const struct place *place)
{
	const struct device_scale *rule = rule_of(scenario, place);
	double value;

	if (!rule || rule->per_byte <= 0)
		return false;
	value = rule->per_byte * (double)scenario->storage.size_bytes;
	return value >= rule->low && (rule->high <= 0 || value < rule->high);
}

static bool apply(const struct layout *layout, const char *set,
		  struct scenario *scenario)
{
	struct fault fault = { 0 };
	int error = scenario_set(scenario, set, &fault);

	if (!error)
		error = scenario_check(scenario, NULL, &fault);
	if (!error && layout)
		error = scenario_check_layout(scenario, layout, NULL, &fault);
	return !error;
}

/* Is there something to be better than? Of the loader's workers there may be
 * none, and then the first one is more. */
static bool has_limit(const char *key, double value)
{
	return value > 0 || !strcmp(key, WORKERS_KEY);
}

/* By how much it is better; what is no matter of tenths counts whole. */
static double factor_of(const struct resource *resource, double from, double to)
{
	if (resource->way == RESOURCE_MORE)
		return from > 0 ? to / from : 1 + TENTH;
	return to > 0 ? from / to : ANY_MUCH;
}

/* The word that a key has now. */
static const char *word_at(const struct place *place)
{
	if (place->field.kind == FIELD_BOOL)
		return *(const bool *)place->at ? "true" : "false";
	return place->field.names[*(const uint32_t *)place->at];
}

static bool switch_over(const struct resource *resource,
			const struct place *place,
			struct resource_change *change)
{
	const char *word = word_at(place);

	if (!strcmp(word, resource->word))
		return false;
	snprintf(change->set, sizeof(change->set), "%s=%s", resource->key,
		 resource->word);
	snprintf(change->said, sizeof(change->said), "%s from %s to %s",
		 resource->key, word, resource->word);
	change->factor = 1 + TENTH;
	return true;
}

/* Gives a number a better value. */
static bool change_number(const struct resource *resource,
			  const struct place *place, enum resource_step step,
			  const struct layout *layout,
			  const struct scenario *scenario,
			  struct resource_change *change)
{
	const char *key = resource->key;
	double from = value_at(place), to;
	char value[224];

	if (from <= 0)
		from = value_by_default(key, scenario, layout);
	if (!has_limit(key, from))
		return false;
	to = better(resource, &place->field, step, from);
	if (place->field.kind != FIELD_TIME_DIST)
		to = (double)(uint64_t)(to + 0.5);
	if (resource->way == RESOURCE_MORE ? to <= from : to >= from)
		return false;
	if (to > 0 && is_cycle(place))
		return false;
	write_value(place, from, to, value, sizeof(value));
	snprintf(change->set, sizeof(change->set), "%s=%s", key, value);
	say(scenario, key, place, from, to, change->said);
	change->factor = factor_of(resource, from, to);
	return true;
}

bool resource_improve(const struct resource *resource, enum resource_step step,
		      const struct layout *layout, struct scenario *scenario,
		      struct resource_change *change)
{
	unsigned int kind = 1u << scenario->loading.kind;
	struct place place;
	bool changed;

	if ((resource->kinds && !(resource->kinds & kind)) ||
	    !find_place(scenario, resource->key, &place) ||
	    follows_size(scenario, &place))
		return false;
	if (resource->way == RESOURCE_SWITCH)
		changed = switch_over(resource, &place, change);
	else
		changed = change_number(resource, &place, step, layout,
					scenario, change);
	return changed && apply(layout, change->set, scenario);
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
