/* SPDX-License-Identifier: MIT */
#include "analysis/detail.h"

#include <errno.h>
#include <stdlib.h>

static const char *const stage_names[STAGE_COUNT] = {
	[STAGE_READ] = "read",	     [STAGE_DECOMPRESS] = "decompress",
	[STAGE_DECODE] = "decode",   [STAGE_AUGMENT] = "augment",
	[STAGE_COLLATE] = "collate",
};

static uint32_t accelerator_count(const struct pipeline *pipeline)
{
	return pipeline->accelerators.count * pipeline->accelerators.hosts;
}

/* Of a loader of workers, who are per accelerator. */
static double workers(const struct pipeline *pipeline)
{
	uint32_t each = pipeline->loading.workers;

	return (double)(each ? each : 1) * accelerator_count(pipeline);
}

/* How many of a stage's workers can be busy, or reads in flight. */
static double stage_most(const struct pipeline *pipeline, enum stage_name stage)
{
	if (pipeline->loading.kind == LOADER_STAGES)
		return (double)pipeline->stages[stage].workers *
		       pipeline->accelerators.hosts;
	if (stage == STAGE_READ)
		return workers(pipeline) * pipeline->loading.reads;
	return workers(pipeline);
}

static double batches_most(const struct pipeline *pipeline)
{
	if (pipeline->loading.kind == LOADER_STAGES)
		return (double)pipeline->prefetch_batches *
		       accelerator_count(pipeline);
	return workers(pipeline) * pipeline->loading.prefetch_factor;
}

/* A worker that has finished what it carried is not busy with it. */
static int64_t counts_until_ns(const struct trace_event *event)
{
	return event->kind == TRACE_CARRY ? event->start_ns : event->end_ns;
}

static struct detail_row *add_row(struct detail_stretch *stretch,
				  const char *name, const char *what,
				  double most)
{
	struct detail_row *row = &stretch->rows[stretch->row_count++];

	*row = (struct detail_row){ .name = name, .what = what, .most = most };
	return row;
}

/* Exact means: an event counts in each bin for the share of it that it
 * covers. */
static void cover(struct detail_row *row, const struct detail_stretch *stretch,
		  int64_t from_ns, int64_t to_ns)
{
	double width_ns =
		(double)(stretch->end_ns - stretch->start_ns) / DETAIL_BINS;
	double from, to, low, high;
	size_t bin;

	if (from_ns < stretch->start_ns)
		from_ns = stretch->start_ns;
	if (to_ns > stretch->end_ns)
		to_ns = stretch->end_ns;
	if (from_ns >= to_ns)
		return;
	from = (double)(from_ns - stretch->start_ns) / width_ns;
	to = (double)(to_ns - stretch->start_ns) / width_ns;
	for (bin = (size_t)from; bin < DETAIL_BINS && (double)bin < to; bin++) {
		low = from > (double)bin ? from : (double)bin;
		high = to < (double)(bin + 1) ? to : (double)(bin + 1);
		row->mean[bin] += high - low;
	}
}

/* Which row an event counts in: storage, a stage, the accelerators. */
static struct detail_row *row_of(struct detail_stretch *stretch,
				 const struct trace_event *event)
{
	switch (event->kind) {
	case TRACE_REQUEST:
		return &stretch->rows[STAGE_READ];
	case TRACE_WORK:
		return &stretch->rows[event->stage];
	case TRACE_STEP:
		return &stretch->rows[STAGE_COUNT];
	case TRACE_CARRY:
		return &stretch->rows[STAGE_COUNT + 1];
	default:
		return NULL;
	}
}

/* Batches that are ready, from samples: the last one before the middle of a
 * bin. */
static void add_batches(struct detail_stretch *stretch,
			const struct samples *samples, double most)
{
	struct detail_row *row = add_row(stretch, "batches", "ready", most);
	int64_t length_ns = stretch->end_ns - stretch->start_ns;
	int64_t at_ns;
	size_t bin, at;

	for (bin = 0; bin < DETAIL_BINS && samples->count; bin++) {
		at_ns = length_ns / DETAIL_BINS * (int64_t)bin +
			length_ns / DETAIL_BINS / 2;
		at = (size_t)(at_ns / samples->distance_ns);
		if (at >= samples->count)
			at = samples->count - 1;
		row->mean[bin] = (double)samples->at[at].batches;
	}
}

static void add_step(struct detail_stretch *stretch,
		     const struct trace_event *event)
{
	if (event->object >= DETAIL_ACCELERATORS_MAX ||
	    stretch->step_count == DETAIL_STEPS_MAX ||
	    event->end_ns <= stretch->start_ns ||
	    event->start_ns >= stretch->end_ns)
		return;
	stretch->steps[stretch->step_count++] = (struct detail_step){
		.step = event->number,
		.accelerator = event->object,
		.issue_ns = event->issue_ns,
		.start_ns = event->start_ns,
		.end_ns = event->end_ns,
	};
}

