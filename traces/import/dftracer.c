/* SPDX-License-Identifier: MIT */
/*
 * What dftracer writes, also for DLIO: an object of JSON for each event,
 * perhaps with a [ before the first, commas between them, and no end.
 *
 *	{"name":"pread","cat":"POSIX","pid":9,"tid":9,"ts":1145121,"dur":310,
 *	 "ph":"X","args":{"fhash":4242,"fd":5,"offset":0,"ret":65536}}
 *
 * Times are microseconds. Files go by the hash of their name. A read without
 * an offset begins where the one before it on its descriptor ended.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/import/row.h"
#include "traces/import/json_text.h"
#include "traces/import/open_files.h"
#include "traces/import/scan.h"

enum member {
	NAME,
	KIND,
	PHASE,
	BEGIN,
	LENGTH,
	PROCESS,
	HOST,
	FILE_HASH,
	FILE_NAME,
	DESCRIPTOR,
	OFFSET,
	RESULT,
	ITEM_BYTES,
	META_NAME,
	META_VALUE,
	MEMBERS
};

static const char *const paths[MEMBERS] = {
	[NAME] = "name",
	[KIND] = "cat",
	[PHASE] = "ph",
	[BEGIN] = "ts",
	[LENGTH] = "dur",
	[PROCESS] = "pid",
	[HOST] = "args.hhash",
	[FILE_HASH] = "args.fhash",
	[FILE_NAME] = "args.fname",
	[DESCRIPTOR] = "args.fd",
	[OFFSET] = "args.offset",
	[RESULT] = "args.ret",
	[ITEM_BYTES] = "args.size",
	[META_NAME] = "args.name",
	[META_VALUE] = "args.value",
};

struct dftracer {
	struct json_text json;
	struct json_member members[MEMBERS];
	struct open_files files;
	struct objects wanted; /* hashes of paths, where not all files are */
	uint64_t requests;
	uint64_t steps;
	uint64_t waits;
	uint64_t assumed;
};

/* Numbers stand as such or in quotes. */
static bool number(const struct dftracer *trace, enum member member, int shift,
		   int64_t *value)
{
	const struct json_member *found = &trace->members[member];
	struct scan scan = { found->text };

	return found->found && scan_decimal(&scan, shift, value) &&
	       scan_end(&scan);
}

static bool is(const struct dftracer *trace, enum member member,
	       const char *text)
{
	return trace->members[member].found &&
	       !strcmp(trace->members[member].text, text);
}

/* By its last word, as in "train.compute". */
static bool is_called(const struct dftracer *trace, const char *word)
{
	const char *name = trace->members[NAME].text;
	size_t length = trace->members[NAME].length, end = strlen(word);

	return length >= end && !strcmp(name + length - end, word) &&
	       (length == end || name[length - end - 1] == '.');
}

/* The descriptor; the file's hash stands in for one that is not told. */
static uint64_t descriptor_of(const struct dftracer *trace)
{
	const struct json_member *hash = &trace->members[FILE_HASH];
	int64_t descriptor;

	if (number(trace, DESCRIPTOR, 0, &descriptor) && descriptor >= 0)
		return (uint64_t)descriptor;
	return objects_hash(hash->text, hash->found ? hash->length : 0);
}

static int refuse_files(struct import *import)
{
	fault_set(import->fault, NULL, 0,
		  "line %llu: more than %d open files at a time, which is the "
		  "limit",
		  (unsigned long long)import->lines.number, OPEN_FILES_MAX);
	return -EINVAL;
}

/* Where it begins; moves the file's position on when nobody told. */
static int place(struct import *import, struct dftracer *trace,
		 struct trace_event *event)
{
	struct open_file *open;
	int64_t offset, process = 0;

	if (number(trace, OFFSET, 0, &offset)) {
		if (offset < 0)
			return import_bad(import, "an offset below 0");
		event->offset_bytes = (uint64_t)offset;
		return 0;
	}
	number(trace, PROCESS, 0, &process);
	open = open_files_get(&trace->files, (uint64_t)process,
			      descriptor_of(trace));
	if (!open)
		return refuse_files(import);
	event->offset_bytes = open->position;
	trace->assumed += open->assumed;
	open->position += event->bytes;
	return 0;
}

