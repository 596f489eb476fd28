/* SPDX-License-Identifier: MIT */
#include "analysis/trace/table.h"

#include <inttypes.h>
#include <stddef.h>

#include "sim/pipeline.h"

static const char *const kind_names[TRACE_KINDS] = { "request", "work", "batch",
						     "step", "carry" };

static const char *const stage_names[STAGE_COUNT] = { "read", "decompress",
						      "decode", "augment",
						      "collate" };

const char *trace_kind_name(uint8_t kind)
{
	return kind < TRACE_KINDS ? kind_names[kind] : "";
}

const char *trace_stage_name(uint8_t stage)
{
	return stage < STAGE_COUNT ? stage_names[stage] : "";
}

int64_t trace_event_begin_ns(const struct trace_event *event)
{
	if (event->issue_ns != TIME_UNKNOWN)
		return event->issue_ns;
	return event->start_ns != TIME_UNKNOWN ? event->start_ns :
						 event->end_ns;
}

int64_t trace_event_end_ns(const struct trace_event *event)
{
	if (event->end_ns != TIME_UNKNOWN)
		return event->end_ns;
	return event->start_ns != TIME_UNKNOWN ? event->start_ns :
						 event->issue_ns;
}

/* What a cell is made of. */
enum cell_kind { CELL_KIND, CELL_STAGE, CELL_TIME, CELL_64, CELL_32, CELL_8 };

struct column {
	const char *name;
	int width; /* for people */
	enum cell_kind kind;
	size_t offset;
};

#define AT(member) offsetof(struct trace_event, member)

static const struct column columns[] = {
	{ "kind", 8, CELL_KIND, AT(kind) },
	{ "stage", 10, CELL_STAGE, AT(stage) },
	{ "issue_ns", 15, CELL_TIME, AT(issue_ns) },
	{ "start_ns", 15, CELL_TIME, AT(start_ns) },
	{ "end_ns", 15, CELL_TIME, AT(end_ns) },
	{ "number", 10, CELL_64, AT(number) },
	{ "object", 7, CELL_32, AT(object) },
	{ "offset_bytes", 14, CELL_64, AT(offset_bytes) },
	{ "bytes", 9, CELL_64, AT(bytes) },
	{ "cached_bytes", 12, CELL_64, AT(cached_bytes) },
	{ "host", 4, CELL_32, AT(host) },
	{ "late_ns", 9, CELL_32, AT(late_ns) },
	{ "flags", 5, CELL_8, AT(flags) },
	{ "retries", 7, CELL_8, AT(retries) },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define CELL_TEXT_MAX 32

/* "" where it is not known or means nothing. */
static const char *print_cell(const struct column *column,
			      const struct trace_event *event, char *text)
{
	const char *at = (const char *)event + column->offset;

	switch (column->kind) {
	case CELL_KIND:
		return trace_kind_name(event->kind);
	case CELL_STAGE:
		return event->kind == TRACE_WORK ?
			       trace_stage_name(event->stage) :
			       "";
	case CELL_TIME:
		if (*(const int64_t *)(const void *)at == TIME_UNKNOWN)
			return "";
		snprintf(text, CELL_TEXT_MAX, "%" PRId64,
			 *(const int64_t *)(const void *)at);
		return text;
	case CELL_64:
		snprintf(text, CELL_TEXT_MAX, "%" PRIu64,
			 *(const uint64_t *)(const void *)at);
		return text;
	case CELL_32:
		snprintf(text, CELL_TEXT_MAX, "%" PRIu32,
			 *(const uint32_t *)(const void *)at);
		return text;
	default:
		snprintf(text, CELL_TEXT_MAX, "%u", *(const uint8_t *)at);
		return text;
	}
}

void trace_table_head(FILE *out, enum trace_format format)
{
	size_t i;

	if (format == TRACE_JSON_LINES)
		return;
	for (i = 0; i < COLUMNS; i++)
		if (format == TRACE_CSV)
			fprintf(out, "%s%s", i ? "," : "", columns[i].name);
		else
			fprintf(out, "%s%*s", i ? " " : "",
				columns[i].kind <= CELL_STAGE ?
					-columns[i].width :
					columns[i].width,
				columns[i].name);
	fputc('\n', out);
}

static void put_json(FILE *out, const struct column *column, const char *text)
{
	bool is_word = column->kind <= CELL_STAGE;

	fprintf(out, "\"%s\": ", column->name);
	if (!text[0])
		fputs("null", out);
	else
		fprintf(out, is_word ? "\"%s\"" : "%s", text);
}

static void put_text(FILE *out, const struct column *column, const char *text)
{
	bool is_word = column->kind <= CELL_STAGE;

	fprintf(out, "%*s", is_word ? -column->width : column->width,
		text[0] ? text : "-");
}

void trace_table_row(FILE *out, enum trace_format format,
		     const struct trace_event *event)
{
	static const char *const between[] = { " ", ",", ", " };
	char number[CELL_TEXT_MAX];
	size_t i;

	if (format == TRACE_JSON_LINES)
		fputc('{', out);
	for (i = 0; i < COLUMNS; i++) {
		const char *text = print_cell(&columns[i], event, number);

		if (i)
			fputs(between[format], out);
		if (format == TRACE_JSON_LINES)
			put_json(out, &columns[i], text);
		else if (format == TRACE_TEXT)
			put_text(out, &columns[i], text);
		else
			fputs(text, out);
	}
	fputs(format == TRACE_JSON_LINES ? "}\n" : "\n", out);
}
