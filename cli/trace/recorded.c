/* SPDX-License-Identifier: MIT */
#include "cli/trace/recorded.h"

int recorded_open(struct recorded *recorded, const char *path,
		  struct fault *fault)
{
	struct byte_source source = { .read = byte_stream_read };
	int error;

	*recorded = (struct recorded){ 0 };
	error = byte_stream_open(&recorded->stream, path, fault);
	if (error)
		return error;
	source.context = recorded->stream;
	error = recording_open(&recorded->recording, path, &source, fault);
	if (error) {
		byte_stream_close(recorded->stream);
		return error;
	}
	recorded->head = recording_head(recorded->recording);
	return 0;
}

void recorded_close(struct recorded *recorded)
{
	recording_close(recorded->recording);
	byte_stream_close(recorded->stream);
}
