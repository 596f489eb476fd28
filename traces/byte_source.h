/* SPDX-License-Identifier: MIT */
/*
 * Where bytes come from and where they go, for whoever decodes and encodes
 * them: this room opens no file and knows no compression. A source gives the
 * bytes of a trace one stretch after the other, already unpacked; a sink takes
 * them.
 */
#ifndef TRACES_BYTE_SOURCE_H
#define TRACES_BYTE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"

struct byte_source {
	void *context;
	/* Puts up to `size` bytes, size > 0, at `bytes` and says in *count how
	 * many; 0 only at the end, which may be asked for again. On an error
	 * the fault says what was found, and what was given before stays
	 * true. */
	int (*read)(void *context, void *bytes, size_t size, size_t *count,
		    struct fault *fault);
};

struct byte_sink {
	void *context;
	/* Takes all of the bytes. */
	int (*write)(void *context, const void *bytes, size_t size,
		     struct fault *fault);
};

/* A source as a function; 0 or negative errno. */
static inline int __attribute__((warn_unused_result))
byte_source_read(const struct byte_source *source, void *bytes, size_t size,
		 size_t *count, struct fault *fault)
{
	return source->read(source->context, bytes, size, count, fault);
}

static inline int __attribute__((warn_unused_result))
byte_sink_write(const struct byte_sink *sink, const void *bytes, size_t size,
		struct fault *fault)
{
	return sink->write(sink->context, bytes, size, fault);
}

#endif
