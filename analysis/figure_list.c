/* SPDX-License-Identifier: MIT */
#include "analysis/figure_list.h"

#include <string.h>

#include "analysis/page/page.h"
#include "analysis/text.h"
#include "sim/check.h"

#define NAME_WIDTH 28

void figure_list_add(struct figure_list *list, const char *name,
		     enum metric_kind kind, const char *unit,
		     struct metric_value value)
{
	CHECK(list->count < FIGURES_LISTED_MAX);
	list->figures[list->count++] =
		(struct listed_figure){ name, kind, unit, value };
}

static int write_text(FILE *out, const struct figure_list *list,
		      const struct grid *grids, size_t grid_count)
{
	char text[VALUE_TEXT_MAX];
	int error = 0;
	size_t i;

	for (i = 0; i < list->count; i++) {
		const struct listed_figure *figure = &list->figures[i];
		const char *words = value_human(figure->kind, figure->unit,
						figure->value, text,
						sizeof(text));

		fprintf(out, "%-*s ", NAME_WIDTH, figure->name);
		text_put(out, words, strlen(words));
		fputc('\n', out);
	}
	for (i = 0; i < grid_count && !error; i++) {
		if (!grids[i].row_count)
			continue;
		fprintf(out, "\n%s\n", grids[i].name);
		error = text_grid(out, &grids[i]);
	}
	return error;
}

static int write_json(FILE *out, const struct figure_list *list,
		      const struct grid *grids, size_t grid_count)
{
	struct host_fact facts[FIGURES_LISTED_MAX];
	size_t i;

	for (i = 0; i < list->count; i++)
		facts[i] = (struct host_fact){ list->figures[i].name,
					       list->figures[i].kind,
					       list->figures[i].value };
	return json_facts(out, facts, list->count, grids, grid_count);
}

static struct metric_value exact_cell(const void *context, size_t row,
				      size_t column)
{
	const struct figure_list *list = context;
	const struct listed_figure *figure = &list->figures[row];
	static _Thread_local char text[VALUE_TEXT_MAX];

	if (!column)
		return value_text(figure->name);
	return value_text(
		value_exact(figure->kind, figure->value, text, sizeof(text)));
}

static int write_csv(FILE *out, const struct figure_list *list)
{
	static const struct grid_column columns[] = {
		{ "figure", METRIC_TEXT, "", NULL, FOR_ALL },
		{ "value", METRIC_TEXT, "", NULL, FOR_ALL },
	};
	const struct grid grid = { .name = "figures",
				   .columns = columns,
				   .column_count = 2,
				   .row_count = list->count,
				   .context = list,
				   .cell = exact_cell };

	return csv_grid(out, &grid);
}

struct figures_and_grids {
	const struct figure_list *list;
	const struct grid *grids;
	size_t grid_count;
};

static int write_for_page(FILE *out, const void *what)
{
	const struct figures_and_grids *all = what;

	return write_json(out, all->list, all->grids, all->grid_count);
}

int figure_list_write(FILE *out, const struct report_format *format,
		      const struct figure_list *list, const struct grid *grids,
		      size_t grid_count)
{
	if (!strcmp(format->name, "json"))
		return write_json(out, list, grids, grid_count);
	if (!strcmp(format->name, "csv"))
		return write_csv(out, list);
	if (!strcmp(format->name, "html"))
		return page_of_json(out, write_for_page,
				    &(struct figures_and_grids){ list, grids,
								 grid_count });
	return write_text(out, list, grids, grid_count);
}
