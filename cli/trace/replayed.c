/* SPDX-License-Identifier: MIT */
#include "cli/trace/replayed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/law/rank.h"
#include "cli/interrupt.h"
#include "cli/memory.h"
#include "cli/trace/recorded.h"
#include "sim/replay.h"
#include "traces/recording/scenario.h"

#define SLICE_COMPLETIONS 20000 /* between looks at Ctrl-C */

struct replayed {
	const struct replay_request *request;
	const char *path;
	struct recorded recorded;
	void *engine_memory;
	void *replay_memory;
	struct engine *engine;
	struct replay replay;
	struct fault *fault;
};

int replayed_look(struct options *options, struct fault *fault)
{
	const char *path = options->replay_path;
	struct recorded recorded;
	int error = recorded_check_file(path, fault);

	if (!error)
		error = recorded_open(&recorded, path, fault);
	if (error)
		return error;
	options->recorded_live = recorded.head->live;
	options->recorded_packed = recorded.head->layout_digest;
	options->buffered = recorded.head->buffered;
	if (recorded.head->excerpt) {
		fault_set(fault, path, 0,
			  "is an excerpt (trace cut); expected the recording "
			  "of a whole run");
		error = -EINVAL;
	}
	recorded_close(&recorded);
	return error;
}

/* Where it ended, unless it came to its limit or crashed: known only after
 * the last event, so the recording is read through once before. */
static int find_end(const char *path, int64_t *until_ns, struct fault *fault)
{
	const struct recording_end *end;
	struct recorded recorded;
	struct trace_event event;
	int error;

	*until_ns = INT64_MAX;
	error = recorded_open(&recorded, path, fault);
	if (error)
		return error;
	while ((error = recording_next(recorded.recording, &event, fault)) > 0)
		;
	end = recording_end(recorded.recording);
	if (end && !end->complete)
		*until_ns = end->run_ns;
	recorded_close(&recorded);
	return error;
}

static int check_layout(const struct replayed *replayed)
{
	const struct layout *layout = replayed->request->experiment->layout;
	uint64_t own = layout ? recording_layout(layout) : 0;

	if (replayed->recorded.head->layout_digest == own)
		return 0;
	fault_set(replayed->fault, replayed->path, 0,
		  "is of another scenario: %s",
		  !own ? "it read a packed dataset, and this one describes its "
			 "own" :
			 "its dataset was another, or packed in another way");
	return -EINVAL;
}

/* Is it the scenario that was recorded? Of a recording of version 1 nobody
 * knows: its decisions tell. */
static int check_scenario(const struct replayed *replayed,
			  const struct echo *echo)
{
	const struct recording_head *head = replayed->recorded.head;
	const struct scenario *own = replayed->request->experiment->scenario;
	struct scenario *recorded;
	int error;

	if (head->version == 1)
		return 0;
	recorded = malloc(sizeof(*recorded));
	if (!recorded)
		return -ENOMEM;
	error = recording_scenario(head, replayed->path, NULL, 0, recorded,
				   replayed->fault);
	if (!error)
		error = recording_same(recorded, own, echo, replayed->path,
				       replayed->fault);
	free(recorded);
	return error ? error : check_layout(replayed);
}

static int next_event(void *context, struct trace_event *event)
{
	struct replayed *replayed = context;

	return recording_next(replayed->recorded.recording, event,
			      replayed->fault);
}

static int prepare(struct replayed *replayed, const struct pipeline *pipeline)
{
	const struct replay_source source = { replayed, next_event };
	size_t size = engine_memory_bytes(pipeline);
	int64_t until_ns;
	int error;

	error = find_end(replayed->path, &until_ns, replayed->fault);
	if (error)
		return error;
	replayed->engine_memory = memory_take(size);
	replayed->replay_memory = memory_take(replay_memory_bytes(pipeline));
	if (!replayed->engine_memory || !replayed->replay_memory) {
		experiment_refuse_memory(size, replayed->fault);
		return -ENOMEM;
	}
	replayed->engine = engine_init(replayed->engine_memory, pipeline);
	replay_init(&replayed->replay, replayed->engine, pipeline, &source,
		    until_ns, replayed->replay_memory);
	return 0;
}

