/* SPDX-License-Identifier: MIT */
#include "analysis/trace/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_FIRST_NS 1000 /* the smallest distance of samples */
#define EVENTS_FIRST 1024    /* room to begin with */
#define STEADY_FIRST 16	     /* the step that the first candidate begins with */

/* A stretch under way. */
enum state {
	STATE_WAITS, /* for its step */
	STATE_RUNS,  /* its end is not known */
	STATE_ENDS,  /* its last step has begun, and ends at end_ns */
	STATE_WHOLE,
};

struct recorder {
	struct stretch stretch;
	enum state state;
	bool shown; /* its first step has begun; what is told before that only
		       completes the picture of its beginning */
};

struct timeline {
	struct watcher watcher;
	const struct watcher *other; /* who wants to be told too; NULL */
	struct engine *engine;	     /* NULL: none is watched */
	uint64_t steps;
	uint64_t begun; /* steps of the first accelerator so far */
	uint64_t candidate_step;
	struct recorder first;
	struct recorder steady; /* the last candidate that is whole */
	struct recorder candidate;
	struct samples levels;
};

static bool is_told_at_end(const struct trace_event *event)
{
	return event->kind == TRACE_REQUEST || event->kind == TRACE_BATCH ||
	       event->kind == TRACE_CARRY;
}

int64_t timeline_from_ns(const struct trace_event *event)
{
	return is_told_at_end(event) ? event->issue_ns : event->start_ns;
}

/* When an event was told: nothing before that is told later. */
static int64_t told_ns(const struct trace_event *event)
{
	return is_told_at_end(event) ? event->end_ns : event->start_ns;
}

/* Samples. */

static void samples_begin(struct samples *samples, int64_t start_ns)
{
	samples->start_ns = start_ns;
	samples->distance_ns = SAMPLE_FIRST_NS;
	samples->count = 0;
}

static void thin_out(struct samples *samples)
{
	size_t i;

	for (i = 0; 2 * i < samples->count; i++)
		samples->at[i] = samples->at[2 * i];
	samples->count = i;
	samples->distance_ns *= 2;
}

/* Every sample that is due before time moves on to to_ns: nothing changes until
 * then. */
static void samples_take(struct samples *samples, int64_t to_ns,
			 const struct engine *engine)
{
	struct engine_levels levels;
	int64_t due_ns = samples->start_ns +
			 (int64_t)samples->count * samples->distance_ns;

	if (due_ns >= to_ns)
		return;
	engine_levels(engine, &levels);
	while (due_ns < to_ns) {
		if (samples->count == TIMELINE_SAMPLES_MAX)
			thin_out(samples);
		else
			samples->at[samples->count++] = levels;
		due_ns = samples->start_ns +
			 (int64_t)samples->count * samples->distance_ns;
	}
}

/* Stretches. */

static void start(struct recorder *recorder, int64_t now_ns, uint64_t step)
{
	struct stretch *stretch = &recorder->stretch;

	recorder->state = STATE_RUNS;
	recorder->shown = true;
	stretch->start_ns = now_ns;
	stretch->end_ns = now_ns;
	stretch->first_step = step;
	stretch->steps = 0;
	samples_begin(&stretch->samples, now_ns);
}

/* Forgets what was recorded, and keeps the room. */
static void reset(struct recorder *recorder)
{
	recorder->state = STATE_WAITS;
	recorder->shown = false;
	recorder->stretch.count = 0;
	recorder->stretch.cut = false;
}

static void keep(struct recorder *recorder, const struct trace_event *event)
{
	struct stretch *stretch = &recorder->stretch;
	size_t room = stretch->room ? 2 * stretch->room : EVENTS_FIRST;
	struct trace_event *events;

	if (stretch->count == stretch->room &&
	    stretch->room < TIMELINE_EVENTS_MAX) {
		events = realloc(stretch->events, room * sizeof(*events));
		if (events) {
			stretch->events = events;
			stretch->room = room;
		}
	}
	/* Of what comes before the beginning, the latest will do. */
	if (!recorder->shown && stretch->count == stretch->room)
		stretch->count = 0;
	if (stretch->count < stretch->room) {
		stretch->events[stretch->count++] = *event;
		return;
	}
	/* What is under way now is told later: that much is missing. */
	if (recorder->state < STATE_WHOLE) {
		stretch->end_ns = told_ns(event);
		stretch->cut = true;
		recorder->state = STATE_WHOLE;
	}
}

/* A step of the first accelerator begins. */
static void count_step(struct recorder *recorder, uint64_t steps,
		       const struct trace_event *event)
{
	struct stretch *stretch = &recorder->stretch;

	if (recorder->state != STATE_RUNS)
		return;
	stretch->steps++;
	stretch->end_ns = event->end_ns;
	if (stretch->steps == steps)
		recorder->state = STATE_ENDS;
}

