/* SPDX-License-Identifier: MIT */
/*
 * strace -f -ttt -T -yy: every read and write of a file by a system call.
 * A call that another thread interrupts is told in two lines,
 *
 *	[pid 101] 1796049360.238968 read(3</d/a>,  <unfinished ...>
 *	[pid 101] 1796049360.239220 <... read resumed>"x"..., 9) = 9 <0.000252>
 *
 * which are put together. Reads through a mapping and through io_uring are no
 * calls that strace could tell of: how often there was occasion is in a note.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/import/row.h"
#include "traces/import/strace_call.h"
#include "traces/import/open_files.h"

#define UNFINISHED_MAX 256
#define UNFINISHED_BYTES 8192
#define UNFINISHED_MARK "<unfinished ...>"

struct unfinished {
	uint64_t thread;
	int64_t time_ns;
	char text[UNFINISHED_BYTES];
};

struct strace {
	struct open_files files;
	struct unfinished unfinished[UNFINISHED_MAX];
	size_t unfinished_count;
	uint64_t count;
	uint64_t assumed; /* requests whose place nobody has told */
	uint64_t rings;	  /* calls of io_uring_enter */
	uint64_t mappings;
	uint64_t nameless; /* reads and writes without a path: no -y */
	uint64_t endless;  /* without a duration: no -T */
	char joined[UNFINISHED_BYTES + LINE_BYTES_MAX];
};

/* A call, by whom and when. */
struct occasion {
	uint64_t thread;
	int64_t time_ns;
	const struct strace_call *call;
};

typedef int take_call(struct import *import, struct strace *strace,
		      const struct occasion *occasion);

static int refuse_files(struct import *import)
{
	fault_set(import->fault, NULL, 0,
		  "line %llu: more than %d open files or %d threads at a "
		  "time, which is the limit",
		  (unsigned long long)import->lines.number, OPEN_FILES_MAX,
		  OPEN_FILES_THREADS_MAX);
	return -EINVAL;
}

static bool begins(const struct scan_word *name, const char *text)
{
	size_t length = strlen(text);

	return name->length >= length && !memcmp(name->text, text, length);
}

/* Interrupted before anything happened: it is told again. */
static bool is_again(const struct strace_call *call)
{
	return strace_word_has(&call->result_text, "EAGAIN") ||
	       strace_word_has(&call->result_text, "EINTR") ||
	       strace_word_has(&call->result_text, "ERESTART");
}

/* Where it begins; moves the file's position when the call does. */
static int place(struct import *import, struct strace *strace,
		 const struct occasion *occasion,
		 const struct strace_file *file, uint64_t *offset)
{
	const struct strace_call *call = occasion->call;
	struct open_file *open;
	int64_t told;

	if ((begins(&call->name, "pread") || begins(&call->name, "pwrite")) &&
	    strace_take_number(call, 3, &told) && told >= 0) {
		*offset = (uint64_t)told;
		return 0;
	}
	open = open_files_get(&strace->files, occasion->thread,
			      file->descriptor);
	if (!open)
		return refuse_files(import);
	*offset = open->position;
	strace->assumed += open->assumed;
	if (call->result > 0)
		open->position += (uint64_t)call->result;
	return 0;
}

static int take_transfer(struct import *import, struct strace *strace,
			 const struct occasion *occasion)
{
	const struct strace_call *call = occasion->call;
	struct trace_event event = import_event(TRACE_REQUEST);
	uint64_t assumed = strace->assumed;
	struct strace_file file;
	int64_t asked;
	int error;

	if (!strace_take_file(&call->arguments[0], &file))
		return import_bad(import, "expected a descriptor first");
	strace->nameless += !file.path.length;
	if (!file.is_data || !call->returned || !call->result ||
	    is_again(call)) {
		import_skip(import);
		return 0;
	}
	error = place(import, strace, occasion, &file, &event.offset_bytes);
	if (error)
		return error;
	if (!import_wants(import, file.path.text, file.path.length)) {
		strace->assumed = assumed;
		import_leave_out(import);
		return 0;
	}
	error = import_object(import, file.path.text, file.path.length,
			      &event.object);
	if (error)
		return error;
	event.issue_ns = occasion->time_ns;
	if (call->duration_ns != TIME_UNKNOWN &&
	    __builtin_add_overflow(occasion->time_ns, call->duration_ns,
				   &event.end_ns))
		return import_bad(import, "a time of more than 292 years");
	strace->endless += call->duration_ns == TIME_UNKNOWN;
	if (call->result > 0)
		event.bytes = (uint64_t)call->result;
	else if (strace_take_number(call, 2, &asked) && asked > 0)
		event.bytes = (uint64_t)asked;
	event.flags =
		(uint8_t)((call->result < 0 ? TRACE_FAILED : 0) |
			  (strace_word_has(&call->name, "write") ? TRACE_WRITE :
								   0));
	event.number = strace->count++;
	return import_put(import, &event);
}

