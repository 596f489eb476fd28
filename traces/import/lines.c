/* SPDX-License-Identifier: MIT */
#include "traces/import/lines.h"

#include <string.h>

#include "sim/check.h"

void lines_init(struct lines *lines, const struct byte_source *source,
		struct fault *fault)
{
	lines->source = source;
	lines->fault = fault;
	lines->begin = lines->end = 0;
	lines->number = 0;
	lines->at_end = false;
	lines->error = 0;
}

/* Reads once more into the room behind what is there. */
static void fill(struct lines *lines)
{
	size_t got = 0;

	if (lines->begin) {
		memmove(lines->buffer, lines->buffer + lines->begin,
			lines->end - lines->begin);
		lines->end -= lines->begin;
		lines->begin = 0;
	}
	lines->error = byte_source_read(lines->source,
					lines->buffer + lines->end,
					LINES_BUFFER_BYTES - lines->end, &got,
					lines->fault);
	CHECK(got <= LINES_BUFFER_BYTES - lines->end);
	lines->at_end = lines->error || !got;
	lines->end += lines->error ? 0 : got;
}

int lines_peek(struct lines *lines, size_t wanted, const char **bytes,
	       size_t *size)
{
	CHECK(wanted <= LINES_BUFFER_BYTES);
	while (lines->end - lines->begin < wanted && !lines->at_end)
		fill(lines);
	*bytes = lines->buffer + lines->begin;
	*size = lines->end - lines->begin;
	return *size ? 0 : lines->error;
}

void lines_skip(struct lines *lines, size_t size)
{
	CHECK(size <= lines->end - lines->begin);
	lines->begin += size;
}

/* Passes over the rest of a line that is too long. */
static int skip_line(struct lines *lines)
{
	const char *bytes, *feed;
	size_t size;
	int error;

	for (;;) {
		error = lines_peek(lines, 1, &bytes, &size);
		if (error || !size)
			return error;
		feed = memchr(bytes, '\n', size);
		lines_skip(lines, feed ? (size_t)(feed - bytes) + 1 : size);
		if (feed)
			return 0;
	}
}

/* Takes `length` bytes as a line, and `more` behind them. */
static void take(struct lines *lines, struct line *line, size_t length,
		 size_t more)
{
	line->text = lines->buffer + lines->begin;
	line->length = length;
	lines_skip(lines, length + more);
	if (length && line->text[length - 1] == '\r')
		line->length--;
	line->text[line->length] = '\0';
}

int lines_next(struct lines *lines, struct line *line)
{
	const char *bytes, *feed = NULL;
	size_t size = 0, seen;
	int error;

	*line = (struct line){ 0 };
	do {
		seen = size;
		error = lines_peek(lines, seen + 1, &bytes, &size);
		if (error)
			return error;
		if (!size)
			return 0;
		feed = memchr(bytes + seen, '\n', size - seen);
	} while (!feed && !lines->at_end && size <= LINE_BYTES_MAX);
	lines->number++;
	if (feed)
		size = (size_t)(feed - bytes);
	if (size <= LINE_BYTES_MAX) {
		take(lines, line, size, feed ? 1 : 0);
		return 1;
	}
	line->too_long = true;
	error = feed ? 0 : skip_line(lines);
	if (error)
		return error;
	if (feed)
		lines_skip(lines, size + 1);
	line->text = lines->buffer;
	line->text[0] = '\0';
	return 1;
}
