/* SPDX-License-Identifier: MIT */
#include "analysis/text_run.h"

#include "analysis/metric.h"
#include "analysis/part.h"
#include "analysis/text.h"

static void write_figures(FILE *out, const struct result *result)
{
	const struct metric *metric;
	struct metric_value value;
	char text[VALUE_TEXT_MAX];
	size_t i;

	fputc('\n', out);
	for (i = 0; i < metric_count; i++) {
		metric = &metric_table[i];
		value = metric->get(result);
		if (!value.known || (metric->live_only && !result->live))
			continue;
		fprintf(out, "%-28s%s\n", metric->name,
			value_human(metric->kind, metric->unit, value, text,
				    sizeof(text)));
	}
}

/* A part of a run, as a table's context. */
struct part_of_run {
	const struct part *part;
	const struct result *result;
};

static struct metric_value part_cell(const void *context, size_t row,
				     size_t column)
{
	const struct part_of_run *of = context;

	if (!column)
		return of->part->get_label(of->result, row);
	return of->part->metrics[column - 1].get(of->result, row);
}

#define PART_COLUMNS_MAX 16

static void write_part(FILE *out, const struct text_style *style,
		       const char *name, const char *label,
		       const struct result *result)
{
	const struct part_of_run of = { part_find(name), result };
	const struct part *part = of.part;
	struct grid_column columns[PART_COLUMNS_MAX] = {
		{ label, part->label_kind, "", NULL, FOR_ALL }
	};
	struct grid grid = {
		.columns = columns,
		.column_count = 1 + part->metric_count,
		.row_count = part->count(result),
		.context = &of,
		.cell = part_cell,
		.style = *style,
	};
	size_t i;

	for (i = 0; i < part->metric_count; i++)
		columns[i + 1] = (struct grid_column){ part->metrics[i].name,
						       part->metrics[i].kind,
						       part->metrics[i].unit,
						       NULL, FOR_ALL };
	fputc('\n', out);
	text_table(out, &grid);
}

void text_run(FILE *out, const struct text_style *style,
	      const struct result *result)
{
	write_figures(out, result);
	write_part(out, style, "stages", "stage", result);
	write_part(out, style, "storage.epochs", "epoch", result);
}
