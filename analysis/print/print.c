/* SPDX-License-Identifier: MIT */
#include "analysis/print/print.h"

#include <string.h>

const struct printer printer_table[] = {
	{ "text", ".txt", "tables for people", false, false, print_text },
	{ "json", ".json", "everything, for programs", true, false,
	  print_json },
	{ "csv", ".csv", "one row per run, for spreadsheets", false, false,
	  print_csv },
	{ "html", ".html", "a page to look at, charts and all", true, true,
	  print_page },
};

const size_t printer_count = sizeof(printer_table) / sizeof(printer_table[0]);

const struct printer *printer_find(const char *name)
{
	size_t i;

	for (i = 0; i < printer_count; i++)
		if (!strcmp(printer_table[i].name, name))
			return &printer_table[i];
	return NULL;
}

const struct printer *printer_of(const char *path)
{
	const char *suffix = strrchr(path, '.');
	size_t i;

	for (i = 0; suffix && i < printer_count; i++)
		if (!strcmp(printer_table[i].suffix, suffix))
			return &printer_table[i];
	return NULL;
}

int print_json(FILE *out, struct document *document,
	       const struct text_style *style)
{
	(void)style;
	return document_write(out, document);
}
