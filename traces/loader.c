/* SPDX-License-Identifier: MIT */
#include "traces/loader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "traces/field.h"
#include "traces/member.h"

/* A key that means nothing in a loader of this kind, and what to do. */
struct idle_key {
	const char *key;
	enum loader_kind kind;
	const char *expected;
};

/* Of all loaders together. */
#define CREWS_WORKERS_MAX 262144

#define WORKERS_CARRY "pipeline.loader.workers, who carry whole batches"
#define ROOM "pipeline.loader.prefetch_factor, batches for each worker"
#define ONLY_WORKERS "pipeline.loader.kind workers"

static const struct idle_key idle_keys[] = {
	{ "pipeline.decompress.workers", LOADER_WORKERS, WORKERS_CARRY },
	{ "pipeline.decode.workers", LOADER_WORKERS, WORKERS_CARRY },
	{ "pipeline.augment.workers", LOADER_WORKERS, WORKERS_CARRY },
	{ "pipeline.collate.workers", LOADER_WORKERS, WORKERS_CARRY },
	{ "pipeline.decompress.queue", LOADER_WORKERS, ROOM },
	{ "pipeline.decode.queue", LOADER_WORKERS, ROOM },
	{ "pipeline.augment.queue", LOADER_WORKERS, ROOM },
	{ "pipeline.prefetch_batches", LOADER_WORKERS, ROOM },
	{ "pipeline.read_ahead_examples", LOADER_WORKERS, ROOM },
	{ "pipeline.ordered", LOADER_WORKERS, "pipeline.loader.in_order" },
	{ "pipeline.shuffle_examples", LOADER_WORKERS,
	  "storage.order random, by which workers are given examples" },
	{ "storage.queue_depth", LOADER_WORKERS,
	  "pipeline.loader.reads, those that one worker has in flight" },
	{ "storage.window", LOADER_WORKERS, ROOM },
	{ "pipeline.loader.window", LOADER_WORKERS, ROOM },
	{ "pipeline.loader.window_most", LOADER_WORKERS, ROOM },
	{ "pipeline.loader.window_unit", LOADER_WORKERS, ROOM },
	{ "pipeline.loader.window_token", LOADER_WORKERS, ROOM },
	{ "pipeline.loader.workers", LOADER_STAGES, ONLY_WORKERS },
	{ "pipeline.loader.prefetch_factor", LOADER_STAGES, ONLY_WORKERS },
	{ "pipeline.loader.in_order", LOADER_STAGES, ONLY_WORKERS },
	{ "pipeline.loader.reads", LOADER_STAGES, ONLY_WORKERS },
	{ "pipeline.loader.pad", LOADER_STAGES, ONLY_WORKERS },
};

#define IDLE_KEYS (sizeof(idle_keys) / sizeof(idle_keys[0]))

static const char *kind_name(const struct scenario *scenario)
{
	return scenario->loading.kind == LOADER_WORKERS ? "workers" : "stages";
}

static bool is_idle(const struct scenario *scenario,
		    const struct idle_key *idle, size_t *row)
{
	*row = (size_t)(field_find(idle->key) - field_table);
	return idle->kind == scenario->loading.kind && scenario->given[*row];
}

void loader_forget(struct scenario *scenario)
{
	size_t i;

	for (i = 0; i < field_count; i++)
		if (!scenario->given[i] &&
		    !strncmp(field_table[i].key, "pipeline.loader.", 16))
			member_reset(&field_table[i], scenario);
}

void loader_leave_out(struct scenario *scenario)
{
	size_t i, row;

	for (i = 0; i < IDLE_KEYS; i++) {
		if (!is_idle(scenario, &idle_keys[i], &row))
			continue;
		member_reset(&field_table[row], scenario);
		scenario->given[row] = false;
		scenario->left_out[row] = true;
	}
}

bool loader_assumes_workers(const struct scenario *scenario)
{
	const struct field *workers = field_find("pipeline.loader.workers");

	return scenario->loading.kind == LOADER_WORKERS &&
	       !scenario->given[workers - field_table];
}

const char *loader_say_left_out(const struct scenario *scenario, char *text,
				size_t size)
{
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < field_count && used < size; i++)
		if (scenario->left_out[i])
			used += (size_t)snprintf(text + used, size - used,
						 "%s%s", used ? ", " : "",
						 field_table[i].key);
	if (used && used < size)
		snprintf(text + used, size - used,
			 ": left out, without effect in %s%s%s"
			 "pipeline.loader.kind %s",
			 scenario->loader_like[0] ? "the loader " : "",
			 scenario->loader_like,
			 scenario->loader_like[0] ? ", of " : "",
			 kind_name(scenario));
	return text;
}

static int check_keys(const struct scenario *scenario, const char *name,
		      struct fault *fault)
{
	size_t i, row;

