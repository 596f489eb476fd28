/* SPDX-License-Identifier: MIT */
#include "analysis/print/page_table.h"

#include <string.h>

#include "analysis/page/html.h"

#define HEADING_MAX 256
#define PROSE_MIN 40
#define ROWS_MAX 10000 /* more nobody reads */

static bool is_number(const struct view_column *column)
{
	return column->kind == METRIC_COUNT || column->kind == METRIC_REAL;
}

/* Headings have their words on two lines in text tables; keys have no
 * blanks. */
static void write_words(FILE *out, const char *text)
{
	char line[HEADING_MAX];
	size_t i;

	snprintf(line, sizeof(line), "%s", text);
	for (i = 0; line[i]; i++)
		if (line[i] == '\n' || line[i] == '_')
			line[i] = ' ';
	html_text(out, line);
}

static void begin_table(FILE *out, const struct view *view)
{
	fputs("<div class=\"table\" tabindex=\"0\"><table>\n", out);
	if (view->title) {
		fputs("<caption>", out);
		html_text(out, view->title);
		fputs("</caption>\n", out);
	}
	fputs("<thead><tr>", out);
}

static void end_table(FILE *out, const struct view *view)
{
	fputs("</tbody></table></div>\n", out);
	if (!view->about)
		return;
	fputs("<p>", out);
	html_text(out, view->about);
	fputs("</p>\n", out);
}

/* The first column names the rows, and stands to the left. */
static void write_heading(FILE *out, const struct view_column *column,
			  bool first)
{
	fprintf(out, "<th scope=\"col\"%s>",
		is_number(column) && !first ? " class=\"number\"" : "");
	write_words(out, cells_heading(column));
	fputs("</th>", out);
}

/* Words that run on, which a table breaks into lines. */
static bool is_prose(const char *text)
{
	return strlen(text) > PROSE_MIN;
}

static void write_cell(FILE *out, const struct cells *cells, size_t row,
		       size_t column)
{
	const struct view_column *head = cells->columns[column];
	bool known = node_at(cells_item(cells, row), head->path);
	char buffer[VALUE_TEXT_MAX];
	const char *text = cells_text(cells, row, column, buffer);

	fputs(!column	      ? "<th scope=\"row\">" :
	      is_number(head) ? "<td class=\"number\">" :
	      is_prose(text)  ? "<td class=\"prose\">" :
				"<td>",
	      out);
	html_text(out, known || !*text ? text : "–");
	fputs(column ? "</td>" : "</th>", out);
}

/* A column that is empty throughout says nothing; the first names the rows. */
static bool is_empty(const struct cells *cells, size_t column)
{
	const struct node *node;
	size_t row;

	for (row = 0; row < cells->row_count && column; row++) {
		node = node_at(cells_item(cells, row),
			       cells->columns[column]->path);
		if (node && strcmp(node_value(node, METRIC_TEXT).known ?
					   node_value(node, METRIC_TEXT).text :
					   "-",
				   "") != 0)
			return false;
	}
	return column && cells->row_count;
}

/* Without the columns that are empty. */
static struct cells filled(const struct cells *cells)
{
	struct cells filled = *cells;
	size_t column;

	filled.column_count = 0;
	for (column = 0; column < cells->column_count; column++)
		if (!is_empty(cells, column))
			filled.columns[filled.column_count++] =
				cells->columns[column];
	if (filled.row_count > ROWS_MAX)
		filled.row_count = ROWS_MAX;
	return filled;
}

void page_rows(FILE *out, const struct cells *all)
{
	const struct cells cells = filled(all);
	size_t row, column;

	begin_table(out, cells.view);
	for (column = 0; column < cells.column_count; column++)
		write_heading(out, cells.columns[column], !column);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (row = 0; row < cells.row_count; row++) {
		fputs(cells_tone(&cells, row, 0) == TONE_BEST ?
			      "<tr class=\"best\">" :
			      "<tr>",
		      out);
		for (column = 0; column < cells.column_count; column++)
			write_cell(out, &cells, row, column);
		fputs("</tr>\n", out);
	}
	end_table(out, cells.view);
}

/* The head of a row that is named after a column. */
static void write_row_head(FILE *out, const struct view_column *column)
{
	fputs("<tr><th scope=\"row\"", out);
	if (column->help) {
		fputs(" title=\"", out);
		html_text(out, column->help);
		fputc('"', out);
	}
	fputc('>', out);
	html_text(out, cells_heading(column));
	fputs("</th>", out);
}

void page_across(FILE *out, const struct cells *all)
{
	const struct cells cells = filled(all);
	const char *label = cells.view->label;
	char text[VALUE_TEXT_MAX];
	size_t row, column;

	begin_table(out, cells.view);
	fputs("<th scope=\"col\">figure</th>", out);
	for (row = 0; row < cells.row_count; row++) {
		fputs("<th scope=\"col\" class=\"number\">", out);
		html_text(out,
			  label ? node_text(cells_item(&cells, row), label) :
				  "value");
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	for (column = 0; column < cells.column_count; column++) {
		write_row_head(out, cells.columns[column]);
		for (row = 0; row < cells.row_count; row++) {
			fputs("<td class=\"number\">", out);
			html_text(out, cells_text(&cells, row, column, text));
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	end_table(out, cells.view);
}

void page_facts(FILE *out, const struct view *view, const struct node *object)
{
	const struct view_column *column;
	char text[VALUE_TEXT_MAX];
	size_t i;

	begin_table(out, view);
	fputs("<th scope=\"col\">figure</th><th scope=\"col\">value</th>"
	      "</tr></thead>\n<tbody>\n",
	      out);
	for (i = 0; i < view->column_count; i++) {
		column = &view->columns[i];
		if (!is_for(column->audience, SEEN_IN_PAGE) ||
		    !node_at(object, column->path))
			continue;
		write_row_head(out, column);
		fputs("<td>", out);
		html_text(out, node_human(object, column, text));
		fputs("</td></tr>\n", out);
	}
	end_table(out, view);
}