/* The path that a hash stands for, told before it is used. */
static int take_path(struct import *import, struct dftracer *trace)
{
	const struct json_member *name = &trace->members[META_NAME];
	const struct json_member *value = &trace->members[META_VALUE];
	uint32_t number;
	bool is_new;

	import_skip(import);
	if (!is(trace, NAME, "FH") || !name->found || !value->found ||
	    !import->options->only ||
	    !import_wants(import, name->text, name->length))
		return 0;
	return objects_number(&trace->wanted,
			      objects_hash(value->text, value->length), &number,
			      &is_new);
}

static bool wants(const struct import *import, const struct dftracer *trace)
{
	const struct json_member *hash = &trace->members[FILE_HASH];
	const struct json_member *name = &trace->members[FILE_NAME];

	if (!import->options->only)
		return true;
	if (name->found)
		return import_wants(import, name->text, name->length);
	return objects_has(&trace->wanted,
			   objects_hash(hash->text, hash->length));
}

static int take_request(struct import *import, struct dftracer *trace,
			struct trace_event *event, bool write)
{
	const struct json_member *file = &trace->members[FILE_HASH];
	int64_t result, item_bytes = 1;
	uint64_t bad = import->report->bad, assumed = trace->assumed;
	int error;

	if (!file->found)
		file = &trace->members[FILE_NAME];
	if (!file->found || !number(trace, RESULT, 0, &result))
		return import_bad(import, "a read or write without the file "
					  "(fhash) or the result (ret)");
	if (is(trace, NAME, "fread") || is(trace, NAME, "fwrite"))
		number(trace, ITEM_BYTES, 0, &item_bytes);
	if (!result) {
		import_skip(import);
		return 0;
	}
	if (result < 0)
		event->flags |= TRACE_FAILED;
	else if (item_bytes < 0 ||
		 __builtin_mul_overflow((uint64_t)result, (uint64_t)item_bytes,
					&event->bytes))
		return import_bad(import, "a size beyond 16 EiB");
	if (write)
		event->flags |= TRACE_WRITE;
	error = place(import, trace, event);
	if (!error && !wants(import, trace)) {
		trace->assumed = assumed;
		import_leave_out(import);
		return 0;
	}
	if (!error && import->report->bad == bad)
		error = import_object(import, file->text, file->length,
				      &event->object);
	if (error || import->report->bad != bad)
		return error;
	event->number = trace->requests++;
	return import_put(import, event);
}

/* What moves the position of a file. */
static int take_file(struct import *import, struct dftracer *trace)
{
	struct open_file *open = NULL;
	int64_t result, process = 0;

	import_skip(import);
	number(trace, PROCESS, 0, &process);
	if (is(trace, NAME, "close") || is(trace, NAME, "fclose")) {
		open_files_close(&trace->files, (uint64_t)process,
				 descriptor_of(trace));
		return 0;
	}
	if (!number(trace, RESULT, 0, &result) || result < 0)
		return 0;
	if (is(trace, NAME, "lseek") || is(trace, NAME, "lseek64")) {
		open = open_files_get(&trace->files, (uint64_t)process,
				      descriptor_of(trace));
		if (open) {
			open->position = (uint64_t)result;
			open->assumed = false;
		}
	} else {
		open = open_files_open(&trace->files, (uint64_t)process,
				       (uint64_t)result);
	}
	return open ? 0 : refuse_files(import);
}

static bool is_one_of(const struct dftracer *trace, const char *const *names)
{
	for (; *names; names++)
		if (is(trace, NAME, *names))
			return true;
	return false;
}

static int take_call(struct import *import, struct dftracer *trace,
		     struct trace_event *event)
{
	static const char *const reads[] = { "read",  "pread",	"pread64",
					     "readv", "preadv", "preadv2",
					     "fread", NULL };
	static const char *const writes[] = { "write",	"pwrite",  "pwrite64",
					      "writev", "pwritev", "pwritev2",
					      "fwrite", NULL };
	static const char *const files[] = { "open",   "open64",  "openat",
					     "creat",  "creat64", "close",
					     "fclose", "lseek",	  "lseek64",
					     NULL };

	if (is_one_of(trace, reads))
		return take_request(import, trace, event, false);
	if (is_one_of(trace, writes))
		return take_request(import, trace, event, true);
	if (is_one_of(trace, files))
		return take_file(import, trace);
	import_skip(import);
	return 0;
}

