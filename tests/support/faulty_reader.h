/* SPDX-License-Identifier: MIT */
/*
 * A reader back end that misbehaves on purpose: a decorator around one from
 * the table. What it does wrong is set in `faulty` before the reader is
 * opened; all zeros: nothing.
 */
#ifndef TESTS_SUPPORT_FAULTY_READER_H
#define TESTS_SUPPORT_FAULTY_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "storage/reader.h"

struct faulty {
	const struct reader_kind *base; /* NULL: the pread pool */
	int open_error;			/* what opening says */

	/* Attempts are numbered from 1. */
	uint64_t fail_attempt; /* this one ends with fail_error */
	int fail_error;
	uint64_t swallow_attempt; /* this one does not end, until let go */
	/* No attempt brings more than this; 0: no such limit. Buffers hold
	 * rubbish after what was brought. */
	uint32_t bytes_max;
	/* Every so many attempts end with EINTR, then EAGAIN; 0: none. */
	uint64_t interrupt_every;
	/* Called before this attempt is made. */
	uint64_t act_attempt;
	void (*act)(void);

	/* Called with what each attempt brought, before it is told. */
	void (*hear)(const unsigned char *bytes, size_t size);

	/* Filled. */
	uint64_t attempts;
	uint64_t reaps;
	bool closed;
};

extern struct faulty faulty;
extern const struct reader_kind faulty_reader;

/* Makes the attempt that was swallowed after all. */
void faulty_let_go(void);

#endif
