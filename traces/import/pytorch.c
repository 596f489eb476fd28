/* SPDX-License-Identifier: MIT */
/*
 * What PyTorch's profiler exports: one object of JSON, with an array of
 * events that may be gigabytes.
 *
 *	{"schemaVersion": 1, "traceEvents": [
 *	 {"ph":"X","cat":"user_annotation","name":"ProfilerStep#12","pid":1,
 *	  "ts":1000.125,"dur":52000.5}, ...
 *
 * ProfilerStep#N is a step, and the DataLoader's __next__ within it the wait
 * for its batch: what is left of the step is computing, and is taken to end
 * with it. Times are microseconds with decimals.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/import/row.h"
#include "traces/import/json_text.h"
#include "traces/import/scan.h"

#define SPANS_MAX 16384

enum member { NAME, KIND, PHASE, BEGIN, LENGTH, PROCESS, MEMBERS };

static const char *const paths[MEMBERS] = {
	[NAME] = "name", [KIND] = "cat",   [PHASE] = "ph",
	[BEGIN] = "ts",	 [LENGTH] = "dur", [PROCESS] = "pid",
};

struct span {
	int64_t begin_ns;
	int64_t end_ns;
	uint64_t number; /* of a step */
	uint32_t host;
	bool is_step;
};

struct pytorch {
	struct json_text json;
	struct json_member members[MEMBERS];
	struct order kernels; /* to join those that overlap */
	int64_t kernels_end_ns;
	int64_t kernels_busy_ns;
	size_t span_count;
	struct span spans[SPANS_MAX];
};

static bool number(const struct pytorch *trace, enum member member, int64_t *ns)
{
	const struct json_member *found = &trace->members[member];
	struct scan scan = { found->text };

	return found->found && scan_decimal(&scan, 3, ns) && scan_end(&scan);
}

static bool is(const struct pytorch *trace, enum member member,
	       const char *text)
{
	return trace->members[member].found &&
	       !strcmp(trace->members[member].text, text);
}

/* Adds what no kernel before it covers. */
static void join_kernel(struct pytorch *trace)
{
	struct trace_event kernel;

	if (!order_take(&trace->kernels, &kernel))
		return;
	if (kernel.start_ns < trace->kernels_end_ns)
		kernel.start_ns = trace->kernels_end_ns;
	if (kernel.end_ns <= kernel.start_ns)
		return;
	trace->kernels_busy_ns += kernel.end_ns - kernel.start_ns;
	trace->kernels_end_ns = kernel.end_ns;
}

static int take_kernel(struct import *import, struct pytorch *trace,
		       int64_t begin_ns, int64_t end_ns)
{
	struct trace_event kernel = import_event(TRACE_WORK);

	import_skip(import);
	kernel.start_ns = begin_ns;
	kernel.end_ns = end_ns;
	if (order_is_full(&trace->kernels))
		join_kernel(trace);
	return order_put(&trace->kernels, begin_ns, &kernel);
}

static int take_span(struct import *import, struct pytorch *trace,
		     const struct span *span)
{
	const struct json_member *process = &trace->members[PROCESS];
	struct span *kept;

	if (trace->span_count == SPANS_MAX) {
		fault_set(import->fault, NULL, 0,
			  "line %llu: more than %d steps and waits in one "
			  "profile, which is the limit",
			  (unsigned long long)import->lines.number, SPANS_MAX);
		return -EINVAL;
	}
	kept = &trace->spans[trace->span_count++];
	*kept = *span;
	return import_host(import, process->text,
			   process->found ? process->length : 0, &kept->host);
}