/* An event of the job: a computation, or a wait for a batch. */
static int take_job(struct import *import, struct dftracer *trace,
		    struct trace_event *event)
{
	event->start_ns = event->issue_ns;
	if (is_called(trace, "compute")) {
		event->kind = TRACE_STEP;
		event->number = trace->steps++;
	} else if (is_called(trace, "fetch") ||
		   is_called(trace, "fetch.iter")) {
		event->kind = TRACE_BATCH;
		event->issue_ns = TIME_UNKNOWN;
		event->number = trace->waits++;
	} else {
		import_skip(import);
		return 0;
	}
	return import_put(import, event);
}

static int take_event(struct import *import, struct dftracer *trace)
{
	struct trace_event event = import_event(TRACE_REQUEST);
	const struct json_member *host = &trace->members[HOST];
	int64_t length_ns;
	int error;

	if (is(trace, PHASE, "M"))
		return take_path(import, trace);
	if (!is(trace, PHASE, "X")) {
		import_skip(import);
		return 0;
	}
	if (!trace->members[NAME].found ||
	    !number(trace, BEGIN, 3, &event.issue_ns) || event.issue_ns < 0)
		return import_bad(import, "an event without name, or without "
					  "a time (ts) of 0 or more");
	if (!number(trace, LENGTH, 3, &length_ns) || length_ns < 0)
		return import_bad(import, "expected how long it took (dur), "
					  "0 or more");
	if (__builtin_add_overflow(event.issue_ns, length_ns, &event.end_ns))
		return import_bad(import, "a time of more than 292 years");
	if (host->found) {
		error = import_host(import, host->text, host->length,
				    &event.host);
		if (error)
			return error;
	}
	if (is(trace, KIND, "POSIX") || is(trace, KIND, "STDIO"))
		return take_call(import, trace, &event);
	return take_job(import, trace, &event);
}

static int take_events(struct import *import, struct dftracer *trace)
{
	struct json_text *json = &trace->json;
	enum json_token token;
	int error = 0;

	while (!error && (token = json_text_next(json)) != JSON_END) {
		if (token == JSON_SIGN && strchr("[],", json->sign))
			continue;
		if (token == JSON_SIGN && json->sign == '{')
			token = json_text_members(json, trace->members,
						  MEMBERS);
		else
			token = JSON_WRONG;
		if (json->error)
			return json->error;
		if (token == JSON_SIGN) {
			error = take_event(import, trace);
			continue;
		}
		error = import_bad(import, token == JSON_END ?
						   "an event that is cut "
						   "short" :
						   "expected an event as an "
						   "object of JSON");
		json_text_skip_line(json);
	}
	return error ? error : json->error;
}

static int read_dftracer(struct import *import)
{
	struct dftracer *trace = calloc(1, sizeof(*trace));
	size_t i;
	int error;

	if (!trace)
		return -ENOMEM;
	for (i = 0; i < MEMBERS; i++)
		trace->members[i].path = paths[i];
	objects_init(&trace->wanted);
	json_text_init(&trace->json, &import->lines);
	error = take_events(import, trace);
	if (trace->assumed)
		import_note(import,
			    "%llu requests are of files whose opening is not "
			    "in the trace: the first place is taken to be 0",
			    (unsigned long long)trace->assumed);
	objects_release(&trace->wanted);
	free(trace);
	return error;
}

static bool is_event(const char *line)
{
	return line[strspn(line, "[ \t,")] == '{' && strstr(line, "\"ph\"") &&
	       strstr(line, "\"name\"");
}

static bool fits(const char *head, size_t size, bool whole)
{
	(void)whole;
	return import_head_has(head, size, 4, is_event);
}

const struct importer import_dftracer = {
	.name = "dftracer",
	.from = "dftracer and DLIO, .pfw",
	.yields = "requests: file, place, size, begin, end, host; waits for a "
		  "batch (*.fetch, fetch.iter) and steps (*.compute)",
	.limits = "At most 8192 open files; names and values of 4096 bytes.",
	.unit = "line",
	.absolute = true,
	.names_files = true,
	.fits = fits,
	.read = read_dftracer,
};
