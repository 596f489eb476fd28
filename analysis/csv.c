/* SPDX-License-Identifier: MIT */
/* Comma-separated values as RFC 4180 has them, lines ended by a newline. */
#include <string.h>

#include "analysis/format.h"
#include "analysis/metric.h"
#include "analysis/part.h"

static void write_field(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void write_value(FILE *out, enum metric_kind kind,
			struct metric_value value)
{
	char text[VALUE_TEXT_MAX];

	write_field(out, value_exact(kind, value, text, sizeof(text)));
}

/* A figure of every member that any run has: so each has a column. */
static void write_part_header(FILE *out, const struct part *part)
{
	char text[VALUE_TEXT_MAX];
	const char *label;
	size_t member, i;

	for (member = 0; member < part->always; member++) {
		label = value_exact(part->label_kind,
				    part->get_label(NULL, member), text,
				    sizeof(text));
		for (i = 0; i < part->metric_count; i++)
			fprintf(out, "%s%s.%s.%s", member + i ? "," : "",
				part->name, label, part->metrics[i].name);
	}
}

static void write_part(FILE *out, const struct part *part,
		       const struct result *result)
{
	size_t member, i;

	for (member = 0; member < part->always; member++) {
		for (i = 0; i < part->metric_count; i++) {
			if (member + i)
				fputc(',', out);
			write_value(out, part->metrics[i].kind,
				    part->metrics[i].get(result, member));
		}
	}
}

/* The part of a row; NULL when it is a figure. */
static const struct part *part_of(const struct metric *metric)
{
	return metric->kind == METRIC_PART ? part_find(metric->name) : NULL;
}

/* Lines hold figures that every run has. */
static bool has_column(const struct metric *metric)
{
	return metric->kind != METRIC_PART || part_of(metric)->always;
}

static void write_header(FILE *out)
{
	size_t i;

	for (i = 0; i < metric_count; i++) {
		if (!has_column(&metric_table[i]))
			continue;
		if (i)
			fputc(',', out);
		if (part_of(&metric_table[i]))
			write_part_header(out, part_of(&metric_table[i]));
		else
			write_field(out, metric_table[i].name);
	}
	fputc('\n', out);
}

static void write_run(FILE *out, const struct result *result)
{
	const struct metric *metric;
	size_t i;

	for (i = 0; i < metric_count; i++) {
		metric = &metric_table[i];
		if (!has_column(metric))
			continue;
		if (i)
			fputc(',', out);
		if (part_of(metric))
			write_part(out, part_of(metric), result);
		else if (result->live || !metric->live_only)
			write_value(out, metric->kind, metric->get(result));
	}
	fputc('\n', out);
}

int csv_report(FILE *out, const struct report *report)
{
	size_t i;

	write_header(out);
	for (i = 0; i < report->run_count; i++)
		write_run(out, report->runs[i]);
	return 0;
}

int csv_grid(FILE *out, const struct grid *grid)
{
	size_t row, column;

	for (column = 0; column < grid->column_count; column++) {
		if (grid->columns[column].audience == FOR_PEOPLE)
			continue;
		if (column)
			fputc(',', out);
		write_field(out, grid->columns[column].name);
	}
	fputc('\n', out);
	for (row = 0; row < grid->row_count; row++) {
		for (column = 0; column < grid->column_count; column++) {
			if (grid->columns[column].audience == FOR_PEOPLE)
				continue;
			if (column)
				fputc(',', out);
			write_value(out, grid->columns[column].kind,
				    grid->cell(grid->context, row, column));
		}
		fputc('\n', out);
	}
	return 0;
}
