/* SPDX-License-Identifier: MIT */
#include "analysis/trace/check.h"

#include <errno.h>
#include <stdio.h>

static bool known(int64_t time_ns)
{
	return time_ns != TIME_UNKNOWN;
}

/* Between which times the event can have been told. */
static void told_between(const struct trace_event *event, int64_t *first_ns,
			 int64_t *last_ns)
{
	bool at_start = event->kind == TRACE_STEP;

	*first_ns = event->start_ns;
	*last_ns = event->end_ns;
	if (at_start)
		*last_ns = event->start_ns;
	else if (event->kind != TRACE_WORK)
		*first_ns = event->end_ns;
}

static const char *wrong_with(struct trace_check *check,
			      const struct trace_event *event)
{
	int64_t first_ns, last_ns;

	if (known(event->issue_ns) && known(event->start_ns) &&
	    event->issue_ns > event->start_ns && event->kind != TRACE_WORK)
		return "it started before it was asked for";
	if (known(event->start_ns) && known(event->end_ns) &&
	    event->start_ns > event->end_ns)
		return "it ended before it started";
	if (event->cached_bytes > event->bytes)
		return "a cache had more bytes than were asked for";
	told_between(event, &first_ns, &last_ns);
	if (known(last_ns) && last_ns < check->now_ns)
		return "it comes after one that happened later";
	if (known(first_ns) && first_ns > check->now_ns)
		check->now_ns = first_ns;
	return NULL;
}

bool trace_check_add(struct trace_check *check, const struct trace_event *event)
{
	check->requests += event->kind == TRACE_REQUEST;
	check->steps += event->kind == TRACE_STEP;
	check->wrong = wrong_with(check, event);
	return !check->wrong;
}

int trace_check_end(const struct trace_check *check,
		    const struct recording_end *end, const char *name,
		    struct fault *fault)
{
	if (!end) {
		fault_set(fault, name, 0,
			  "is cut short: it holds %llu requests and %llu "
			  "steps, and not how the run ended",
			  (unsigned long long)check->requests,
			  (unsigned long long)check->steps);
		return -EBADMSG;
	}
	if (end->requests == check->requests && end->steps == check->steps)
		return 0;
	fault_set(fault, name, 0,
		  "is damaged: its end says %llu requests and %llu steps; "
		  "there are %llu and %llu",
		  (unsigned long long)end->requests,
		  (unsigned long long)end->steps,
		  (unsigned long long)check->requests,
		  (unsigned long long)check->steps);
	return -EBADMSG;
}
