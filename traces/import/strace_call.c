/* SPDX-License-Identifier: MIT */
#include "traces/import/strace_call.h"

#include <string.h>

#include "sim/trace_event.h"

bool strace_take_head(const char *line, struct strace_head *head)
{
	struct scan scan = { line };

	head->thread = 0;
	if (scan_text(&scan, "[pid")) {
		scan_blanks(&scan);
		if (!scan_whole(&scan, &head->thread) || !scan_text(&scan, "]"))
			return false;
	} else if (line[strspn(line, "0123456789")] != '.' &&
		   !scan_whole(&scan, &head->thread)) {
		return false;
	}
	scan_blanks(&scan);
	if (!strchr(scan.at, '.') || !scan_decimal(&scan, 9, &head->time_ns) ||
	    head->time_ns < 0 || *scan.at != ' ')
		return false;
	scan_blanks(&scan);
	head->rest = scan.at;
	return true;
}

/* The sign behind a string in quotes; the end when it does not close. */
static const char *behind_quotes(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : at;
}

/* The sign behind <what a descriptor stands for>, which may hold <> itself and
 * the arrow of a connection. */
static const char *behind_angles(const char *at)
{
	size_t depth = 0;

	for (; *at; at++) {
		if (*at == '<')
			depth++;
		else if (*at == '>' && at[-1] != '-' && --depth == 0)
			return at + 1;
	}
	return at;
}

/* The comma or bracket that ends an argument; the end when there is none. */
static const char *end_of_argument(const char *at)
{
	size_t depth = 0;

	while (*at) {
		if (*at == '"') {
			at = behind_quotes(at);
			continue;
		}
		/* No shift: 1<<3. */
		if (*at == '<' && at[1] != '<' && at[-1] != '<') {
			at = behind_angles(at);
			continue;
		}
		if (strchr("([{", *at))
			depth++;
		else if (!depth && strchr(",)", *at))
			return at;
		else if (depth && strchr(")]}", *at))
			depth--;
		at++;
	}
	return at;
}

/* = RESULT [ERRNO (text)] [<seconds>] */
static const char *take_result(struct scan *scan, struct strace_call *call)
{
	const char *angle;
	struct scan last;

	scan_blanks(scan);
	if (!scan_text(scan, "= "))
		return "expected = and a result behind the call";
	scan_blanks(scan);
	call->duration_ns = TIME_UNKNOWN;
	call->result_text = (struct scan_word){ scan->at, strlen(scan->at) };
	angle = strrchr(scan->at, '<');
	if (angle) {
		last.at = angle + 1;
		if (scan_decimal(&last, 9, &call->duration_ns) &&
		    scan_text(&last, ">") && scan_end(&last))
			call->result_text.length = (size_t)(angle - scan->at);
		else
			call->duration_ns = TIME_UNKNOWN;
	}
	if (call->duration_ns != TIME_UNKNOWN && call->duration_ns < 0)
		return "a call that took less than no time";
	call->returned = scan_decimal(scan, 0, &call->result);
	return NULL;
}

const char *strace_take_call(const char *text, struct strace_call *call)
{
	struct scan scan = { text };
	const char *end;
	struct scan_word *argument;

	*call = (struct strace_call){ 0 };
	if (!scan_until(&scan, "( <", &call->name) || !scan_text(&scan, "("))
		return "expected a call";
	do {
		scan_blanks(&scan);
		end = end_of_argument(scan.at);
		if (!*end)
			return "a call without its end";
		if (call->argument_count < STRACE_ARGUMENTS_MAX) {
			argument = &call->arguments[call->argument_count];
			argument->text = scan.at;
			argument->length = (size_t)(end - scan.at);
		}
		call->argument_count++;
		scan.at = end + 1;
	} while (*end == ',');
	return take_result(&scan, call);
}

/* What lies on no disk, by the name that the kernel gives it. */
static bool is_data(const struct scan_word *path)
{
	static const char *const others[] = { "/proc/", "/sys/", "/dev/" };
	size_t i, length;

	if (!path->length || path->text[0] != '/')
		return false;
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		length = strlen(others[i]);
		if (path->length >= length &&
		    !memcmp(path->text, others[i], length))
			return false;
	}
	return true;
}

bool strace_take_file(const struct scan_word *word, struct strace_file *file)
{
	struct scan scan = { word->text };
	const char *end = word->text + word->length;

	*file = (struct strace_file){ 0 };
	if (!word->length || !scan_whole(&scan, &file->descriptor))
		return false;
	if (scan.at >= end || *scan.at != '<')
		return true;
	scan.at++;
	scan_until(&scan, "<>", &file->path);
	file->is_data = is_data(&file->path) || scan_text(&scan, "<block ");
	return true;
}

bool strace_take_number(const struct strace_call *call, size_t argument,
			int64_t *number)
{
	struct scan scan;

	if (argument >= call->argument_count ||
	    argument >= STRACE_ARGUMENTS_MAX)
		return false;
	scan.at = call->arguments[argument].text;
	return scan_decimal(&scan, 0, number) &&
	       scan.at == call->arguments[argument].text +
				  call->arguments[argument].length;
}

bool strace_word_has(const struct scan_word *word, const char *text)
{
	return memmem(word->text, word->length, text, strlen(text)) != NULL;
}
