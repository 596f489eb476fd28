/* SPDX-License-Identifier: MIT */
#include "analysis/page/table.h"

#include <string.h>

#include "analysis/metric.h"
#include "analysis/page/html.h"
#include "analysis/page/place.h"
#include "analysis/part.h"
#include "sim/check.h"

#define HEADING_MAX 256
#define PROSE_MIN 40

static bool is_number(const struct grid_column *column)
{
	return column->kind == METRIC_COUNT || column->kind == METRIC_REAL;
}

/* Headings have their words on two lines in text tables; keys have no
 * blanks. */
static void write_heading(FILE *out, const struct grid_column *column)
{
	const char *text = column->heading ? column->heading : column->name;
	char line[HEADING_MAX];
	size_t i;

	fprintf(out, "<th scope=\"col\"%s>",
		is_number(column) ? " class=\"number\"" : "");
	snprintf(line, sizeof(line), "%s", text);
	for (i = 0; line[i]; i++)
		if (line[i] == '\n' || line[i] == '_')
			line[i] = ' ';
	html_text(out, line);
	fputs("</th>", out);
}

/* Words that run on, which a table breaks into lines. */
static bool is_prose(struct metric_value value)
{
	return value.text && strlen(value.text) > PROSE_MIN;
}

static void write_cell(FILE *out, const struct grid *grid, size_t row,
		       size_t column)
{
	const struct grid_column *head = &grid->columns[column];
	struct metric_value value = grid->cell(grid->context, row, column);
	char text[VALUE_TEXT_MAX];

	fputs(!column	      ? "<th scope=\"row\">" :
	      is_number(head) ? "<td class=\"number\">" :
	      is_prose(value) ? "<td class=\"prose\">" :
				"<td>",
	      out);
	if (value.text)
		html_text(out, value.text);
	else if (value.known)
		html_text(out, value_human(head->kind, head->unit, value, text,
					   sizeof(text)));
	else if (!head->heading || head->heading[0])
		fputs("–", out);
	fputs(column ? "</td>" : "</th>", out);
}

/* A column that is empty throughout says nothing; the first names the rows. */
static bool is_shown(const struct grid *grid, size_t column)
{
	struct metric_value value;
	size_t row;

	if (grid->columns[column].audience == FOR_PROGRAMS)
		return false;
	for (row = 0; row < grid->row_count && column; row++) {
		value = grid->cell(grid->context, row, column);
		if (value.text ? value.text[0] != '\0' : value.known)
			return true;
	}
	return !column || !grid->row_count;
}

static bool is_best(const struct grid *grid, size_t row, size_t best)
{
	return row == best ||
	       (grid->tone && grid->tone(grid->context, row, 0) == TONE_BEST);
}

