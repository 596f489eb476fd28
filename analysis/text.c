/* SPDX-License-Identifier: MIT */
#include "analysis/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "sim/check.h"
#include "sim/printable.h"

#define TABLE_COLUMNS_MAX 16
#define GAP 2 /* blanks between columns */

/* How a table is laid out: the width of each column that stands in line. The
 * last columns may stand below instead. */
struct shape {
	const struct grid *grid;
	size_t columns[TABLE_COLUMNS_MAX]; /* of the grid, those shown */
	size_t widths[TABLE_COLUMNS_MAX];
	size_t count;
	size_t inline_count;
	size_t gap;
	size_t columns_max;
};

static const char *const tones[] = {
	[TONE_PLAIN] = "",
	[TONE_BEST] = "\033[1;32m",
	[TONE_WARNING] = "\033[33m",
};

const char *text_tone_begin(const struct text_style *style, enum text_tone tone)
{
	return style->color ? tones[tone] : "";
}

const char *text_tone_end(const struct text_style *style, enum text_tone tone)
{
	return style->color && tone ? "\033[m" : "";
}

void text_put(FILE *out, const char *words, size_t length)
{
	const char *end = words + length;
	size_t bytes;
	bool shown;

	for (; words < end; words += bytes) {
		bytes = printable_next(words, &shown);
		if (shown)
			fwrite(words, 1, bytes, out);
		else
			fputc('?', out);
	}
}

static bool is_words(const struct grid *grid, size_t column)
{
	enum metric_kind kind = grid->columns[column].kind;

	return kind == METRIC_TEXT || kind == METRIC_BOOL;
}

static const char *cell(const struct grid *grid, size_t row, size_t column,
			char *text)
{
	return value_human(grid->columns[column].kind,
			   grid->columns[column].unit,
			   grid->cell(grid->context, row, column), text,
			   VALUE_TEXT_MAX);
}

/* The heading's line 0 or 1: where it starts and how long it is. */
static const char *heading(const struct grid *grid, size_t column, int line,
			   size_t *length)
{
	const char *text = grid->columns[column].heading;

	if (!text)
		text = grid->columns[column].name;
	if (line) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	*length = strcspn(text, "\n");
	return text;
}

static size_t width_of(const struct grid *grid, size_t column)
{
	char text[VALUE_TEXT_MAX];
	size_t width = 0, length, row;
	int line;

	for (line = 0; line < 2; line++) {
		heading(grid, column, line, &length);
		width = length > width ? length : width;
	}
	for (row = 0; row < grid->row_count; row++) {
		length = strlen(cell(grid, row, column, text));
		width = length > width ? length : width;
	}
	return width;
}

static size_t total_width(const struct shape *shape)
{
	size_t total = 0, i;

	for (i = 0; i < shape->inline_count; i++)
		total += shape->widths[i] + (i ? shape->gap : 0);
	return total;
}

static bool is_long_words(const struct shape *shape, size_t at)
{
	return is_words(shape->grid, shape->columns[at]) &&
	       shape->widths[at] > shape->columns_max / 3;
}

/* Gives way where the table is too wide: the words of the last columns go
 * below, then the gaps shrink, then the first column is cut short of its
 * longest cells. */
static void squeeze(struct shape *shape)
{
	size_t over;

	while (shape->inline_count > 1 &&
	       total_width(shape) > shape->columns_max &&
	       is_long_words(shape, shape->inline_count - 1))
		shape->inline_count--;
	if (total_width(shape) > shape->columns_max)
		shape->gap = 1;
	if (total_width(shape) <= shape->columns_max)
		return;
	over = total_width(shape) - shape->columns_max;
	shape->widths[0] -= over < shape->widths[0] ? over : shape->widths[0];
}

static struct shape shape_of(const struct grid *grid)
{
	struct shape shape = { .grid = grid, .gap = GAP };
	size_t columns = grid->style.columns;
	size_t i;

	shape.columns_max = columns ? columns : TEXT_COLUMNS;
	for (i = 0; i < grid->column_count; i++) {
		if (grid->columns[i].audience == FOR_PROGRAMS)
			continue;
		CHECK(shape.count < TABLE_COLUMNS_MAX);
		shape.columns[shape.count] = i;
		shape.widths[shape.count++] = width_of(grid, i);
	}
	shape.inline_count = shape.count;
	squeeze(&shape);
	return shape;
}

