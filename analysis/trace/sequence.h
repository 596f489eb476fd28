/* SPDX-License-Identifier: MIT */
/*
 * In which order requests go through objects, and through each of them. An
 * object's own requests are looked at by themselves, so that reading several at
 * once does not hide their order.
 *
 * The numbers of objects tell of their order where they are those of a dataset.
 * In a foreign trace they count objects as they are met: then the first time
 * through says nothing, and only what is read again does.
 */
#ifndef ANALYSIS_TRACE_SEQUENCE_H
#define ANALYSIS_TRACE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/device.h"
#include "sim/pipeline.h"

struct sequence {
	/* Of requests that are not the first of their object: the share that
	 * goes on where the last one in it ended. */
	double sequential;
	/* Of changes of object that tell: the share that goes to the next. */
	double ascending;
	uint64_t pairs;	   /* that the first share is of */
	uint64_t switches; /* that the second is of */
	enum read_order order;
	bool assumed; /* the trace does not tell */
};

/* From samples in order of issue. `numbered`: objects have a dataset's numbers.
 * 0 or -ENOMEM. */
int sequence_find(struct sequence *sequence,
		  const struct device_sample *samples, size_t count,
		  bool numbered, uint64_t request_examples)
	__attribute__((warn_unused_result));

#endif
