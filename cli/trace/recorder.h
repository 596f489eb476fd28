/* SPDX-License-Identifier: MIT */
/*
 * --trace: what an engine tells goes into a file as it happens. Joins what
 * encodes events (traces) with what writes compressed files (storage).
 */
#ifndef CLI_RECORDER_H
#define CLI_RECORDER_H

#include "sim/fault.h"
#include "sim/figures.h"
#include "sim/watch.h"
#include "storage/frame_log.h"
#include "traces/recording/recording.h"

struct recorder {
	struct frame_log *frames;
	struct recording_end end;
	uint64_t waits;		/* for the disk, known once it is closed */
	struct watcher watcher; /* for the engine; refers to the recorder */
};

/* Makes the file and writes the head. A file that is there is replaced if it
 * is empty, a recording, or no regular file, and kept otherwise. The recorder
 * must not move. */
int recorder_open(struct recorder *recorder, const char *path,
		  const struct recording_head *head, struct fault *fault)
	__attribute__((warn_unused_result));

/* Records an event that comes from elsewhere than an engine. */
void recorder_add(struct recorder *recorder, const struct trace_event *event);

/* Writes how the run ended, as `figures` have it, and closes the file. */
int recorder_close(struct recorder *recorder, const struct figures *figures,
		   struct fault *fault) __attribute__((warn_unused_result));

#endif
