/* SPDX-License-Identifier: MIT */
#include "sim/replay.h"

#include <string.h>

#include "sim/check.h"

/* Events between two looks for tasks; a task ends a stretch by itself. */
#define STRETCH_EVENTS 4096

/* Places of the table: at least twice as many as tasks can wait. */
static uint64_t table_places(const struct pipeline *pipeline)
{
	uint64_t hosts = pipeline->accelerators.hosts;
	uint64_t tasks = hosts * engine_buffers(pipeline);
	uint64_t places = 2;

	if (pipeline->external_decompress)
		tasks += hosts * engine_decompressions(pipeline);
	while (places < 2 * tasks)
		places *= 2;
	return places;
}

size_t replay_memory_bytes(const struct pipeline *pipeline)
{
	uint64_t places = table_places(pipeline);

	if (places > UINT32_MAX)
		return SIZE_MAX;
	return (size_t)places * sizeof(struct replay_task);
}

void replay_init(struct replay *replay, struct engine *engine,
		 const struct pipeline *pipeline,
		 const struct replay_source *source, int64_t until_ns,
		 void *memory)
{
	uint64_t places = table_places(pipeline);

	*replay = (struct replay){
		.engine = engine,
		.source = *source,
		.external = pipeline->external_decompress,
		.until_ns = until_ns,
		.tasks = memory,
		.mask = (uint32_t)(places - 1),
	};
	memset(memory, 0, replay_memory_bytes(pipeline));
}

/* Where the search for a task begins. */
static uint32_t home(const struct replay *replay, enum task_kind kind,
		     uint64_t number)
{
	uint64_t bits =
		(number * 2 + (uint64_t)kind) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(bits >> 32) & replay->mask;
}

static struct replay_task *find(const struct replay *replay,
				enum task_kind kind, uint64_t number)
{
	uint32_t place = home(replay, kind, number);

	for (; replay->tasks[place].waits; place = (place + 1) & replay->mask) {
		struct replay_task *task = &replay->tasks[place];

		if (task->task.kind == kind && task->task.number == number)
			return task;
	}
	return NULL;
}

static void add(struct replay *replay, const struct engine_task *task)
{
	uint32_t place = home(replay, task->kind, task->number);

	CHECK(replay->waiting < replay->mask);
	while (replay->tasks[place].waits)
		place = (place + 1) & replay->mask;
	replay->tasks[place] = (struct replay_task){
		.task = *task,
		.asked_ns = engine_now_ns(replay->engine),
		.waits = true,
	};
	replay->waiting++;
}

/* Takes a task out, and moves those behind it up that would not be found over
 * the gap. */
static void take_out(struct replay *replay, struct replay_task *task)
{
	uint32_t gap = (uint32_t)(task - replay->tasks);
	uint32_t place = gap;

	for (;;) {
		uint32_t wanted;

		place = (place + 1) & replay->mask;
		if (!replay->tasks[place].waits)
			break;
		wanted = home(replay, replay->tasks[place].task.kind,
			      replay->tasks[place].task.number);
		if (((place - wanted) & replay->mask) <
		    ((place - gap) & replay->mask))
			continue;
		replay->tasks[gap] = replay->tasks[place];
		gap = place;
	}
	replay->tasks[gap].waits = false;
	replay->waiting--;
}

/* Is it the completion of something that the engine asks for? */
static bool is_completion(const struct replay *replay,
			  const struct trace_event *event)
{
	return event->kind == TRACE_REQUEST ||
	       (replay->external && event->kind == TRACE_WORK &&
		event->stage == STAGE_DECOMPRESS);
}

/* Makes the next completion the next event: 1, 0 at the end, or an error. */
static int next_completion(struct replay *replay)
{
	int got = 1;

	while (!replay->has_event && got > 0) {
		got = replay->source.next(replay->source.context,
					  &replay->event);
		replay->has_event = got > 0 &&
				    is_completion(replay, &replay->event);
	}
	return got;
}

static void take_tasks(struct replay *replay)
{
	struct engine_task task;

	while (engine_take_task(replay->engine, &task))
		add(replay, &task);
}

/* What the engine asks for, as an event. */
static struct trace_event asked_event(const struct replay_task *asked)
{
	const struct engine_task *task = &asked->task;

