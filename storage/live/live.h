/* SPDX-License-Identifier: MIT */
/*
 * The live driver: runs an engine against a real dataset on the real clock.
 * Reads go through io_uring (or a pool of pread threads where the kernel
 * refuses it), completions are held back to the device model's time, blocks
 * are really decompressed and checked by worker threads; everything else
 * takes modelled time.
 *
 * Time. The run's 0 is the clock at its start. The engine is let proceed only
 * up to a time that the clock has passed, and every time that it hears of is
 * one that it has not reached yet:
 *
 *   A read is submitted to the device model at the engine's time of the
 *   decision, which may be a little behind the clock: so a late wake-up is
 *   not passed on to what follows from it. The model answers with its due
 *   time. The real read is started at once.
 *
 *   When the kernel is done before the due time, the engine is told so at
 *   once, with the due time as the stamp, and holds it in its agenda.
 *
 *   When the kernel is not done by then, the engine proceeds past the due
 *   time without the completion, as it must: it cannot know. The stamp is
 *   then the time when the completion was seen, at least one nanosecond after
 *   the last event that the engine has processed. That read was late.
 *
 *   A block that was decompressed is stamped with the time at which one of
 *   the model's workers would have been done with it, from the CPU time that
 *   it took (storage/live/jobs.h), and the engine does not proceed past the
 *   earliest time at which that might be: it falls behind the clock a little
 *   and catches up. So the model does not pay for a thread that is slow to
 *   wake. A native run has no such model; there the engine goes on with the
 *   clock.
 *
 * Completions are looked for before the clock is read and the engine let
 * proceed up to that reading; what the kernel finished before it was looked
 * at is never overtaken. And since a stamp is always after every event that
 * was processed before the engine heard of it, the stamps alone decide what
 * the engine does: fed to it again in virtual time they give the same run
 * (the replay law).
 */
#ifndef STORAGE_LIVE_H
#define STORAGE_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/engine.h"
#include "sim/fault.h"
#include "sim/throttle.h"
#include "sim/tiers.h"
#include "storage/dataset/dataset.h"
#include "storage/reader.h"

/* Everything a completion was stamped with, for recording and replay. */
struct live_completion {
	struct engine_task task;
	struct completion completion; /* what engine_complete() was told */
};

struct live_options {
	enum reader_backend backend;
	/* A back end that is not in the table, instead; NULL: none. */
	const struct reader_kind *reader_kind;
	const atomic_bool *stop; /* set by a signal handler; may be NULL */
	/* How long a read or a block may take before the run gives up with
	 * -ETIMEDOUT; 0: 30 s. */
	int64_t patience_ns;
	/* Called for each completion in the order given to the engine; may
	 * be NULL. On the data path: must not allocate or block. */
	void (*observe)(void *context, const struct live_completion *done);
	void *observe_context;
	/* Called about ten times a second; may be NULL. */
	void (*progress)(void *context, double done, int64_t elapsed_ns);
	void *progress_context;
};

/* Filled by live_run(), also when it fails half way. */
struct live_report {
	const char *backend; /* name of the one taken */
	char notes[512];     /* why others were not, one per line */
	bool buffers_registered;
	bool realtime;	       /* the driver's thread went before all others */
	uint64_t buffer_bytes; /* in all */
	uint64_t device_bytes; /* really read */
	int64_t decompress_busy_ns; /* wall time inside the decompressor */
	int64_t decompress_cpu_ns;  /* CPU time of the worker threads */
	uint64_t decompress_content_bytes;
	struct throttle throttle;
};

/* Runs the engine, fresh from engine_init() with external_decompress, to its
 * end or until *stop. tiers NULL: native, not held back. Returns 0 (also
 * when stopped: the engine's figures then say so) or negative errno with a
 * fault. */
int live_run(struct engine *engine, const struct pipeline *pipeline,
	     struct tiers *tiers, struct dataset *dataset,
	     const struct live_options *options, struct live_report *report,
	     struct fault *fault) __attribute__((warn_unused_result));

/* What a block costs the thread that decompresses it: fixed_ns, and its
 * content bytes by the rate; 0: no time. */
struct live_decompress {
	int64_t fixed_ns;
	uint64_t rate_bytes_per_s;
};

/* Measures that on blocks drawn from this dataset, for about budget_ns: the
 * straight line of CPU time over content bytes with the least squares. */
int live_measure_decompress(struct dataset *dataset, int64_t budget_ns,
			    struct live_decompress *cost, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
