/* SPDX-License-Identifier: MIT */
#include "analysis/stall/attribution.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/simulation.h"
#include "sim/check.h"
#include "sim/math.h"

#define TENTH 1.1
#define MOST 0.055 /* more than half of what a tenth can gain */
/* What a changed setting may want beyond twice the memory of the first. */
#define MEMORY_SPARE ((size_t)256 << 20)

/* One search. A run that ends early, or is not made, has no rate: 0. */
struct search {
	const struct attribution_watch *watch;
	struct setting setting;	  /* of the reference */
	struct setting changed;	  /* of the run under way */
	struct figures reference; /* all changes are against this */
	struct figures figures;	  /* of the run under way */
	double free_storage_rate;
	double free_loader_rate; /* storage and stages */
	size_t memory_max;
	uint32_t runs_done;
	uint32_t runs_expected;
	bool ended; /* the caller wants no more */
};

static double rate_of(const struct figures *figures)
{
	if (!figures->complete || figures->storage.failed ||
	    figures->elapsed_ns <= 0)
		return 0;
	return (double)figures->steps / (double)figures->elapsed_ns;
}

static bool go_on(void *context, double done)
{
	struct search *search = context;
	const struct attribution_watch *watch = search->watch;

	if (!watch->go_on)
		return true;
	done = ((double)search->runs_done + done) /
	       (double)search->runs_expected;
	search->ended = !watch->go_on(watch->context, done < 1 ? done : 1);
	return !search->ended;
}

/* Runs search->changed to its end. What wants far more memory than the first
 * setting is left out. */
static int run_changed(struct search *search)
{
	const struct simulation_watch watch = {
		.go_on = go_on,
		.context = search,
		.memory_max = search->memory_max,
	};
	int error;

	search->figures.complete = false;
	if (search->ended ||
	    simulation_memory_bytes(&search->changed) > search->memory_max)
		return 0;
	error = simulation_run(&search->changed, &watch, &search->figures);
	search->runs_done += !error;
	return error;
}

static int run_free_storage(struct search *search)
{
	int error;

	search->changed = search->setting;
	resource_free_storage(&search->changed);
	error = run_changed(search);
	search->free_storage_rate = rate_of(&search->figures);
	return error;
}

static int run_free_loader(struct search *search)
{
	int error;

	search->changed = search->setting;
	resource_free_storage(&search->changed);
	resource_free_stages(&search->changed);
	error = run_changed(search);
	search->free_loader_rate = rate_of(&search->figures);
	return error;
}

static level_integral at_most(double time_ns, level_integral most)
{
	if (time_ns < level_to_double(most))
		return (level_integral)(time_ns + 0.5);
	return most;
}

/* The reference's time with the idle share of the run under way; `most` when
 * that is not known, or the time more. */
static level_integral remaining_idle_ns(const struct search *search,
					level_integral most)
{
	const struct figures *figures = &search->figures;
	double idle_ns;

	if (rate_of(figures) <= 0 || !figures->accelerator_ns)
		return most;
	idle_ns = level_to_double(figures->idle_ns) /
		  level_to_double(figures->accelerator_ns) *
		  level_to_double(search->reference.accelerator_ns);
	return at_most(idle_ns, most);
}

static int find_stalls(struct search *search, struct attribution *found)
{
	level_integral idle_ns = search->reference.idle_ns;
	level_integral without_storage_ns, without_loader_ns;
	int error;

	error = run_free_storage(search);
	if (error)
		return error;
	without_storage_ns = remaining_idle_ns(search, idle_ns);
	error = run_free_loader(search);
	if (error)
		return error;
	without_loader_ns = remaining_idle_ns(search, without_storage_ns);
	found->window_ns = search->reference.accelerator_ns;
	found->fetch_ns = idle_ns - without_storage_ns;
	found->prep_ns = without_storage_ns - without_loader_ns;
	found->other_ns = without_loader_ns;
	return 0;
}

/* Cuts the reference down to so many steps that a run has at most the
 * examples that the caller wants. What it is compared with is cut alike. */
static int cut(struct search *search, struct attribution *found)
{
	struct pipeline *pipeline = &search->setting.pipeline;
	uint64_t step_examples =
		(uint64_t)pipeline->batch_size * search->reference.accelerators;
	uint64_t steps = search->watch->examples_max / step_examples + 1;
	int error;

	if (!search->watch->examples_max ||
	    search->reference.run_steps <= steps)
		return 0;
	found->cut_steps = steps;
	pipeline->limit.steps = steps;
	if (pipeline->limit.warmup_steps > steps / 2)
		pipeline->limit.warmup_steps = steps / 2;
	search->changed = search->setting;
	error = run_changed(search);
	search->reference = search->figures;
	if (!error)
		error = run_free_storage(search);
	if (!error)
		error = run_free_loader(search);
	return error;
}

/* Is there something to gain in all of this resource's group? */
static bool is_worth_trying(const struct search *search,
			    const struct resource *resource)
{
	double rate = rate_of(&search->reference);
	double least = rate * (1 + ATTRIBUTION_NOISE);
	bool loader = search->free_loader_rate <= 0 ||
		      search->free_loader_rate > least;
	bool storage = search->free_storage_rate <= 0 ||
		       search->free_storage_rate > least;

	switch (resource->group) {
	case RESOURCE_STORAGE:
		return loader && storage;
	case RESOURCE_LOADER:
		return loader;
	case RESOURCE_ACCELERATOR:
		break;
	}
	return true;
}

