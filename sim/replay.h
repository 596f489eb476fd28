/* SPDX-License-Identifier: MIT */
/*
 * Replay: an engine is fed with the completions of a run that was recorded
 * (sim/trace_event.h) and takes every decision again, in virtual time.
 *
 * The events come in the order in which they were told. The engine proceeds
 * until it asks for what the next recorded completion is of; that is then
 * handed to it, with the time it had. So all that must be kept is what the
 * engine asks for and has not been answered, however long the recording.
 */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine.h"
#include "sim/trace_event.h"

enum replay_end {
	REPLAY_GOING, /* so many events are over, the run is not */
	REPLAY_OVER,  /* the run came to its own end */
	REPLAY_SHORT, /* the recording ended before the run did */
	REPLAY_OTHER, /* the recording is of another run; struct replay says
			 which of its events does not fit */
	REPLAY_ERROR, /* the source failed */
};

/* Where the events come from: 1 and an event, 0 at the end, or a negative
 * error. */
struct replay_source {
	void *context;
	int (*next)(void *context, struct trace_event *event);
};

struct replay_task {
	struct engine_task task;
	int64_t asked_ns;
	bool waits;
};

struct replay {
	struct engine *engine;
	struct replay_source source;
	bool external; /* decompression is recorded too */
	int64_t until_ns;
	struct replay_task *tasks; /* by number, open addressing */
	uint32_t mask;
	uint32_t waiting;
	bool has_event;
	struct trace_event event; /* the next completion */
	/* For REPLAY_OTHER: the engine's own idea of the event; its kind is
	 * TRACE_KINDS where the engine asks for nothing of the number. */
	struct trace_event asked;
	int error; /* for REPLAY_ERROR */
};

/* Memory that replay_init() wants, in bytes; SIZE_MAX: more than can be. */
size_t replay_memory_bytes(const struct pipeline *pipeline);

/* `memory` is aligned to 64 and outlives the replay. The engine is fresh and
 * of this pipeline. `until_ns`: where the recorded run ended without having
 * come to its end; INT64_MAX: it is not known, or it had. */
void replay_init(struct replay *replay, struct engine *engine,
		 const struct pipeline *pipeline,
		 const struct replay_source *source, int64_t until_ns,
		 void *memory);

/* Replays at most so many recorded completions. */
enum replay_end replay_run(struct replay *replay, uint64_t completions);

#endif
