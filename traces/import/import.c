/* SPDX-License-Identifier: MIT */
#include "traces/import/import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "traces/import/lookalike.h"
#include "traces/import/row.h"
#include "traces/recording/recording.h"

#define HEAD_LINE_MAX 4096

/* Those with the surest marks first: the first that fits is taken. */
const struct importer *const importer_table[] = {
	&import_fio_iolog, &import_blktrace, &import_darshan,
	&import_blkparse,  &import_msr,	     &import_fio_latency,
	&import_strace,	   &import_pytorch,  &import_dftracer,
	&import_alibaba,   &import_oracle,   &import_oracle_operations,
};

const size_t importer_count =
	sizeof(importer_table) / sizeof(importer_table[0]);

const char *const import_wait_names[IMPORT_WAITS + 1] = {
	[IMPORT_WAIT_MS_ABSOLUTE] = "ms-absolute",
	[IMPORT_WAIT_US_RELATIVE] = "us-relative",
};

const struct importer *importer_find(const char *name)
{
	size_t i;

	for (i = 0; i < importer_count; i++)
		if (!strcmp(importer_table[i]->name, name))
			return importer_table[i];
	return NULL;
}

bool import_head_has(const char *head, size_t size, size_t count,
		     bool (*is)(const char *line))
{
	const char *end = head + size, *feed;
	char line[HEAD_LINE_MAX];
	size_t length;

	for (; head < end && count; head = feed + 1) {
		feed = memchr(head, '\n', (size_t)(end - head));
		if (!feed)
			feed = end;
		length = (size_t)(feed - head);
		if (length && head[length - 1] == '\r')
			length--;
		if (!length)
			continue;
		if (length >= sizeof(line))
			length = sizeof(line) - 1;
		memcpy(line, head, length);
		line[length] = '\0';
		if (is(line))
			return true;
		count--;
	}
	return false;
}

struct trace_event import_event(enum trace_event_kind kind)
{
	return (struct trace_event){ .issue_ns = TIME_UNKNOWN,
				     .start_ns = TIME_UNKNOWN,
				     .end_ns = TIME_UNKNOWN,
				     .kind = (uint8_t)kind };
}

int import_bad(struct import *import, const char *format, ...)
{
	struct import_report *report = import->report;
	char text[IMPORT_TEXT_MAX];
	va_list arguments;

	report->bad++;
	if (report->bad > 1)
		return 0;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	report->bad_line = import->lines.number;
	memcpy(report->bad_text, text, sizeof(text));
	if (!import->options->strict)
		return 0;
	fault_set(import->fault, NULL, 0, "%s %llu: %s", import->importer->unit,
		  (unsigned long long)report->bad_line, text);
	return -EINVAL;
}

void import_skip(struct import *import)
{
	import->report->skipped++;
}

void import_note(struct import *import, const char *format, ...)
{
	struct import_report *report = import->report;
	va_list arguments;

	CHECK(report->note_count < IMPORT_NOTES_MAX);
	va_start(arguments, format);
	vsnprintf(report->notes[report->note_count++], IMPORT_TEXT_MAX, format,
		  arguments);
	va_end(arguments);
}

bool import_wants(const struct import *import, const void *path, size_t size)
{
	const char *only = import->options->only;

	CHECK(import->importer->names_files);
	return !only ||
	       (size >= strlen(only) && !memcmp(path, only, strlen(only)));
}

void import_leave_out(struct import *import)
{
	import->report->unwanted++;
}

static int number_of(struct import *import, struct objects *objects,
		     const void *name, size_t size, uint32_t *number)
{
	bool is_new;
	int error = objects_number(objects, objects_hash(name, size), number,
				   &is_new);

	if (error == -ENOSPC) {
		fault_set(import->fault, NULL, 0,
			  "%s %llu: more than %u files or objects, which is "
			  "the limit; cut the trace",
			  import->importer->unit,
			  (unsigned long long)import->lines.number,
			  OBJECTS_MAX);
		return -EINVAL;
	}
	return error;
}

int import_object(struct import *import, const void *name, size_t size,
		  uint32_t *number)
{
	return number_of(import, &import->objects, name, size, number);
}

int import_host(struct import *import, const void *name, size_t size,
		uint32_t *number)
{
	return number_of(import, &import->hosts, name, size, number);
}

/* Lets the earliest event of the window out. */
static int let_out(struct import *import)
{
	struct trace_event event;
	int64_t *times[] = { &event.issue_ns, &event.start_ns, &event.end_ns };
	int error;
	size_t i;

	if (!import->started && import->importer->absolute)
		import->base_ns = order_first_begin_ns(&import->order);
	if (!order_take(&import->order, &event))
		return 0;
	import->started = true;
	for (i = 0; i < 3; i++)
		if (*times[i] != TIME_UNKNOWN)
			*times[i] -= import->base_ns;
	error = import->sink->put(import->sink->context, &event);
	import->refused = error != 0;
	import->report->events[event.kind] += !error;
	return error;
}

static int refuse_order(struct import *import, const struct trace_event *event)
{
	int64_t back_ns = import->order.last_ns - order_told_ns(event);

	fault_set(import->fault, NULL, 0,
		  "%s %llu: %lld.%09lld s earlier than what was passed on "
		  "already: out of order by more than the window of %zu "
		  "events; sort the trace, or widen --window",
		  import->importer->unit,
		  (unsigned long long)import->lines.number,
		  (long long)(back_ns / NS_PER_S),
		  (long long)(back_ns % NS_PER_S), import->order.window);
	return -EINVAL;
}