static int take_open(struct import *import, struct strace *strace,
		     const struct occasion *occasion)
{
	const struct strace_call *call = occasion->call;

	import_skip(import);
	if (call->returned && call->result >= 0 &&
	    !open_files_open(&strace->files, occasion->thread,
			     (uint64_t)call->result))
		return refuse_files(import);
	return 0;
}

static int take_seek(struct import *import, struct strace *strace,
		     const struct occasion *occasion)
{
	const struct strace_call *call = occasion->call;
	struct strace_file file;
	struct open_file *open;

	import_skip(import);
	if (!strace_take_file(&call->arguments[0], &file) || !call->returned ||
	    call->result < 0)
		return 0;
	open = open_files_get(&strace->files, occasion->thread,
			      file.descriptor);
	if (!open)
		return refuse_files(import);
	open->position = (uint64_t)call->result;
	open->assumed = false;
	return 0;
}

/* dup, dup2, dup3 and fcntl that does the same */
static int take_share(struct import *import, struct strace *strace,
		      const struct occasion *occasion)
{
	const struct strace_call *call = occasion->call;
	struct strace_file file;

	import_skip(import);
	if (scan_is(&call->name, "fcntl") &&
	    !begins(&call->arguments[1], "F_DUPFD"))
		return 0;
	if (strace_take_file(&call->arguments[0], &file) && call->returned &&
	    call->result >= 0 &&
	    !open_files_share(&strace->files, occasion->thread, file.descriptor,
			      (uint64_t)call->result))
		return refuse_files(import);
	return 0;
}

static int take_close(struct import *import, struct strace *strace,
		      const struct occasion *occasion)
{
	struct strace_file file;

	import_skip(import);
	if (strace_take_file(&occasion->call->arguments[0], &file))
		open_files_close(&strace->files, occasion->thread,
				 file.descriptor);
	return 0;
}

static int take_clone(struct import *import, struct strace *strace,
		      const struct occasion *occasion)
{
	const struct strace_call *call = occasion->call;
	bool same = false;
	size_t i;

	import_skip(import);
	for (i = 0; i < call->argument_count && i < STRACE_ARGUMENTS_MAX; i++)
		same |= strace_word_has(&call->arguments[i], "CLONE_FILES");
	if (call->returned && call->result > 0 &&
	    !open_files_clone(&strace->files, occasion->thread,
			      (uint64_t)call->result, same))
		return refuse_files(import);
	return 0;
}

static int take_ring(struct import *import, struct strace *strace,
		     const struct occasion *occasion)
{
	(void)occasion;
	import_skip(import);
	strace->rings++;
	return 0;
}

static int take_mapping(struct import *import, struct strace *strace,
			const struct occasion *occasion)
{
	const struct strace_call *call = occasion->call;
	struct strace_file file = { 0 };

	import_skip(import);
	if (call->argument_count > 4 &&
	    strace_take_file(&call->arguments[4], &file) && file.is_data)
		strace->mappings++;
	return 0;
}

static const struct {
	const char *name;
	take_call *take;
} calls[] = {
	{ "read", take_transfer },     { "pread64", take_transfer },
	{ "readv", take_transfer },    { "preadv", take_transfer },
	{ "preadv2", take_transfer },  { "write", take_transfer },
	{ "pwrite64", take_transfer }, { "writev", take_transfer },
	{ "pwritev", take_transfer },  { "pwritev2", take_transfer },
	{ "openat", take_open },       { "open", take_open },
	{ "openat2", take_open },      { "creat", take_open },
	{ "lseek", take_seek },	       { "_llseek", take_seek },
	{ "dup", take_share },	       { "dup2", take_share },
	{ "dup3", take_share },	       { "fcntl", take_share },
	{ "close", take_close },       { "clone", take_clone },
	{ "clone3", take_clone },      { "fork", take_clone },
	{ "vfork", take_clone },       { "io_uring_enter", take_ring },
	{ "mmap", take_mapping },
};

/* A whole call, at `text`. */
static int take_text(struct import *import, struct strace *strace,
		     uint64_t thread, int64_t time_ns, const char *text)
{
	struct strace_call call;
	struct occasion occasion = { thread, time_ns, &call };
	const char *wrong;
	size_t i;

	wrong = strace_take_call(text, &call);
	if (wrong)
		return import_bad(import, "%s", wrong);
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (scan_is(&call.name, calls[i].name))
			return calls[i].take(import, strace, &occasion);
	import_skip(import);
	return 0;
}

static struct unfinished *find_unfinished(struct strace *strace,
					  uint64_t thread)
{
	size_t i;

	for (i = 0; i < strace->unfinished_count; i++)
		if (strace->unfinished[i].thread == thread)
			return &strace->unfinished[i];
	return NULL;
}

static void drop_unfinished(struct strace *strace, uint64_t thread)
{
	struct unfinished *found = find_unfinished(strace, thread);

	if (found)
		*found = strace->unfinished[--strace->unfinished_count];
}

