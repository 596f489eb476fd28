/* SPDX-License-Identifier: MIT */
/* A recording that is opened from a file, compressed or not. */
#ifndef CLI_RECORDED_H
#define CLI_RECORDED_H

#include "sim/fault.h"
#include "storage/byte_stream.h"
#include "traces/recording/recording.h"

struct recorded {
	struct byte_stream *stream;
	struct recording *recording;
	const struct recording_head *head;
};

/* "-": from stdin. */
int recorded_open(struct recorded *recorded, const char *path,
		  struct fault *fault) __attribute__((warn_unused_result));
void recorded_close(struct recorded *recorded);

#endif
