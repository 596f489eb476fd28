/* SPDX-License-Identifier: MIT */
/*
 * Asynchronous reads, one interface over several back ends: io_uring in three
 * set-ups, from the newest kernels' to the plainest, and a pool of threads
 * that call pread where the kernel grants no ring. Each is one row of a table.
 *
 * A back end makes one attempt at a read and says what came of it. What an
 * attempt leaves over is the reader's business, once for all of them: short
 * reads are resumed (at the last aligned place, for direct I/O), EINTR and
 * EAGAIN are tried again, and a file that ends before the bytes that were
 * needed is an error, never an endless loop.
 *
 * A reader belongs to the thread that opened it.
 */
#ifndef STORAGE_READER_H
#define STORAGE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "storage/reader_wake.h"

/* Requests in flight that every back end can hold. */
#define READER_INFLIGHT_MAX 16384

enum reader_backend {
	READER_ANY, /* the first that the kernel grants, top to bottom */
	READER_RING_DEFER,
	READER_RING_COOP,
	READER_RING_PLAIN,
	READER_PREAD,
	READER_RING_ANY, /* the first of the rings, or none */
};

/* "auto", "uring" or "pread" as READER_ANY, READER_RING_ANY, READER_PREAD;
 * -EINVAL for any other name. */
int reader_backend_parse(const char *name, enum reader_backend *backend)
	__attribute__((warn_unused_result));

/* What a reader is made for. Everything pointed to outlives it. */
struct reader_setup {
	const int *files; /* by file number */
	uint32_t file_count;
	bool files_vary; /* a number's file may change between its requests */
	/* All buffers: slots of slot_bytes, one for each request. */
	unsigned char *memory;
	size_t slot_bytes;
	uint32_t slot_count;
	uint32_t inflight_max;	  /* 1..READER_INFLIGHT_MAX */
	uint32_t alignment_bytes; /* of offsets, lengths and buffers */
	struct reader_wake *wake; /* a post ends reader_wait() */
};

/* What was granted. */
struct reader_facts {
	const char *backend; /* name of the one taken */
	bool buffers_registered;
	bool files_registered;
	uint64_t bytes;	  /* really read so far */
	uint64_t resumed; /* attempts after the first of a request */
	char notes[512];  /* why something was not granted; one per line */
};

struct reader_request {
	uint32_t slot; /* one request each at a time */
	uint32_t file;
	/* Where the bytes go: within one of the slots of memory. NULL: to the
	 * beginning of its own. */
	unsigned char *buffer;
	uint64_t offset_bytes; /* aligned */
	uint64_t bytes;	       /* aligned, at most slot_bytes */
	uint64_t needed_bytes; /* fewer than `bytes` only where the file ends
				  within the request */
};

struct reader_done {
	uint32_t slot;
	int error;     /* 0 or negative errno; -ENODATA: the file ended */
	int64_t at_ns; /* clock when it was seen to be complete */
};

/* --- Back ends ---------------------------------------------------------- */

struct reader_attempt {
	uint32_t slot;
	uint32_t file;
	uint32_t bytes;
	unsigned char *buffer; /* within the slot */
	uint64_t offset_bytes;
};

struct reader_result {
	uint32_t slot;
	int32_t result; /* bytes read or negative errno */
	int64_t at_ns;
};

struct reader_kind {
	const char *name;
	/* Negative errno, and why, as a line in facts->notes, when something
	 * beyond the errno is worth telling. */
	int (*open)(void **state, const struct reader_setup *setup,
		    struct reader_facts *facts);
	/* Nothing is in flight any more. */
	void (*close)(void *state);
	/* Queues an attempt; it may start as late as the next wait. */
	void (*submit)(void *state, const struct reader_attempt *attempt);
	/* Starts what is queued; then waits for a result, a wake-up or the
	 * time to pass, whichever is first. 0 ns: does not wait. */
	int (*wait)(void *state, int64_t timeout_ns);
	/* Takes at most `count` results; returns how many. */
	uint32_t (*reap)(void *state, struct reader_result *results,
			 uint32_t count);
};

/* By enum reader_backend; NULL at READER_ANY. */
extern const struct reader_kind *const reader_kinds[READER_PREAD + 1];

/* Adds a line to the notes, as far as there is room. */
void reader_note(struct reader_facts *facts, const char *what, const char *why);

/* --- Readers ------------------------------------------------------------ */

struct reader;

/* Opens with one back end. */
int reader_open_kind(struct reader **out, const struct reader_kind *kind,
		     const struct reader_setup *setup, struct fault *fault)
	__attribute__((warn_unused_result));

/* Opens with the back end asked for; of several, goes down the table until
 * one is granted, noting why those above it were not. */
int reader_open(struct reader **out, enum reader_backend backend,
		const struct reader_setup *setup, struct fault *fault)
	__attribute__((warn_unused_result));

/* Waits for what is in flight, at most patience_ns, and frees the reader.
 * -ETIMEDOUT when the kernel still holds buffers: then the reader is left
 * as it is, for good, and its files, buffers and wake must be too. */
int reader_close(struct reader *reader, int64_t patience_ns)
	__attribute__((warn_unused_result));

const struct reader_facts *reader_facts(const struct reader *reader);

/* Queues a request; it starts as late as the next reader_wait(). */
void reader_submit(struct reader *reader, const struct reader_request *request);

/* Starts what is queued and waits for a completion, a post to the wake, or
 * timeout_ns (0: does not wait). Ends early now and then. Negative errno when
 * the back end itself is broken. */
int reader_wait(struct reader *reader, int64_t timeout_ns)
	__attribute__((warn_unused_result));

/* Takes finished requests; fewer than `count` when there are no more. */
uint32_t reader_reap(struct reader *reader, struct reader_done *done,
		     uint32_t count);

#endif
