/* SPDX-License-Identifier: MIT */
/* Comma-separated values as RFC 4180 has them, lines ended by a newline. */
#include <string.h>

#include "analysis/format.h"
#include "analysis/metric.h"

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

static void write_stages_header(FILE *out)
{
	size_t stage, i;

	for (stage = 0; stage < STAGE_COUNT; stage++)
		for (i = 0; i < stage_metric_count; i++)
			fprintf(out, "%sstages.%s.%s", stage + i ? "," : "",
				metric_stage((enum stage_name)stage),
				stage_metric_name(&stage_metric_table[i]));
}

static void write_stages(FILE *out, const struct result *result)
{
	const struct stage_metric *metric;
	size_t stage, i;

	for (stage = 0; stage < STAGE_COUNT; stage++) {
		for (i = 0; i < stage_metric_count; i++) {
			metric = &stage_metric_table[i];
			if (stage + i)
				fputc(',', out);
			write_value(out, metric->kind,
				    metric->get(result,
						(enum stage_name)stage));
		}
	}
}

static void write_header(FILE *out)
{
	size_t i;

	for (i = 0; i < metric_count; i++) {
		if (i)
			fputc(',', out);
		if (metric_table[i].kind == METRIC_STAGES)
			write_stages_header(out);
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
		if (i)
			fputc(',', out);
		if (metric->kind == METRIC_STAGES)
			write_stages(out, result);
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