static int add_stretch(struct detail *detail, const char *name,
		       const struct stretch *from,
		       const struct pipeline *pipeline)
{
	struct detail_stretch *stretch =
		&detail->stretches[detail->stretch_count];
	struct detail_row *row;
	size_t i;

	if (!from)
		return 0;
	*stretch = (struct detail_stretch){
		.name = name,
		.start_ns = from->start_ns,
		.end_ns = from->end_ns,
		.cut = from->cut,
		.bins = DETAIL_BINS,
		.steps = calloc(DETAIL_STEPS_MAX, sizeof(*stretch->steps)),
	};
	if (!stretch->steps)
		return -ENOMEM;
	detail->stretch_count++;
	for (i = 0; i < STAGE_COUNT; i++)
		add_row(stretch, stage_names[i],
			i == STAGE_READ ? "in flight" : "busy",
			stage_most(pipeline, (enum stage_name)i));
	add_row(stretch, "accelerators", "busy", accelerator_count(pipeline));
	if (pipeline->loading.kind == LOADER_WORKERS)
		add_row(stretch, "loader workers", "busy", workers(pipeline));
	for (i = 0; i < from->count; i++) {
		row = row_of(stretch, &from->events[i]);
		if (row)
			cover(row, stretch, timeline_from_ns(&from->events[i]),
			      counts_until_ns(&from->events[i]));
		if (from->events[i].kind == TRACE_STEP)
			add_step(stretch, &from->events[i]);
	}
	add_batches(stretch, &from->samples, batches_most(pipeline));
	return 0;
}

/* The levels of the whole run. */

typedef double (*level)(const struct engine_levels *levels);

static double requests(const struct engine_levels *levels)
{
	return levels->requests;
}

static double blocks(const struct engine_levels *levels)
{
	return levels->waiting[STAGE_READ];
}

static double undecoded(const struct engine_levels *levels)
{
	return levels->waiting[STAGE_DECOMPRESS];
}

static double decoded(const struct engine_levels *levels)
{
	return levels->waiting[STAGE_DECODE];
}

static double shuffled(const struct engine_levels *levels)
{
	return (double)levels->shuffled_examples;
}

static double augmented(const struct engine_levels *levels)
{
	return levels->waiting[STAGE_AUGMENT];
}

static double batches(const struct engine_levels *levels)
{
	return (double)levels->batches;
}

static double credit(const struct engine_levels *levels)
{
	return (double)levels->ahead_examples;
}

static double stepping(const struct engine_levels *levels)
{
	return levels->stepping;
}

/* The means of the samples of each bin, of which there are at least one. */
static void add_level(struct detail_stretch *stretch,
		      const struct samples *samples, const char *name,
		      const char *what, double most, level get)
{
	struct detail_row *row = add_row(stretch, name, what, most);
	size_t bin, i, from, to;

	for (bin = 0; bin < stretch->bins; bin++) {
		from = bin * samples->count / stretch->bins;
		to = (bin + 1) * samples->count / stretch->bins;
		for (i = from; i < to; i++)
			row->mean[bin] +=
				get(&samples->at[i]) / (double)(to - from);
	}
}

static void fill_levels(struct detail_stretch *levels,
			const struct samples *samples,
			const struct pipeline *pipeline)
{
	double hosts = pipeline->accelerators.hosts;

	*levels = (struct detail_stretch){
		.name = "whole run",
		.start_ns = samples->start_ns,
		.end_ns = samples->start_ns +
			  (int64_t)samples->count * samples->distance_ns,
		.bins = samples->count < DETAIL_BINS ? samples->count :
						       DETAIL_BINS,
	};
	add_level(levels, samples, "requests", "in flight",
		  stage_most(pipeline, STAGE_READ), requests);
	add_level(levels, samples, "blocks", "to decompress", 0, blocks);
	add_level(levels, samples, "examples", "to decode", 0, undecoded);
	add_level(levels, samples, "examples", "decoded", 0, decoded);
	if (pipeline->shuffle_examples > 1)
		add_level(levels, samples, "examples", "in shuffle buffer",
			  (double)pipeline->shuffle_examples * hosts, shuffled);
	add_level(levels, samples, "examples", "augmented", 0, augmented);
	add_level(levels, samples, "examples", "read ahead in all",
		  (double)pipeline->read_ahead_examples * hosts, credit);
	add_level(levels, samples, "batches", "ready", batches_most(pipeline),
		  batches);
	add_level(levels, samples, "accelerators", "busy",
		  accelerator_count(pipeline), stepping);
}

int detail_make(struct detail **out, const struct timeline *timeline,
		const struct pipeline *pipeline)
{
	struct detail *detail = calloc(1, sizeof(*detail));
	int error;

	if (!detail)
		return -ENOMEM;
	error = add_stretch(detail, "first steps", timeline_first(timeline),
			    pipeline);
	if (!error)
		error = add_stretch(detail, "steady stretch",
				    timeline_steady(timeline), pipeline);
	if (error) {
		detail_free(detail);
		return error;
	}
	fill_levels(&detail->levels, timeline_levels(timeline), pipeline);
	*out = detail;
	return 0;
}

void detail_free(struct detail *detail)
{
	if (!detail)
		return;
	free(detail->stretches[0].steps);
	free(detail->stretches[1].steps);
	free(detail);
}
