/* SPDX-License-Identifier: MIT */
/*
 * The requests of a recording, to be issued again: gathered from its events in
 * any order, then put in the order of issuing, each with how many were in
 * flight. 48 bytes a request.
 */
#ifndef ANALYSIS_REQUESTS_H
#define ANALYSIS_REQUESTS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/histogram.h"
#include "sim/io_request.h"
#include "sim/trace_event.h"

struct requests {
	struct io_request *rows;
	int64_t *ends_ns; /* each at least at its issue */
	uint64_t count;
	uint64_t room;
	uint64_t writes;	     /* left out: nothing is ever written */
	uint64_t untimed;	     /* left out: nobody knows when */
	struct histogram latency_ns; /* as it was recorded */
};

/* Begins as all zeros. -ENOMEM; events that are no requests are nothing. */
int requests_add(struct requests *requests, const struct trace_event *event)
	__attribute__((warn_unused_result));

/* Orders them; from then on times count from the first. */
void requests_finish(struct requests *requests);

void requests_release(struct requests *requests);

#endif
