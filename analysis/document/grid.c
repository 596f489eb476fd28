/* SPDX-License-Identifier: MIT */
#include "analysis/document/grid.h"

#include "analysis/version.h"

void document_rows(struct document *document, const struct grid *grid)
{
	struct node *list =
		document_list(document, document_data(document), grid->name);
	struct node *item;
	size_t row, i;

	for (row = 0; row < grid->row_count; row++) {
		item = document_item(document, list);
		for (i = 0; i < grid->column_count; i++)
			document_set(document, item, grid->columns[i].path,
				     grid->columns[i].kind,
				     grid->cell(grid->context, row, i));
	}
}

static void add_view(struct document *document, const struct grid *grid,
		     const char *title)
{
	document_view(document, &(struct view){
					.kind = VIEW_TABLE,
					.id = grid->name,
					.title = title,
					.about = grid->about,
					.path = grid->name,
					.columns = grid->columns,
					.column_count = grid->column_count,
				});
}

void document_grid(struct document *document, const struct grid *grid)
{
	document_rows(document, grid);
	add_view(document, grid, grid->title);
}

struct document *grid_document(const struct grid *grid)
{
	struct document *document = document_new();

	document_name(document, grid->title, "echosim " ECHOSIM_VERSION);
	document_rows(document, grid);
	add_view(document, grid, NULL);
	document_chief(document, grid->name);
	return document;
}