void page_table(FILE *out, const struct grid *grid, const char *caption,
		size_t best)
{
	bool shown[PAGE_COLUMNS_MAX];
	size_t row, column;

	CHECK(grid->column_count <= PAGE_COLUMNS_MAX);
	for (column = 0; column < grid->column_count; column++)
		shown[column] = is_shown(grid, column);

	fputs("<div class=\"table\" tabindex=\"0\"><table>\n", out);
	if (caption[0]) {
		fputs("<caption>", out);
		html_text(out, caption);
		fputs("</caption>\n", out);
	}
	fputs("<thead><tr>", out);
	for (column = 0; column < grid->column_count; column++)
		if (shown[column])
			write_heading(out, &grid->columns[column]);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (row = 0; row < grid->row_count; row++) {
		fputs(is_best(grid, row, best) ? "<tr class=\"best\">" : "<tr>",
		      out);
		for (column = 0; column < grid->column_count; column++)
			if (shown[column])
				write_cell(out, grid, row, column);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

/* A table with a row per run: its columns are metrics. */

struct runs_table {
	const struct page *page;
	const struct grid_column *columns; /* named as metrics; "": the run */
};

/* Names of runs, one at a time: a cell is written before the next is asked
 * for. */
static struct metric_value run_cell(const void *context, size_t row,
				    size_t column)
{
	static _Thread_local char name[RUN_NAME_MAX];
	const struct runs_table *table = context;
	const char *metric = table->columns[column].name;

	if (!metric[0])
		return value_text(
			page_run_name(table->page, row, name, sizeof(name)));
	return page_value(table->page, row, metric);
}

#define COLUMNS_MAX 16

static void write_runs(const struct page *page, const char *caption,
		       const struct grid_column *columns, size_t count)
{
	const struct runs_table table = { page, columns };
	struct grid_column own[COLUMNS_MAX];
	const struct grid grid = {
		.columns = own,
		.column_count = count,
		.row_count = page->run_count,
		.context = &table,
		.cell = run_cell,
	};
	const char *rank = node_text(page_run(page, page->lead), "rank");
	char keys[HEADING_MAX];

	CHECK(count <= COLUMNS_MAX);
	memcpy(own, columns, count * sizeof(*columns));
	if (page->axes)
		own[0].heading = place_keys(page->root, keys, sizeof(keys));
	page_table(page->out, &grid, caption,
		   rank && !strcmp(rank, "best") ? page->lead : SIZE_MAX);
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

void page_summary(const struct page *page)
{
	static const struct grid_column judged[] = {
		{ "", METRIC_TEXT, "", "strategy", FOR_ALL },
		{ "rank", METRIC_TEXT, "", "", FOR_ALL },
		{ "au", METRIC_REAL, "%", "AU %", FOR_ALL },
		{ "au_sustained", METRIC_REAL, "%", "sustained AU %", FOR_ALL },
		{ "useful_au", METRIC_REAL, "%", "useful AU %", FOR_ALL },
		{ "time_to_target_s", METRIC_REAL, "s", "time to target",
		  FOR_ALL },
		{ "speedup", METRIC_REAL, "x", "speed-up", FOR_ALL },
		{ "gain", METRIC_REAL, "x", "gain", FOR_ALL },
		{ "efficiency", METRIC_REAL, "x", "efficiency", FOR_ALL },
		{ "mean_factor", METRIC_REAL, "x", "factor", FOR_ALL },
		{ "steps_per_s", METRIC_REAL, "#", "steps/s", FOR_ALL },
		{ "examples_per_s", METRIC_REAL, "#", "examples/s", FOR_ALL },
		{ "fresh_examples_per_s", METRIC_REAL, "#", "fresh/s",
		  FOR_ALL },
		{ "burst.lasts_s", METRIC_REAL, "s", "credit lasts", FOR_ALL },
		{ "sustained.time_to_target_s", METRIC_REAL, "s",
		  "sustained time to target", FOR_ALL },
		{ "sustained.speedup", METRIC_REAL, "x", "sustained speed-up",
		  FOR_ALL },
	};
	static const struct grid_column counted[] = {
		{ "", METRIC_TEXT, "", "strategy", FOR_ALL },
		{ "au", METRIC_REAL, "%", "AU %", FOR_ALL },
		{ "au_sustained", METRIC_REAL, "%", "sustained AU %", FOR_ALL },
		{ "idle_fraction", METRIC_REAL, "%", "idle %", FOR_ALL },
		{ "steps_per_s", METRIC_REAL, "#", "steps/s", FOR_ALL },
		{ "examples_per_s", METRIC_REAL, "#", "examples/s", FOR_ALL },
		{ "fresh_examples_per_s", METRIC_REAL, "#", "fresh/s",
		  FOR_ALL },
		{ "mean_factor", METRIC_REAL, "x", "factor", FOR_ALL },
		{ "burst.lasts_s", METRIC_REAL, "s", "credit lasts", FOR_ALL },
	};

	if (page->judged)
		write_runs(page, page->axes ? "Every point" : "Every strategy",
			   judged, COUNT_OF(judged));
	else
		write_runs(page, page->axes ? "Every point" : "Every strategy",
			   counted, COUNT_OF(counted));
}

void page_causes(const struct page *page)
{
	static const struct grid_column columns[] = {
		{ "", METRIC_TEXT, "", "strategy", FOR_ALL },
		{ "au", METRIC_REAL, "%", "busy %", FOR_ALL },
		{ "stalls.fetch", METRIC_REAL, "%", "fetch %", FOR_ALL },
		{ "stalls.prep", METRIC_REAL, "%", "prep %", FOR_ALL },
		{ "stalls.other", METRIC_REAL, "%", "other %", FOR_ALL },
		{ "bottleneck.resource", METRIC_TEXT, "", "bottleneck",
		  FOR_ALL },
		{ "bottleneck.gain_per_10pct", METRIC_REAL, "%",
		  "gain of 10 % more, %", FOR_ALL },
		{ "bottleneck.next", METRIC_TEXT, "", "next", FOR_ALL },
	};

	write_runs(page, "What the accelerators' time went to", columns,
		   COUNT_OF(columns));
}

void page_latency(const struct page *page)
{
	static const struct grid_column columns[] = {
		{ "", METRIC_TEXT, "", "strategy", FOR_ALL },
		{ "storage.latency_s.p50", METRIC_REAL, "s", "p50", FOR_ALL },
		{ "storage.latency_s.p90", METRIC_REAL, "s", "p90", FOR_ALL },
		{ "storage.latency_s.p99", METRIC_REAL, "s", "p99", FOR_ALL },
		{ "storage.latency_s.p999", METRIC_REAL, "s", "p99.9",
		  FOR_ALL },
		{ "storage.latency_s.max", METRIC_REAL, "s", "max", FOR_ALL },
		{ "storage.requests_per_s", METRIC_REAL, "1/s", "requests",
		  FOR_ALL },
		{ "storage.bytes_per_s", METRIC_REAL, "B/s", "bytes", FOR_ALL },
		{ "storage.queue_depth_mean", METRIC_REAL, "#", "in flight",
		  FOR_ALL },
		{ "storage.cache_hit_rate", METRIC_REAL, "%", "cache hits %",
		  FOR_ALL },
	};

	write_runs(page, "Requests to storage", columns, COUNT_OF(columns));
}

void page_modes(const struct page *page)
{
	static const struct grid_column columns[] = {
		{ "", METRIC_TEXT, "", "run", FOR_ALL },
		{ "au", METRIC_REAL, "%", "AU %", FOR_ALL },
		{ "steps_per_s", METRIC_REAL, "#", "steps/s", FOR_ALL },
		{ "fresh_examples_per_s", METRIC_REAL, "#", "fresh/s",
		  FOR_ALL },
		{ "storage.latency_s.p50", METRIC_REAL, "s", "latency p50",
		  FOR_ALL },
		{ "throttle.late_fraction", METRIC_REAL, "%", "late reads %",
		  FOR_ALL },
		{ "throttle.verdict", METRIC_TEXT, "", "throttle", FOR_ALL },
	};

	write_runs(page, "Simulated and live", columns, COUNT_OF(columns));
}

void page_digests(const struct page *page)
{
	static const struct grid_column columns[] = {
		{ "", METRIC_TEXT, "", "run", FOR_ALL },
		{ "digest", METRIC_DIGEST, "", NULL, FOR_ALL },
	};

	write_runs(page, "Digests: of every decision of a run", columns,
		   COUNT_OF(columns));
}

/* The members of a part of one run. */

struct part_table {
	const struct part *part;
	const struct node *members;
};

static struct metric_value member_cell(const void *context, size_t row,
				       size_t column)
{
	const struct part_table *table = context;
	const struct node *member = node_item(table->members, row);
	const struct part_metric *metric;

	if (!column)
		return node_value(node_at(member, table->part->label),
				  table->part->label_kind);
	metric = &table->part->metrics[column - 1];
	return node_value(node_at(member, metric->name), metric->kind);
}

#define PART_COLUMNS_MAX 16

static void write_part(const struct page *page, size_t run, const char *name)
{
	const struct part *part = part_find(name);
	const struct part_table table = { part, node_at(page_run(page, run),
							part->name) };
	struct grid_column columns[PART_COLUMNS_MAX] = {
		{ part->label, part->label_kind, "", NULL, FOR_ALL }
	};
	const struct grid grid = {
		.columns = columns,
		.column_count = 1 + part->metric_count,
		.row_count = node_count(table.members),
		.context = &table,
		.cell = member_cell,
	};
	char caption[RUN_NAME_MAX + 32], run_name[RUN_NAME_MAX];
	size_t i;

	if (!grid.row_count)
		return;
	for (i = 0; i < part->metric_count; i++)
		columns[i + 1] = (struct grid_column){ part->metrics[i].name,
						       part->metrics[i].kind,
						       part->metrics[i].unit,
						       NULL, FOR_ALL };
	snprintf(caption, sizeof(caption), "%s of %s", name,
		 page_run_name(page, run, run_name, sizeof(run_name)));
	page_table(page->out, &grid, caption, SIZE_MAX);
}

void page_stages(const struct page *page, size_t run)
{
	write_part(page, run, "stages");
	write_part(page, run, "storage.epochs");
}

/* Every row of the metric table, a column per run. */

static void write_figure_row(const struct page *page,
			     const struct metric *metric)
{
	char text[VALUE_TEXT_MAX];
	struct metric_value value;
	size_t run;

	fputs("<tr><th scope=\"row\" title=\"", page->out);
	html_text(page->out, metric->help);
	fputs("\">", page->out);
	html_text(page->out, metric->name);
	fputs("</th>", page->out);
	for (run = 0; run < page->run_count; run++) {
		value = page_value(page, run, metric->name);
		fputs("<td class=\"number\">", page->out);
		html_text(page->out,
			  value.known ? value_human(metric->kind, metric->unit,
						    value, text, sizeof(text)) :
					"–");
		fputs("</td>", page->out);
	}
	fputs("</tr>\n", page->out);
}

void page_figures(const struct page *page)
{
	char name[RUN_NAME_MAX];
	size_t run, i;

	fputs("<div class=\"table\" tabindex=\"0\"><table>\n"
	      "<caption>Every figure of every run</caption>\n"
	      "<thead><tr><th scope=\"col\">figure</th>",
	      page->out);
	for (run = 0; run < page->run_count; run++) {
		fputs("<th scope=\"col\" class=\"number\">", page->out);
		html_text(page->out,
			  page_run_name(page, run, name, sizeof(name)));
		fputs("</th>", page->out);
	}
	fputs("</tr></thead>\n<tbody>\n", page->out);
	for (i = 0; i < metric_count; i++)
		if (metric_table[i].kind != METRIC_PART &&
		    (page->live || !metric_table[i].live_only))
			write_figure_row(page, &metric_table[i]);
	fputs("</tbody></table></div>\n", page->out);
}
