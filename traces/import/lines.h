/* SPDX-License-Identifier: MIT */
/*
 * A stream of bytes, line by line or record by record, through one buffer of
 * fixed size. A line that does not fit is told as too long and passed over,
 * so that no input makes memory grow. What the input begins with can be
 * looked at without being taken.
 */
#ifndef TRACES_LINES_H
#define TRACES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/byte_source.h"

#define LINE_BYTES_MAX 65536
#define LINES_BUFFER_BYTES (2 * LINE_BYTES_MAX)

struct lines {
	const struct byte_source *source;
	struct fault *fault; /* filled by the source */
	size_t begin;	     /* what is not yet taken */
	size_t end;
	uint64_t number; /* of the line or record taken last, from 1 */
	bool at_end;	 /* the source has no more */
	int error;	 /* of the source: told when all before is taken */
	char buffer[LINES_BUFFER_BYTES + 1];
};

struct line {
	char *text; /* ends with a zero byte; valid until the next call */
	size_t length;
	bool too_long; /* more than LINE_BYTES_MAX: text is empty */
};

void lines_init(struct lines *lines, const struct byte_source *source,
		struct fault *fault);

/* The first bytes that are not yet taken, at least `wanted` of them unless
 * the input ends or breaks off before; at most LINES_BUFFER_BYTES. 0, or
 * negative errno when it broke off and nothing is left. */
int lines_peek(struct lines *lines, size_t wanted, const char **bytes,
	       size_t *size) __attribute__((warn_unused_result));

/* Takes so many of the bytes that lines_peek() has shown. */
void lines_skip(struct lines *lines, size_t size);

/* Takes a line, without its line feed (and the carriage return before it).
 * 1, or 0 at the end, or negative errno. */
int lines_next(struct lines *lines, struct line *line)
	__attribute__((warn_unused_result));

#endif