/* The recording does not come from a run of this scenario after all. */
static int refuse_event(const struct replayed *replayed)
{
	const struct trace_event *event = &replayed->replay.event;
	const struct trace_event *asked = &replayed->replay.asked;
	const char *what = event->kind == TRACE_REQUEST ? "request" : "block";

	if (asked->kind == TRACE_KINDS)
		fault_set(replayed->fault, replayed->path, 0,
			  "is of another run: %s %llu was done at %.9f s and "
			  "is not asked for by then",
			  what, (unsigned long long)event->number,
			  (double)event->end_ns / 1e9);
	else
		fault_set(replayed->fault, replayed->path, 0,
			  "is of another run: %s %llu was shard %u, offset "
			  "%llu, %llu bytes, asked for at %.9f s; here it is "
			  "shard %u, offset %llu, %llu bytes, at %.9f s",
			  what, (unsigned long long)event->number,
			  event->object,
			  (unsigned long long)event->offset_bytes,
			  (unsigned long long)event->bytes,
			  (double)event->issue_ns / 1e9, asked->object,
			  (unsigned long long)asked->offset_bytes,
			  (unsigned long long)asked->bytes,
			  (double)asked->issue_ns / 1e9);
	return -EINVAL;
}

/* The end of a whole recording says what the decisions came to. */
static int check_end(const struct replayed *replayed,
		     const struct figures *figures)
{
	const struct recording_end *end =
		recording_end(replayed->recorded.recording);

	if (!end) {
		notes_add(replayed->request->notes,
			  "The recording was cut short after %llu events: the "
			  "replay goes as far.",
			  (unsigned long long)recording_events(
				  replayed->recorded.recording));
		return 0;
	}
	if (figures->digest == end->decisions)
		return 0;
	fault_set(replayed->fault, replayed->path, 0,
		  "is of another run: its decisions have the digest %016llx, "
		  "the replay's %016llx",
		  (unsigned long long)end->decisions,
		  (unsigned long long)figures->digest);
	return -EINVAL;
}

static int carry_out(struct replayed *replayed, struct figures *figures)
{
	struct progress *progress = replayed->request->progress;
	enum replay_end end = REPLAY_GOING;

	progress_start(progress, "replay");
	while (end == REPLAY_GOING && !interrupt_stop) {
		end = replay_run(&replayed->replay, SLICE_COMPLETIONS);
		progress_update(progress, engine_progress(replayed->engine));
	}
	progress_stop(progress);
	engine_figures(replayed->engine, figures);
	if (end == REPLAY_ERROR)
		return replayed->replay.error;
	if (end == REPLAY_OTHER)
		return refuse_event(replayed);
	return end == REPLAY_GOING ? 0 : check_end(replayed, figures);
}

static int replay(struct replayed *replayed, const struct echo *echo,
		  struct result *result)
{
	int error = check_scenario(replayed, echo);

	if (!error)
		error = prepare(replayed, &result->pipeline);
	if (!error)
		error = carry_out(replayed, &result->figures);
	if (!error)
		rank_judge(replayed->request->experiment->law, result);
	free(replayed->replay_memory);
	free(replayed->engine_memory);
	return error;
}

int replayed_run(const struct replay_request *request, const struct echo *echo,
		 struct result *result, struct fault *fault)
{
	struct replayed replayed = { .request = request,
				     .path = request->path,
				     .fault = fault };
	int error;

	error = recorded_open(&replayed.recorded, replayed.path, fault);
	if (error)
		return error;
	experiment_begin(request->experiment, echo, result);
	result->pipeline.external_decompress = replayed.recorded.head->live;
	error = replay(&replayed, echo, result);
	/* What another run's figures are like is of no use. */
	if (error)
		result->figures.run_steps = 0;
	recorded_close(&replayed.recorded);
	return error;
}
