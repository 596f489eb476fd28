/* SPDX-License-Identifier: MIT */
#include "analysis/trace/requests.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/trace/table.h"

#define ROOM_FIRST 4096

static int grow(struct requests *requests)
{
	uint64_t room = requests->room ? 2 * requests->room : ROOM_FIRST;
	struct io_request *rows;
	int64_t *ends_ns;

	rows = reallocarray(requests->rows, room, sizeof(*rows));
	if (rows)
		requests->rows = rows;
	ends_ns = reallocarray(requests->ends_ns, room, sizeof(*ends_ns));
	if (ends_ns)
		requests->ends_ns = ends_ns;
	if (!rows || !ends_ns)
		return -ENOMEM;
	requests->room = room;
	return 0;
}

int requests_add(struct requests *requests, const struct trace_event *event)
{
	int64_t begin_ns = trace_event_begin_ns(event);
	int64_t end_ns = trace_event_end_ns(event);

	if (event->kind != TRACE_REQUEST)
		return 0;
	requests->writes += (event->flags & TRACE_WRITE) != 0;
	requests->untimed += begin_ns == TIME_UNKNOWN;
	if (event->flags & TRACE_WRITE || begin_ns == TIME_UNKNOWN)
		return 0;
	if (requests->count == requests->room && grow(requests))
		return -ENOMEM;
	if (end_ns < begin_ns)
		end_ns = begin_ns;
	if (event->issue_ns != TIME_UNKNOWN && event->end_ns != TIME_UNKNOWN)
		histogram_add(&requests->latency_ns, end_ns - begin_ns);
	requests->ends_ns[requests->count] = end_ns;
	requests->rows[requests->count++] = (struct io_request){
		.issue_ns = begin_ns,
		.offset_bytes = event->offset_bytes,
		.bytes = event->bytes,
		.object = event->object,
	};
	return 0;
}

static int by_issue(const void *a, const void *b)
{
	const struct io_request *x = a, *y = b;

	if (x->issue_ns != y->issue_ns)
		return x->issue_ns < y->issue_ns ? -1 : 1;
	return (x->offset_bytes > y->offset_bytes) -
	       (x->offset_bytes < y->offset_bytes);
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void requests_finish(struct requests *requests)
{
	int64_t first_ns;
	uint64_t ended = 0;
	uint64_t i;

	if (!requests->count)
		return;
	qsort(requests->rows, requests->count, sizeof(*requests->rows),
	      by_issue);
	qsort(requests->ends_ns, requests->count, sizeof(int64_t), by_value);
	first_ns = requests->rows[0].issue_ns;
	for (i = 0; i < requests->count; i++) {
		struct io_request *row = &requests->rows[i];

		/* Those that ended by then began before it, but for itself if
		 * it took no time. */
		while (ended < i && requests->ends_ns[ended] <= row->issue_ns)
			ended++;
		row->depth = i + 1 - ended < UINT32_MAX ?
				     (uint32_t)(i + 1 - ended) :
				     UINT32_MAX;
	}
	for (i = 0; i < requests->count; i++)
		requests->rows[i].issue_ns -= first_ns;
}

void requests_release(struct requests *requests)
{
	free(requests->rows);
	free(requests->ends_ns);
}