	for (i = 0; i < IDLE_KEYS; i++) {
		const struct idle_key *idle = &idle_keys[i];

		if (!is_idle(scenario, idle, &row))
			continue;
		fault_set(fault, name, 0,
			  "%s: has no effect with pipeline.loader.kind %s; "
			  "expected %s",
			  idle->key, kind_name(scenario), idle->expected);
		return -EINVAL;
	}
	return 0;
}

static int check_workers(const struct scenario *scenario, const char *name,
			 struct fault *fault)
{
	const struct accelerators *all = &scenario->accelerators;
	uint32_t each = scenario->loading.workers;
	uint64_t accelerators = (uint64_t)all->count * all->hosts;

	if (scenario->loading.kind == LOADER_STAGES ||
	    each * accelerators <= CREWS_WORKERS_MAX)
		return 0;
	fault_set(fault, name, 0,
		  "pipeline.loader.workers: %u for each of %llu accelerators "
		  "are %llu workers; expected at most %d, for a run keeps the "
		  "state of every one of them",
		  each, (unsigned long long)accelerators,
		  (unsigned long long)(each * accelerators), CREWS_WORKERS_MAX);
	return -EINVAL;
}

/* A worker does one thing after the other: while it waits for a read it could
 * not repeat anything. */
static int check_echoes(const struct scenario *scenario, const char *name,
			struct fault *fault)
{
	uint32_t i;

	for (i = 0; i < scenario->echo_count; i++) {
		const struct echo *echo = &scenario->echoes[i];

		if (scenario->loading.kind != LOADER_WORKERS ||
		    echo->policy != ECHO_WHEN_STARVED ||
		    echo->place == ECHO_NONE || echo->place == ECHO_BATCH)
			continue;
		fault_set(fault, name, 0,
			  "echo.%u.policy: found when-starved within a worker, "
			  "which does one thing after the other and so never "
			  "starves beside what it could repeat; expected fixed "
			  "or place batch with pipeline.loader.kind workers",
			  i);
		return -EINVAL;
	}
	return 0;
}

/* What says more of the window, where there is none. */
static int check_window_keys(const struct scenario *scenario, const char *name,
			     struct fault *fault)
{
	static const char *const keys[] = {
		"pipeline.loader.window_most",
		"pipeline.loader.window_unit",
		"pipeline.loader.window_token",
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!scenario->given[field_find(keys[i]) - field_table])
			continue;
		fault_set(fault, name, 0,
			  "%s: has no effect without pipeline.loader.window",
			  keys[i]);
		return -EINVAL;
	}
	return 0;
}

static bool changes_number(const struct echo *echo)
{
	return echo->place == ECHO_EXAMPLE_BEFORE_AUGMENT ||
	       echo->place == ECHO_EXAMPLE_AFTER_AUGMENT;
}

/* Collate, whose asks and takes move the window on, must get what decode has
 * begun: neither more of it nor in another order. */
static int check_window(const struct scenario *scenario, const char *name,
			struct fault *fault)
{
	const struct loading *loading = &scenario->loading;
	uint32_t i;

	if (loading->kind == LOADER_WORKERS)
		return 0;
	if (!loading->window)
		return check_window_keys(scenario, name, fault);
	if (loading->window_most && loading->window_most < loading->window) {
		fault_set(fault, name, 0,
			  "pipeline.loader.window_most: found %u; expected at "
			  "least pipeline.loader.window, %u",
			  loading->window_most, loading->window);
		return -EINVAL;
	}
	if (scenario->shuffle_examples > 1) {
		fault_set(
			fault, name, 0,
			"pipeline.shuffle_examples: a buffer behind decode "
			"holds more than pipeline.loader.window lets through; "
			"expected a shuffled storage.order instead");
		return -EINVAL;
	}
	for (i = 0; i < scenario->echo_count; i++) {
		if (!changes_number(&scenario->echoes[i]))
			continue;
		fault_set(fault, name, 0,
			  "echo.%u.place: between decode and collate, where "
			  "pipeline.loader.window counts examples one by one; "
			  "expected example-before-decode or batch",
			  i);
		return -EINVAL;
	}
	return 0;
}

int loader_check(const struct scenario *scenario, const char *name,
		 struct fault *fault)
{
	int error = check_keys(scenario, name, fault);

	if (!error)
		error = check_workers(scenario, name, fault);
	if (!error)
		error = check_window(scenario, name, fault);
	return error ? error : check_echoes(scenario, name, fault);
}

double loader_backlog_s(const struct scenario *scenario)
{
	const struct loading *loading = &scenario->loading;
	double batches = (double)loading->workers * loading->prefetch_factor;

	if (loading->kind == LOADER_STAGES)
		batches = (double)scenario->prefetch_batches *
				  scenario->accelerators.count +
			  scenario->stages[STAGE_COLLATE].workers;
	return distribution_mean(&loading->pin.time_ns) / 1e9 * batches;
}

const char *loader_memory_key(const struct scenario *scenario)
{
	return scenario->loading.kind == LOADER_WORKERS ? "pipeline.loader" :
							  "pipeline";
}
