/* SPDX-License-Identifier: MIT */
#include "analysis/print/text_table.h"

#include <string.h>

#include "analysis/text.h"

#define GAP 2 /* blanks between columns */

/* How a table is laid out: the width of each column that stands in line. The
 * last columns may stand below instead. */
struct shape {
	const struct cells *cells;
	const struct text_style *style;
	size_t widths[CELLS_COLUMNS_MAX];
	size_t count;
	size_t inline_count;
	size_t gap;
	size_t columns_max;
};

/* The heading's line 0 or 1: where it starts and how long it is. */
static const char *heading(const struct cells *cells, size_t column, int line,
			   size_t *length)
{
	const char *text = cells_heading(cells->columns[column]);

	if (line) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	*length = strcspn(text, "\n");
	return text;
}

static size_t heading_width(const struct cells *cells, size_t column)
{
	size_t width = 0, length;
	int line;

	for (line = 0; line < 2; line++) {
		heading(cells, column, line, &length);
		width = length > width ? length : width;
	}
	return width;
}

static size_t width_of(const struct cells *cells, size_t column)
{
	char text[VALUE_TEXT_MAX];
	size_t width = heading_width(cells, column), length, row;

	for (row = 0; row < cells->row_count; row++) {
		length = strlen(cells_text(cells, row, column, text));
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
	return cells_is_words(shape->cells->columns[at]) &&
	       shape->widths[at] > shape->columns_max / 3;
}

/* Gives way where the table is too wide: the words of the last columns go
 * below, then the gaps shrink, then the first column is cut short of its
 * longest cells, but not of its heading. */
static void squeeze(struct shape *shape)
{
	size_t over, least;

	while (shape->inline_count > 1 &&
	       total_width(shape) > shape->columns_max &&
	       is_long_words(shape, shape->inline_count - 1))
		shape->inline_count--;
	if (total_width(shape) > shape->columns_max)
		shape->gap = 1;
	if (total_width(shape) <= shape->columns_max)
		return;
	over = total_width(shape) - shape->columns_max;
	least = heading_width(shape->cells, 0);
	if (shape->widths[0] > least + over)
		shape->widths[0] -= over;
	else
		shape->widths[0] = least;
}

static struct shape shape_of(const struct cells *cells,
			     const struct text_style *style)
{
	struct shape shape = { .cells = cells, .style = style, .gap = GAP };
	size_t i;

	shape.columns_max = style->columns ? style->columns : TEXT_COLUMNS;
	shape.count = cells->column_count;
	for (i = 0; i < shape.count; i++)
		shape.widths[i] = width_of(cells, i);
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
	const struct text_style *style = shape->style;
	size_t width = shape->widths[at];
	size_t space = width > length ? width - length : 0;
	bool words = cells_is_words(shape->cells->columns[at]);

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
		heading(shape->cells, at, line, &length);
		any |= length > 0;
	}
	if (!any)
		return;
	for (at = 0; at < shape->inline_count; at++) {
		text = heading(shape->cells, at, line, &length);
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
		text = cells_text(shape->cells, row, at, buffer);
		snprintf(first, sizeof(first), "    %s%s",
			 named ? cells_heading(shape->cells->columns[at]) : "",
			 named ? ": " : "");
		text_paragraph(out, first, "    ", text);
	}
}

static void write_row(FILE *out, const struct shape *shape, size_t row)
{
	char buffer[VALUE_TEXT_MAX];
	size_t pending = 0, at;
	enum text_tone tone;
	const char *text;

	for (at = 0; at < shape->inline_count; at++) {
		text = cells_text(shape->cells, row, at, buffer);
		tone = cells_tone(shape->cells, row, at);
		if (!at && strlen(text) > shape->widths[0]) {
			fputs(text_tone_begin(shape->style, tone), out);
			text_put(out, text, strlen(text));
			fprintf(out, "%s\n", text_tone_end(shape->style, tone));
			text = "";
		}
		put(out, shape, at, tone, text, strlen(text), &pending);
	}
	fputc('\n', out);
	write_below(out, shape, row);
}

void text_cells(FILE *out, const struct cells *cells,
		const struct text_style *style)
{
	struct shape shape = shape_of(cells, style);
	size_t row;

	write_heading(out, &shape, 0);
	write_heading(out, &shape, 1);
	for (row = 0; row < cells->row_count; row++)
		write_row(out, &shape, row);
}
