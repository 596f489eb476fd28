/* SPDX-License-Identifier: MIT */
/* A recording that is opened from a file, compressed or not. */
#ifndef CLI_RECORDED_H
#define CLI_RECORDED_H

#include "sim/fault.h"
#include "storage/byte_stream.h"
#include "traces/recording/recording.h"
#include "traces/scenario.h"

struct recorded {
	struct byte_stream *stream;
	struct recording *recording;
	const struct recording_head *head;
};

/* "-": from stdin. */
int recorded_open(struct recorded *recorded, const char *path,
		  struct fault *fault) __attribute__((warn_unused_result));
void recorded_close(struct recorded *recorded);

/* A pipe is refused: the file is to be read more than once. */
int recorded_check_file(const char *path, struct fault *fault)
	__attribute__((warn_unused_result));

/* Reads the scenario of a recording and the overrides over it, without
 * scenario_check(). The numbers of a packed dataset are left to that. */
int recorded_scenario(const char *path, const char *const *overrides,
		      uint32_t override_count, struct scenario *scenario,
		      struct fault *fault) __attribute__((warn_unused_result));

#endif