/* Keeps the first half until the other one comes. */
static int keep(struct import *import, struct strace *strace,
		const struct strace_head *head, size_t length)
{
	struct unfinished *kept = find_unfinished(strace, head->thread);

	if (length >= UNFINISHED_BYTES)
		return import_bad(import,
				  "an unfinished call of more than %d "
				  "bytes",
				  UNFINISHED_BYTES - 1);
	if (!kept && strace->unfinished_count == UNFINISHED_MAX)
		return import_bad(import, "more than %d calls under way",
				  UNFINISHED_MAX);
	if (!kept)
		kept = &strace->unfinished[strace->unfinished_count++];
	kept->thread = head->thread;
	kept->time_ns = head->time_ns;
	memcpy(kept->text, head->rest, length);
	kept->text[length] = '\0';
	import_skip(import);
	return 0;
}

static int resume(struct import *import, struct strace *strace,
		  const struct strace_head *head)
{
	struct unfinished *kept = find_unfinished(strace, head->thread);
	const char *rest = strstr(head->rest, "resumed>");
	int64_t time_ns;

	if (!kept || !rest)
		return import_bad(import, "the end of a call whose beginning "
					  "is not there");
	snprintf(strace->joined, sizeof(strace->joined), "%s%s", kept->text,
		 rest + strlen("resumed>"));
	time_ns = kept->time_ns;
	drop_unfinished(strace, head->thread);
	return take_text(import, strace, head->thread, time_ns, strace->joined);
}

static int take_line(struct import *import, void *state, char *text)
{
	struct strace *strace = state;
	struct strace_head head;
	const char *mark;

	if (!strace_take_head(text, &head)) {
		if (strncmp(text, "strace: ", 8))
			return import_bad(import, "expected [pid N] seconds "
						  "call(...) = result: strace "
						  "-f -ttt -T -yy");
		import_skip(import);
		return 0;
	}
	if (!strncmp(head.rest, "+++", 3)) {
		open_files_exit(&strace->files, head.thread);
		drop_unfinished(strace, head.thread);
	}
	if (!strncmp(head.rest, "+++", 3) || !strncmp(head.rest, "---", 3)) {
		import_skip(import);
		return 0;
	}
	if (!strncmp(head.rest, "<...", 4))
		return resume(import, strace, &head);
	/* It stands at the end; a string may hold the same text. */
	mark = strrchr(head.rest, '<');
	if (mark && !strcmp(mark, UNFINISHED_MARK))
		return keep(import, strace, &head, (size_t)(mark - head.rest));
	return take_text(import, strace, head.thread, head.time_ns, head.rest);
}

static void take_notes(struct import *import, const struct strace *strace)
{
	if (strace->rings)
		import_note(import,
			    "%llu calls of io_uring_enter: what is read "
			    "through a ring is no call that strace sees, and "
			    "is not here",
			    (unsigned long long)strace->rings);
	if (strace->mappings)
		import_note(import,
			    "files were mapped %llu times: what is read "
			    "through a mapping is not here",
			    (unsigned long long)strace->mappings);
	if (strace->nameless)
		import_note(import,
			    "%llu reads and writes name no file and are left "
			    "out: strace needs -yy",
			    (unsigned long long)strace->nameless);
	if (strace->endless)
		import_note(import,
			    "%llu requests do not say how long they took: "
			    "strace needs -T",
			    (unsigned long long)strace->endless);
	if (strace->unfinished_count)
		import_note(import,
			    "%zu calls were under way when the trace ended and "
			    "are left out",
			    strace->unfinished_count);
	if (strace->assumed)
		import_note(import,
			    "%llu requests are of files opened before the "
			    "trace began: the first place is taken to be 0",
			    (unsigned long long)strace->assumed);
}

static int refuse_nameless(struct import *import, const struct strace *strace)
{
	fault_set(import->fault, NULL, 0,
		  "names no file, in %llu reads and writes: strace needs -yy, "
		  "besides -f -ttt -T",
		  (unsigned long long)strace->nameless);
	return -EINVAL;
}

static int read_strace(struct import *import)
{
	struct strace *strace = calloc(1, sizeof(*strace));
	int error;

	if (!strace)
		return -ENOMEM;
	error = import_lines(import, take_line, strace);
	take_notes(import, strace);
	if (!error && !strace->count && strace->nameless)
		error = refuse_nameless(import, strace);
	free(strace);
	return error;
}

static bool is_call(const char *line)
{
	struct strace_head head;
	struct scan_word name;
	struct scan scan;

	if (!strace_take_head(line, &head))
		return false;
	scan.at = head.rest;
	return scan_text(&scan, "<... ") || scan_text(&scan, "+++ ") ||
	       (scan_until(&scan, "( ,", &name) && *scan.at == '(');
}

static bool fits(const char *head, size_t size, bool whole)
{
	(void)whole;
	return import_head_has(head, size, 8, is_call);
}

const struct importer import_strace = {
	.name = "strace",
	.from = "strace -f -ttt -T -yy",
	.yields = "requests: file, place, size, begin, end; not what is read "
		  "through io_uring or a mapping",
	.limits = "At most 8192 open files, 8192 threads and 256 interrupted "
		  "calls at a time.",
	.unit = "line",
	.absolute = true,
	.names_files = true,
	.fits = fits,
	.read = read_strace,
};