	return (struct trace_event){
		.issue_ns = asked->asked_ns,
		.number = task->number,
		.offset_bytes = task->offset_bytes,
		.bytes = task->bytes,
		.object = task->shard,
		.host = task->host,
		.kind = task->kind == TASK_READ ? TRACE_REQUEST : TRACE_WORK,
	};
}

/* Is the event of this task, and not before the engine's time? (A block's
 * offset is counted otherwise in a task.) */
static bool fits(const struct replay *replay, const struct trace_event *event,
		 const struct trace_event *asked)
{
	bool read = event->kind == TRACE_REQUEST;

	return event->object == asked->object && event->host == asked->host &&
	       event->bytes == asked->bytes &&
	       (!read || (event->offset_bytes == asked->offset_bytes &&
			  event->issue_ns == asked->issue_ns)) &&
	       event->cached_bytes <= event->bytes &&
	       event->end_ns >= event->start_ns && event->start_ns >= 0 &&
	       event->end_ns >= engine_now_ns(replay->engine);
}

static bool answer(struct replay *replay, struct replay_task *waiting)
{
	const struct trace_event *event = &replay->event;
	struct engine_task task = waiting->task;
	struct completion done = {
		.at_ns = event->end_ns,
		.start_ns = event->start_ns,
		.busy_ns = event->end_ns - event->start_ns,
		.retries = event->retries,
		.failed = (event->flags & TRACE_FAILED) != 0,
		.cached_bytes = event->cached_bytes,
		.late_ns = event->late_ns,
	};

	replay->asked = asked_event(waiting);
	if (!fits(replay, event, &replay->asked))
		return false;
	take_out(replay, waiting);
	engine_complete(replay->engine, &task, &done);
	replay->has_event = false;
	return true;
}

/* Lets the engine proceed up to a time or until it asks for something; false
 * once the run is over. */
static bool proceed(struct replay *replay, int64_t until_ns)
{
	bool on = engine_advance(replay->engine, until_ns, STRETCH_EVENTS);

	while (on && !engine_task_waits(replay->engine) &&
	       engine_next_ns(replay->engine) <= until_ns &&
	       engine_next_ns(replay->engine) != INT64_MAX)
		on = engine_advance(replay->engine, until_ns, STRETCH_EVENTS);
	take_tasks(replay);
	return on;
}

/* No further completion: what else happened before the recorded run ended. */
static enum replay_end finish(struct replay *replay)
{
	int64_t next_ns = engine_next_ns(replay->engine);

	while (next_ns <= replay->until_ns && next_ns != INT64_MAX) {
		if (!proceed(replay, replay->until_ns))
			return REPLAY_OVER;
		next_ns = engine_next_ns(replay->engine);
	}
	return REPLAY_SHORT;
}

static enum replay_end other(struct replay *replay)
{
	replay->asked = (struct trace_event){ .kind = TRACE_KINDS };
	return REPLAY_OTHER;
}

/* The next completion is there; makes the engine ask for it, and answers. */
static enum replay_end replay_one(struct replay *replay)
{
	const struct trace_event *event = &replay->event;
	enum task_kind kind = event->kind == TRACE_REQUEST ? TASK_READ :
							     TASK_DECOMPRESS;
	struct replay_task *task = find(replay, kind, event->number);

	while (!task) {
		uint32_t waiting = replay->waiting;

		if (!proceed(replay, event->end_ns))
			return other(replay);
		task = find(replay, kind, event->number);
		if (!task && waiting == replay->waiting &&
		    engine_next_ns(replay->engine) > event->end_ns)
			return other(replay);
	}
	return answer(replay, task) ? REPLAY_GOING : REPLAY_OTHER;
}

enum replay_end replay_run(struct replay *replay, uint64_t completions)
{
	enum replay_end end = REPLAY_GOING;

	take_tasks(replay);
	while (end == REPLAY_GOING && completions-- > 0) {
		int got = next_completion(replay);

		replay->error = got < 0 ? got : 0;
		if (got < 0)
			return REPLAY_ERROR;
		end = got > 0 ? replay_one(replay) : finish(replay);
	}
	return end;
}