/* Writes a cell, words from the left edge of their column, numbers up to the
 * right one. `pending` are blanks owed to the line: it never ends in one. */
static void put(FILE *out, const struct shape *shape, size_t at,
		enum text_tone tone, const char *text, size_t length,
		size_t *pending)
{
	const struct text_style *style = &shape->grid->style;
	size_t width = shape->widths[at];
	size_t space = width > length ? width - length : 0;
	bool words = is_words(shape->grid, shape->columns[at]);

	*pending += (at ? shape->gap : 0) + (words ? 0 : space);
	if (length) {
		fprintf(out, "%*s%s", (int)*pending, "",
			text_tone_begin(style, tone));
		text_put(out, text, length);
		fputs(text_tone_end(style, tone), out);
		*pending = 0;
	}
	*pending += words ? space : 0;
}

static void write_heading(FILE *out, const struct shape *shape, int line)
{
	size_t pending = 0, length, at;
	const char *text;
	bool any = false;

	for (at = 0; at < shape->inline_count; at++) {
		heading(shape->grid, shape->columns[at], line, &length);
		any |= length > 0;
	}
	if (!any)
		return;
	for (at = 0; at < shape->inline_count; at++) {
		text = heading(shape->grid, shape->columns[at], line, &length);
		put(out, shape, at, TONE_PLAIN, text, length, &pending);
	}
	fputc('\n', out);
}

/* Several columns below a row are told apart by their names. */
static void write_below(FILE *out, const struct shape *shape, size_t row)
{
	bool named = shape->count > shape->inline_count + 1;
	char buffer[VALUE_TEXT_MAX], first[64];
	const char *text;
	size_t at;

	for (at = shape->inline_count; at < shape->count; at++) {
		text = cell(shape->grid, row, shape->columns[at], buffer);
		snprintf(first, sizeof(first), "    %s%s",
			 named ? shape->grid->columns[shape->columns[at]].name :
				 "",
			 named ? ": " : "");
		text_paragraph(out, first, "    ", text);
	}
}

static enum text_tone tone_of(const struct grid *grid, size_t row,
			      size_t column)
{
	return grid->tone ? grid->tone(grid->context, row, column) : TONE_PLAIN;
}

static void write_row(FILE *out, const struct shape *shape, size_t row)
{
	char buffer[VALUE_TEXT_MAX];
	size_t pending = 0, at;
	enum text_tone tone;
	const char *text;

	for (at = 0; at < shape->inline_count; at++) {
		text = cell(shape->grid, row, shape->columns[at], buffer);
		tone = tone_of(shape->grid, row, shape->columns[at]);
		if (!at && strlen(text) > shape->widths[0]) {
			fputs(text_tone_begin(&shape->grid->style, tone), out);
			text_put(out, text, strlen(text));
			fprintf(out, "%s\n",
				text_tone_end(&shape->grid->style, tone));
			text = "";
		}
		put(out, shape, at, tone, text, strlen(text), &pending);
	}
	fputc('\n', out);
	write_below(out, shape, row);
}

void text_table(FILE *out, const struct grid *grid)
{
	struct shape shape = shape_of(grid);
	size_t row;

	write_heading(out, &shape, 0);
	write_heading(out, &shape, 1);
	for (row = 0; row < grid->row_count; row++)
		write_row(out, &shape, row);
}

/* Columns that a text takes, colour in it aside. */
static size_t visible(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		if (*text == '\033')
			text += strcspn(text, "m");
		else
			columns++;
	return columns;
}

void text_paragraph(FILE *out, const char *first, const char *rest,
		    const char *words)
{
	text_paragraph_within(out, TEXT_COLUMNS, first, rest, words);
}

void text_paragraph_within(FILE *out, size_t columns, const char *first,
			   const char *rest, const char *words)
{
	size_t used = visible(first), length;
	bool line_start = true;

	fputs(first, out);
	for (; *words; words += length + (words[length] == ' ')) {
		length = strcspn(words, " ");
		if (!line_start && used + 1 + length > columns) {
			fprintf(out, "\n%s", rest);
			used = strlen(rest);
			line_start = true;
		}
		if (!line_start)
			fputc(' ', out);
		text_put(out, words, length);
		used += length + !line_start;
		line_start = false;
	}
	fputc('\n', out);
}

void text_append(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + used, size - used, format, arguments);
	va_end(arguments);
}
