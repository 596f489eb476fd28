/* SPDX-License-Identifier: MIT */
#include "cli/trace/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output.h"
#include "storage/byte_stream.h"

/* A crash of a live run loses no more than this. */
#define FLUSH_NS 500000000

/* On the data path of a live run: a copy, and now and then a wake-up. */
static void take_event(void *context, const struct trace_event *event)
{
	struct recorder *recorder = context;

	recording_encode(event, frame_log_room(recorder->frames,
					       RECORDING_RECORD_BYTES,
					       event->start_ns));
	recorder->end.events++;
	recorder->end.requests += event->kind == TRACE_REQUEST;
	recorder->end.steps += event->kind == TRACE_STEP;
}

/* Does the file hold nothing that would be missed? */
static int check_replaceable(const char *path, struct fault *fault)
{
	struct fault unread = { 0 };
	struct byte_source source = { .read = byte_stream_read };
	struct byte_stream *stream;
	struct recording *recording;
	struct stat status;
	int error;

	if (stat(path, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return 0;
	error = byte_stream_open(&stream, path, fault);
	if (error)
		return error;
	source.context = stream;
	error = recording_open(&recording, path, &source, &unread);
	if (!error)
		recording_close(recording);
	byte_stream_close(stream);
	if (!error)
		return 0;
	fault_set(fault, path, 0,
		  "is there and no recording, and is kept; expected another "
		  "file for the recording");
	return -EEXIST;
}

int recorder_open(struct recorder *recorder, const char *path,
		  const struct recording_head *head, struct fault *fault)
{
	char target[OUTPUT_PATH_MAX];
	unsigned char *room;
	int descriptor, error;

	*recorder = (struct recorder){
		.watcher = { .context = recorder, .event = take_event },
	};
	error = output_check(path, target, &descriptor, fault);
	if (!error)
		error = check_replaceable(path, fault);
	if (!error)
		error = frame_log_create(&recorder->frames, path,
					 head->live ? FLUSH_NS : 0, fault);
	if (error)
		return error;
	room = frame_log_room(recorder->frames,
			      RECORDING_HEAD_BYTES + head->text_bytes, 0);
	recording_encode_head(head, room);
	memcpy(room + RECORDING_HEAD_BYTES, head->text, head->text_bytes);
	frame_log_flush(recorder->frames);
	return 0;
}

void recorder_add(struct recorder *recorder, const struct trace_event *event)
{
	take_event(recorder, event);
}

int recorder_close(struct recorder *recorder, const struct figures *figures,
		   struct fault *fault)
{
	struct recording_end *end = &recorder->end;

	recorder->waits = frame_log_waits(recorder->frames);
	end->complete = figures->complete;
	end->run_ns = figures->run_ns;
	end->decisions = figures->digest;
	recording_encode_end(end, frame_log_room(recorder->frames,
						 RECORDING_RECORD_BYTES,
						 figures->run_ns));
	return frame_log_close(recorder->frames, fault);
}