static int take_event(struct import *import, struct pytorch *trace)
{
	struct scan name = { trace->members[NAME].text };
	struct span span = { 0 };
	bool is_kernel, is_wait;
	int64_t length_ns;

	is_kernel = is(trace, KIND, "kernel");
	span.is_step = trace->members[NAME].found &&
		       scan_text(&name, "ProfilerStep#") &&
		       scan_whole(&name, &span.number);
	is_wait = trace->members[NAME].found &&
		  !strncmp(trace->members[NAME].text, "enumerate(DataLoader)",
			   21) &&
		  strstr(trace->members[NAME].text, "__next__");
	/* The same span is told of the GPU once more. */
	if (!is(trace, PHASE, "X") || is(trace, KIND, "gpu_user_annotation") ||
	    (!is_kernel && !span.is_step && !is_wait)) {
		import_skip(import);
		return 0;
	}
	if (!number(trace, BEGIN, &span.begin_ns))
		return import_bad(import, "an event without time (ts)");
	if (!number(trace, LENGTH, &length_ns) || length_ns < 0)
		return import_bad(import, "expected how long it took (dur), "
					  "0 or more");
	if (span.begin_ns > INT64_MAX / 2 || span.begin_ns < 0 ||
	    length_ns > INT64_MAX / 4)
		return import_bad(import, "a time below 0, or of more than 146 "
					  "years");
	span.end_ns = span.begin_ns + length_ns;
	if (is_kernel)
		return take_kernel(import, trace, span.begin_ns, span.end_ns);
	return take_span(import, trace, &span);
}

static int by_begin(const void *one, const void *other)
{
	const struct span *a = one, *b = other;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	/* A step before the wait in it. */
	return (int)b->is_step - (int)a->is_step;
}

/* How long the step waited for data: the waits that begin in it. */
static int64_t waited_ns(const struct pytorch *trace, size_t step)
{
	const struct span *spans = trace->spans;
	int64_t sum_ns = 0, end_ns;
	size_t i;

	for (i = step + 1;
	     i < trace->span_count && spans[i].begin_ns < spans[step].end_ns;
	     i++) {
		if (spans[i].host != spans[step].host)
			continue;
		/* Steps do not overlap on one host. */
		if (spans[i].is_step)
			break;
		end_ns = spans[i].end_ns < spans[step].end_ns ?
				 spans[i].end_ns :
				 spans[step].end_ns;
		sum_ns += end_ns - spans[i].begin_ns;
	}
	if (sum_ns > spans[step].end_ns - spans[step].begin_ns)
		sum_ns = spans[step].end_ns - spans[step].begin_ns;
	return sum_ns;
}

static int put_spans(struct import *import, struct pytorch *trace)
{
	struct trace_event event;
	uint64_t waits = 0;
	int error = 0;
	size_t i;

	qsort(trace->spans, trace->span_count, sizeof(trace->spans[0]),
	      by_begin);
	for (i = 0; i < trace->span_count && !error; i++) {
		const struct span *span = &trace->spans[i];

		event = import_event(span->is_step ? TRACE_STEP : TRACE_BATCH);
		event.host = span->host;
		event.start_ns = span->begin_ns;
		event.end_ns = span->end_ns;
		event.number = span->is_step ? span->number : waits++;
		if (span->is_step) {
			event.start_ns += waited_ns(trace, i);
			event.issue_ns = event.start_ns;
		}
		error = import_put(import, &event);
	}
	return error;
}

static void note_kernels(struct import *import, struct pytorch *trace)
{
	const struct span *spans = trace->spans;
	int64_t begin_ns = INT64_MAX, end_ns = 0;
	size_t i;

	while (trace->kernels.count)
		join_kernel(trace);
	for (i = 0; i < trace->span_count; i++) {
		if (!spans[i].is_step)
			continue;
		if (spans[i].begin_ns < begin_ns)
			begin_ns = spans[i].begin_ns;
		if (spans[i].end_ns > end_ns)
			end_ns = spans[i].end_ns;
	}
	if (trace->kernels_busy_ns && end_ns > begin_ns)
		import_note(import,
			    "kernels ran for %.3f s, together, of the %.3f s "
			    "of steps",
			    (double)trace->kernels_busy_ns / 1e9,
			    (double)(end_ns - begin_ns) / 1e9);
}