int import_put(struct import *import, struct trace_event *event)
{
	const int64_t times[] = { event->issue_ns, event->start_ns,
				  event->end_ns };
	int64_t last = TIME_UNKNOWN;
	int error;
	size_t i;

	for (i = 0; i < 3; i++) {
		if (times[i] == TIME_UNKNOWN)
			continue;
		if (times[i] > RECORDING_TIME_MAX)
			return import_bad(import,
					  "a time of more than 146 years");
		if (times[i] < 0 && !import->importer->absolute)
			return import_bad(import,
					  "begins before the trace does");
		if (last != TIME_UNKNOWN && times[i] < last)
			return import_bad(import, "ends before it begins");
		last = times[i];
	}
	CHECK(last != TIME_UNKNOWN);
	if (order_is_past(&import->order, order_told_ns(event)))
		return refuse_order(import, event);
	if (order_is_full(&import->order)) {
		error = let_out(import);
		if (error)
			return error;
		if (order_is_past(&import->order, order_told_ns(event)))
			return refuse_order(import, event);
	}
	return order_put(&import->order, order_told_ns(event), event);
}

int import_lines(struct import *import,
		 int (*take)(struct import *import, void *state, char *text),
		 void *state)
{
	struct line line;
	int got, error;

	while ((got = lines_next(&import->lines, &line)) > 0) {
		if (line.too_long)
			error = import_bad(import, "more than %d bytes",
					   LINE_BYTES_MAX);
		else if (memchr(line.text, '\0', line.length))
			error = import_bad(import, "a zero byte: not text");
		else if (!line.length)
			continue;
		else
			error = take(import, state, line.text);
		if (error)
			return error;
	}
	return got;
}

static int refuse_unknown(size_t size, struct fault *fault)
{
	char names[IMPORT_TEXT_MAX] = "";
	size_t i, at = 0;

	for (i = 0; i < importer_count && at < sizeof(names); i++)
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s",
				       i ? ", " : "", importer_table[i]->name);
	if (!size)
		fault_set(fault, NULL, 0, "is empty; expected a trace");
	else
		fault_set(fault, NULL, 0,
			  "looks like no trace that is known; expected one of "
			  "%s (--from says which)",
			  names);
	return -EINVAL;
}

/* Finds the format by the first bytes, unless it is given. */
static int find(struct import *import, const struct importer *importer)
{
	char text[IMPORT_TEXT_MAX];
	const char *head;
	bool whole;
	size_t size, i;
	int error;

	error = lines_peek(&import->lines, IMPORT_HEAD_BYTES, &head, &size);
	if (error)
		return error;
	whole = size < IMPORT_HEAD_BYTES;
	if (!importer && lookalike_find(head, size, import->options->name, text,
					sizeof(text))) {
		fault_set(import->fault, NULL, 0, "%s", text);
		return -EINVAL;
	}
	for (i = 0; i < importer_count && !importer && size; i++)
		if (importer_table[i]->fits(head, size, whole))
			importer = importer_table[i];
	if (!importer || !size)
		return refuse_unknown(size, import->fault);
	import->importer = importer;
	import->report->importer = importer;
	if (!import->options->only || importer->names_files)
		return 0;
	fault_set(import->fault, NULL, 0,
		  "is a trace of %s, which has no paths of files to choose by",
		  importer->name);
	return -EINVAL;
}

/* Nothing came out: then this was no such trace. */
static int refuse_barren(const struct import *import)
{
	const struct import_report *report = import->report;
	const struct importer *importer = import->importer;

	if (report->unwanted)
		fault_set(import->fault, NULL, 0,
			  "holds no request of a file whose path begins with "
			  "\"%s\"; %llu are of others",
			  import->options->only,
			  (unsigned long long)report->unwanted);
	else if (report->bad)
		fault_set(import->fault, NULL, 0,
			  "holds nothing that can be read as %s; %s %llu: %s",
			  importer->name, importer->unit,
			  (unsigned long long)report->bad_line,
			  report->bad_text);
	else
		fault_set(import->fault, NULL, 0,
			  "holds no event: %s has %s, and none is here",
			  importer->name, importer->yields);
	return -EINVAL;
}

static int run(struct import *import, const struct importer *importer)
{
	int error = find(import, importer), refused;

	if (error)
		return error;
	error = import->importer->read(import);
	/* Also one behind what the importer needed. */
	if (!error)
		error = import->lines.error;
	/* What was understood before an error is worth having. */
	while (import->order.count && !import->refused) {
		refused = let_out(import);
		error = error ? error : refused;
	}
	import->report->lines = import->lines.number;
	if (!error && !import->started)
		return refuse_barren(import);
	return error;
}

int import_run(const struct importer *importer,
	       const struct import_options *options,
	       const struct byte_source *source, const struct import_sink *sink,
	       struct import_report *report, struct fault *fault)
{
	struct import *import = malloc(sizeof(*import));
	int error;

	*report = (struct import_report){ .importer = importer };
	if (!import)
		return -ENOMEM;
	import->importer = importer;
	import->options = options;
	import->sink = sink;
	import->report = report;
	import->fault = fault;
	import->base_ns = 0;
	import->started = false;
	import->refused = false;
	lines_init(&import->lines, source, fault);
	objects_init(&import->objects);
	objects_init(&import->hosts);
	order_init(&import->order,
		   options->window ? options->window : ORDER_EVENTS_DEFAULT);
	error = run(import, importer);
	if (error == -ENOMEM)
		fault_set(fault, NULL, 0, "out of memory");
	objects_release(&import->objects);
	objects_release(&import->hosts);
	order_release(&import->order);
	free(import);
	return error;
}
