/* SPDX-License-Identifier: MIT */
#include "analysis/stall/attribution.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/burst.h"
#include "analysis/simulation.h"
#include "sim/math.h"
#include "traces/scenario.h"

#define TENTH 1.1
#define MOST 0.055 /* more than half of what a tenth can gain */
/* What a changed setting may want beyond twice the memory of the first. */
#define MEMORY_SPARE ((size_t)256 << 20)

/* One search. A run that ends early, or is not made, has no rate: 0. */
struct search {
	const struct attribution_watch *watch;
	const struct layout *layout; /* of a packed dataset; NULL: none */
	struct run_limit limit;	     /* of all runs */
	bool drained;		     /* and whether they begin so */
	struct scenario scenario;    /* of the reference */
	struct scenario improved;
	struct resource_change change; /* that made it */
	struct setting changed;	       /* of the run under way */
	struct figures reference;      /* all changes are against this */
	struct figures figures;	       /* of the run under way */
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

/* What a scenario makes of the model. */
static void set(struct search *search, const struct scenario *scenario)
{
	struct setting *setting = &search->changed;

	scenario_tiers(scenario, &setting->tiers);
	scenario_pipeline(scenario, &scenario->echoes[0], search->layout,
			  &setting->pipeline);
	setting->pipeline.limit = search->limit;
	if (search->drained)
		burst_drain(&setting->tiers.device);
}

/* The next run is the reference's with one thing better; false: it comes no
 * better. */
static bool improve(struct search *search, const struct resource *resource,
		    enum resource_step step)
{
	search->improved = search->scenario;
	if (!resource_improve(resource, step, search->layout, &search->improved,
			      &search->change))
		return false;
	set(search, &search->improved);
	return true;
}

static int run_free_storage(struct search *search)
{
	int error;

	set(search, &search->scenario);
	resource_free_storage(&search->changed);
	error = run_changed(search);
	search->free_storage_rate = rate_of(&search->figures);
	return error;
}

static int run_free_loader(struct search *search)
{
	int error;

	set(search, &search->scenario);
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
	struct run_limit *limit = &search->limit;
	uint64_t step_examples = (uint64_t)search->scenario.batch_size *
				 search->reference.accelerators;
	uint64_t steps = search->watch->examples_max / step_examples + 1;
	int error;

	if (!search->watch->examples_max ||
	    search->reference.run_steps <= steps)
		return 0;
	found->cut_steps = steps;
	limit->steps = steps;
	if (limit->warmup_steps > steps / 2)
		limit->warmup_steps = steps / 2;
	set(search, &search->scenario);
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
	case RESOURCE_HANDOVER:
	case RESOURCE_ACCELERATOR:
		break;
	}
	return true;
}

/* A resource that was improved, and what came of it. */
struct gain {
	const struct resource *resource; /* NULL: none */
	struct resource_change change;
	double gain;	  /* relative change of the rate */
	double per_10pct; /* that of a tenth, by the same power law */
};

/* Runs what improve() made. */
static int try_change(struct search *search, double *gain)
{
	double rate = rate_of(&search->reference);
	double changed;
	int error = run_changed(search);

	changed = rate_of(&search->figures);
	*gain = changed > 0 ? changed / rate - 1 : 0;
	return error;
}

static int try_resource(struct search *search, const struct resource *resource,
			struct gain *found)
{
	int error;

	*found = (struct gain){ .resource = resource };
	if (!is_worth_trying(search, resource) ||
	    !improve(search, resource, RESOURCE_TENTH))
		return 0;
	found->change = search->change;
	error = try_change(search, &found->gain);
	found->per_10pct =
		math_exp(math_log(1 + found->gain) * math_log(TENTH) /
			 math_log(found->change.factor)) -
		1;
	return error;
}

static void take(struct gain best[2], const struct gain *one)
{
	if (one->per_10pct > best[0].per_10pct + ATTRIBUTION_NOISE) {
		if (!resource_is_same(one->resource, best[0].resource))
			best[1] = best[0];
		best[0] = *one;
	} else if (one->per_10pct > best[1].per_10pct + ATTRIBUTION_NOISE &&
		   !resource_is_same(one->resource, best[0].resource)) {
		best[1] = *one;
	}
}

/* The two that gain most. Of what gains the same the first stays. */
static int rank(struct search *search, const struct resource *except,
		struct gain best[2])
{
	struct gain one;
	size_t i;
	int error;