/* The relative change of the rate with a tenth more of the resource. */
static int try_resource(struct search *search, const struct resource *resource,
			double *gain)
{
	double rate = rate_of(&search->reference);
	double factor, changed;
	int error;

	*gain = 0;
	if (!is_worth_trying(search, resource))
		return 0;
	search->changed = search->setting;
	factor = resource_improve(resource, &search->changed, TENTH);
	if (factor <= 1)
		return 0;
	error = run_changed(search);
	changed = rate_of(&search->figures);
	if (changed > 0)
		*gain = math_exp(math_log(changed / rate) * math_log(TENTH) /
				 math_log(factor)) -
			1;
	return error;
}

/* A gain, and whose it is. */
struct best {
	const struct resource *resource;
	double gain;
};

/* The two that gain most. Of what gains the same the first stays. */
static int rank(struct search *search, const struct resource *except,
		struct best best[2])
{
	struct best one;
	size_t i;
	int error;

	best[0] = best[1] = (struct best){ NULL, 0 };
	for (i = 0; i < resource_count; i++) {
		one.resource = &resource_table[i];
		if (one.resource == except)
			continue;
		error = try_resource(search, one.resource, &one.gain);
		if (error)
			return error;
		if (one.gain > best[0].gain + ATTRIBUTION_NOISE) {
			best[1] = best[0];
			best[0] = one;
		} else if (one.gain > best[1].gain + ATTRIBUTION_NOISE) {
			best[1] = one;
		}
		if (search->watch->first_only && best[0].gain > MOST)
			break;
	}
	return 0;
}

/* Takes the first limit away: how much faster is it then, and what limits? */
static int look_behind(struct search *search, struct attribution *found)
{
	double rate = rate_of(&search->reference);
	struct best best[2];
	int error;

	search->changed = search->setting;
	resource_improve(found->bottleneck, &search->changed,
			 RESOURCE_UNLIMITED);
	error = run_changed(search);
	if (error || rate_of(&search->figures) <= 0)
		return error;
	found->headroom = rate_of(&search->figures) / rate;
	if (found->next)
		return 0;
	/* Free storage is no bound any more when stages were freed. */
	if (found->bottleneck->group != RESOURCE_STORAGE)
		search->free_storage_rate = 0;
	if (found->bottleneck->group == RESOURCE_ACCELERATOR)
		search->free_loader_rate = 0;
	search->setting = search->changed;
	search->reference = search->figures;
	error = rank(search, found->bottleneck, best);
	found->next = best[0].resource;
	return error;
}

static int find_bottleneck(struct search *search, struct attribution *found)
{
	struct best best[2];
	int error;

	error = cut(search, found);
	if (error || rate_of(&search->reference) <= 0)
		return error;
	error = rank(search, NULL, best);
	if (error || !best[0].resource)
		return error;
	found->bottleneck = best[0].resource;
	found->gain_per_10pct = best[0].gain;
	found->next = best[1].resource;
	return search->watch->first_only ? 0 : look_behind(search, found);
}

/* A run that its clock ended is compared by its steps: faster ones do not get
 * longer. */
static void begin(struct search *search, const struct setting *setting,
		  const struct figures *figures,
		  const struct attribution_watch *watch)
{
	const struct run_limit *limit = &setting->pipeline.limit;
	size_t size;
	size_t i;

	search->watch = watch;
	search->setting = *setting;
	if (!limit->steps && !figures->data_ended)
		search->setting.pipeline.limit.steps = figures->run_steps;
	search->reference = *figures;
	size = simulation_memory_bytes(setting);
	search->memory_max = size > SIZE_MAX / 4 ? size :
						   2 * size + MEMORY_SPARE;
	search->runs_expected = 3;
	for (i = 0; i < resource_count; i++) {
		search->changed = *setting;
		search->runs_expected += resource_improve(&resource_table[i],
							  &search->changed,
							  TENTH) > 1;
	}
}

int attribution_find(struct attribution *attribution,
		     const struct setting *setting,
		     const struct figures *figures,
		     const struct attribution_watch *watch)
{
	struct search *search;
	int error;

	CHECK(!setting->pipeline.external_decompress);
	*attribution = (struct attribution){ 0 };
	if (rate_of(figures) <= 0 || !figures->accelerator_ns)
		return 0;
	search = calloc(1, sizeof(*search));
	if (!search)
		return -ENOMEM;
	begin(search, setting, figures, watch);
	error = find_stalls(search, attribution);
	if (!error)
		error = find_bottleneck(search, attribution);
	attribution->known = !error && !search->ended;
	free(search);
	return error;
}

void attribution_adopt(struct attribution *attribution,
		       const struct figures *figures)
{
	level_integral *fetch_ns = &attribution->fetch_ns;
	level_integral *prep_ns = &attribution->prep_ns;
	level_integral idle_ns = figures->idle_ns;
	double scale;

	if (!attribution->known || !figures->accelerator_ns) {
		attribution->known = false;
		return;
	}
	scale = level_to_double(figures->accelerator_ns) /
		level_to_double(attribution->window_ns);
	attribution->window_ns = figures->accelerator_ns;
	*fetch_ns = at_most(level_to_double(*fetch_ns) * scale, idle_ns);
	*prep_ns =
		at_most(level_to_double(*prep_ns) * scale, idle_ns - *fetch_ns);
	attribution->other_ns = idle_ns - *fetch_ns - *prep_ns;
}