/* The array of events, behind its [. */
static int take_events(struct import *import, struct pytorch *trace)
{
	struct json_text *json = &trace->json;
	enum json_token token;
	int error = 0;

	while (!error) {
		token = json_text_next(json);
		if (token == JSON_SIGN && json->sign == ']')
			return 0;
		if (token == JSON_SIGN && json->sign == ',')
			continue;
		if (token == JSON_SIGN && json->sign == '{')
			token = json_text_members(json, trace->members,
						  MEMBERS);
		else if (token != JSON_END)
			token = JSON_WRONG;
		if (json->error)
			return json->error;
		if (token != JSON_SIGN)
			return import_bad(
				import, token == JSON_END ?
						"cut short within the events" :
						"expected an event as an "
						"object of JSON; nothing is "
						"read from here on");
		error = take_event(import, trace);
	}
	return error;
}

/* The members of the outermost object, until the events have been read. */
static int take_document(struct import *import, struct pytorch *trace)
{
	struct json_text *json = &trace->json;
	enum json_token token = json_text_next(json);
	bool found;

	if (token == JSON_SIGN && json->sign == '[')
		return take_events(import, trace);
	if (token != JSON_SIGN || json->sign != '{')
		return import_bad(import, "expected an object of JSON");
	for (;;) {
		token = json_text_next(json);
		if (token == JSON_SIGN && json->sign == '}')
			return 0;
		if (token == JSON_SIGN && json->sign == ',')
			token = json_text_next(json);
		if (token != JSON_TEXT)
			break;
		found = !strcmp(json->text, "traceEvents");
		token = json_text_next(json);
		if (token != JSON_SIGN || json->sign != ':')
			break;
		token = json_text_next(json);
		if (found && token == JSON_SIGN && json->sign == '[')
			return take_events(import, trace);
		token = json_text_skip(json, token);
		if (token == JSON_WRONG || token == JSON_END)
			break;
	}
	if (json->error)
		return json->error;
	return import_bad(import, token == JSON_END ?
					  "cut short before the events" :
					  "expected a name, : and a value of "
					  "JSON");
}

static int read_pytorch(struct import *import)
{
	struct pytorch *trace = calloc(1, sizeof(*trace));
	int error, refused;
	size_t i;

	if (!trace)
		return -ENOMEM;
	for (i = 0; i < MEMBERS; i++)
		trace->members[i].path = paths[i];
	order_init(&trace->kernels, ORDER_EVENTS_DEFAULT);
	json_text_init(&trace->json, &import->lines);
	error = take_document(import, trace);
	/* What was read before an error is worth having. */
	refused = put_spans(import, trace);
	error = error ? error : refused;
	note_kernels(import, trace);
	order_release(&trace->kernels);
	free(trace);
	return error;
}

static bool has(const char *head, size_t size, const char *text)
{
	return memmem(head, size, text, strlen(text)) != NULL;
}

static bool fits(const char *head, size_t size, bool whole)
{
	size_t at = 0;

	(void)whole;
	while (at < size && memchr(" \t\r\n", head[at], 4))
		at++;
	if (at == size || (head[at] != '{' && head[at] != '['))
		return false;
	return has(head, size, "\"traceEvents\"") ||
	       has(head, size, "\"schemaVersion\"") ||
	       has(head, size, "\"deviceProperties\"") ||
	       has(head, size, "ProfilerStep#");
}

const struct importer import_pytorch = {
	.name = "pytorch",
	.from = "torch.profiler, export_chrome_trace",
	.yields = "steps (ProfilerStep less the wait in it) and waits for a "
		  "batch (DataLoader); no requests",
	.limits = "At most 16384 steps and waits; names of 4096 bytes.",
	.unit = "line",
	.absolute = true,
	.fits = fits,
	.read = read_pytorch,
};