static void record(struct recorder *recorder, const struct trace_event *event)
{
	struct stretch *stretch = &recorder->stretch;
	int64_t now_ns = told_ns(event);

	if (recorder->state == STATE_ENDS && now_ns >= stretch->end_ns)
		recorder->state = STATE_WHOLE;
	if (recorder->state == STATE_WHOLE) {
		/* Begun before the end and told after it. */
		if (timeline_from_ns(event) < stretch->end_ns && !stretch->cut)
			keep(recorder, event);
		return;
	}
	keep(recorder, event);
}

static void swap(struct timeline *timeline)
{
	struct recorder held = timeline->steady;

	timeline->steady = timeline->candidate;
	timeline->candidate = held;
	reset(&timeline->candidate);
}

/* The candidate is recorded from the step before its first one. */
static void follow_candidate(struct timeline *timeline,
			     const struct trace_event *event)
{
	struct recorder *candidate = &timeline->candidate;
	uint64_t begun = timeline->begun;

	if (candidate->state >= STATE_ENDS &&
	    begun == 2 * timeline->candidate_step - 1) {
		swap(timeline);
		timeline->candidate_step *= 2;
	}
	if (candidate->state == STATE_WAITS &&
	    begun + 1 == timeline->candidate_step)
		candidate->state = STATE_RUNS;
	else if (candidate->state == STATE_RUNS && !candidate->shown &&
		 begun == timeline->candidate_step)
		start(candidate, event->start_ns, event->number);
}

static void on_event(void *context, const struct trace_event *event)
{
	struct timeline *timeline = context;
	bool step = event->kind == TRACE_STEP && event->object == 0;

	if (timeline->other)
		timeline->other->event(timeline->other->context, event);
	if (step) {
		timeline->begun++;
		follow_candidate(timeline, event);
	}
	record(&timeline->first, event);
	if (timeline->candidate.state != STATE_WAITS)
		record(&timeline->candidate, event);
	if (!step)
		return;
	count_step(&timeline->first, timeline->steps, event);
	if (timeline->candidate.shown)
		count_step(&timeline->candidate, timeline->steps, event);
}

static void sample_stretch(struct recorder *recorder, int64_t to_ns,
			   const struct engine *engine)
{
	struct stretch *stretch = &recorder->stretch;

	if (recorder->state == STATE_ENDS && to_ns > stretch->end_ns)
		to_ns = stretch->end_ns;
	if (recorder->shown && recorder->state < STATE_WHOLE)
		samples_take(&stretch->samples, to_ns, engine);
}

static void on_time(void *context, int64_t to_ns)
{
	struct timeline *timeline = context;

	samples_take(&timeline->levels, to_ns, timeline->engine);
	sample_stretch(&timeline->first, to_ns, timeline->engine);
	sample_stretch(&timeline->candidate, to_ns, timeline->engine);
}

int timeline_open(struct timeline **out, uint64_t steps)
{
	struct timeline *timeline = calloc(1, sizeof(*timeline));

	if (!timeline)
		return -ENOMEM;
	timeline->watcher = (struct watcher){ .context = timeline,
					      .event = on_event,
					      .time = on_time };
	timeline->steps = steps;
	/* It does not overlap with the first stretch. */
	timeline->candidate_step = STEADY_FIRST;
	while (timeline->candidate_step <= steps)
		timeline->candidate_step *= 2;
	*out = timeline;
	return 0;
}

void timeline_close(struct timeline *timeline)
{
	if (!timeline)
		return;
	free(timeline->first.stretch.events);
	free(timeline->steady.stretch.events);
	free(timeline->candidate.stretch.events);
	free(timeline);
}

void timeline_begin(struct timeline *timeline, struct engine *engine,
		    const struct watcher *other)
{
	timeline->engine = engine;
	timeline->other = other;
	start(&timeline->first, 0, 0);
	samples_begin(&timeline->levels, 0);
	engine_watch(engine, &timeline->watcher);
}

void timeline_end(struct timeline *timeline)
{
	struct stretch *first = &timeline->first.stretch;

	if (timeline->candidate.state >= STATE_ENDS)
		swap(timeline);
	/* The run ended before its first steps did. */
	if (timeline->first.state == STATE_RUNS && !first->steps)
		first->end_ns = engine_now_ns(timeline->engine);
	timeline->engine = NULL;
}

const struct stretch *timeline_first(const struct timeline *timeline)
{
	const struct stretch *first = &timeline->first.stretch;

	return first->end_ns > first->start_ns ? first : NULL;
}

const struct stretch *timeline_steady(const struct timeline *timeline)
{
	return timeline->steady.state >= STATE_ENDS ?
		       &timeline->steady.stretch :
		       NULL;
}

const struct samples *timeline_levels(const struct timeline *timeline)
{
	return &timeline->levels;
}