	best[0] = best[1] = (struct gain){ 0 };
	for (i = 0; i < resource_count; i++) {
		if (resource_is_same(&resource_table[i], except))
			continue;
		error = try_resource(search, &resource_table[i], &one);
		if (error)
			return error;
		take(best, &one);
		if (search->watch->first_only && best[0].per_10pct > MOST)
			break;
	}
	return 0;
}

/* Both changes at once: is there more to gain than by the first? */
static int try_both(struct search *search, struct attribution *found,
		    const struct gain best[2])
{
	double gain;
	int error;

	search->improved = search->scenario;
	if (!resource_improve(best[0].resource, RESOURCE_TENTH, search->layout,
			      &search->improved, &search->change) ||
	    !resource_improve(best[1].resource, RESOURCE_TENTH, search->layout,
			      &search->improved, &search->change))
		return 0;
	set(search, &search->improved);
	error = try_change(search, &gain);
	if (gain <= found->gain + ATTRIBUTION_NOISE)
		return error;
	found->both_gain = gain;
	found->next_change = search->change;
	return error;
}

/* Takes the first limit away: how much faster is it then, and what limits? */
static int look_behind(struct search *search, struct attribution *found)
{
	double rate = rate_of(&search->reference);
	struct gain best[2];
	int error;

	if (!improve(search, found->bottleneck, RESOURCE_AWAY))
		return 0;
	error = run_changed(search);
	if (error || rate_of(&search->figures) <= 0)
		return error;
	found->headroom = rate_of(&search->figures) / rate;
	if (found->next)
		return 0;
	/* Free storage is no bound any more when stages were freed. */
	if (found->bottleneck->group != RESOURCE_STORAGE)
		search->free_storage_rate = 0;
	if (found->bottleneck->group == RESOURCE_HANDOVER ||
	    found->bottleneck->group == RESOURCE_ACCELERATOR)
		search->free_loader_rate = 0;
	search->scenario = search->improved;
	search->reference = search->figures;
	error = rank(search, found->bottleneck, best);
	found->next = best[0].resource;
	return error;
}

static int find_bottleneck(struct search *search, struct attribution *found)
{
	struct gain best[2];
	int error;

	error = cut(search, found);
	if (error || rate_of(&search->reference) <= 0)
		return error;
	error = rank(search, NULL, best);
	if (error || !best[0].resource)
		return error;
	found->bottleneck = best[0].resource;
	found->gain_per_10pct = best[0].per_10pct;
	found->change = best[0].change;
	found->gain = best[0].gain;
	found->next = best[1].resource;
	if (search->watch->first_only)
		return 0;
	if (found->next)
		error = try_both(search, found, best);
	return error ? error : look_behind(search, found);
}

/* How many runs it takes to try all resources. */
static uint32_t count_resources(struct search *search)
{
	uint32_t count = 0;
	size_t i;

	for (i = 0; i < resource_count; i++)
		count += improve(search, &resource_table[i], RESOURCE_TENTH);
	return count;
}

/* A run that its clock ended is compared by its steps: faster ones do not get
 * longer. */
static void begin(struct search *search,
		  const struct attribution_subject *subject,
		  const struct figures *figures,
		  const struct attribution_watch *watch)
{
	size_t size;

	search->watch = watch;
	search->layout = subject->layout;
	search->limit = subject->limit;
	search->drained = subject->drained;
	search->scenario = *subject->scenario;
	if (!search->limit.steps && !figures->data_ended)
		search->limit.steps = figures->run_steps;
	search->reference = *figures;
	search->runs_expected = 3 + count_resources(search);
	set(search, &search->scenario);
	size = simulation_memory_bytes(&search->changed);
	search->memory_max = size > SIZE_MAX / 4 ? size :
						   2 * size + MEMORY_SPARE;
}

int attribution_find(struct attribution *attribution,
		     const struct attribution_subject *subject,
		     const struct figures *figures,
		     const struct attribution_watch *watch)
{
	struct search *search;
	int error;

	*attribution = (struct attribution){ 0 };
	if (rate_of(figures) <= 0 || !figures->accelerator_ns)
		return 0;
	search = calloc(1, sizeof(*search));
	if (!search)
		return -ENOMEM;
	begin(search, subject, figures, watch);
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
