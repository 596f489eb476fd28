/* SPDX-License-Identifier: MIT */
#include "analysis/format.h"

#include <string.h>

const struct format format_table[] = {
	{ "text", "tables for people", text_report, text_grid },
	{ "json", "everything, for programs", json_report, json_grid },
	{ "csv", "one row per run, for spreadsheets", csv_report, csv_grid },
};

const size_t format_count = sizeof(format_table) / sizeof(format_table[0]);

const struct format *format_find(const char *name)
{
	size_t i;

	for (i = 0; i < format_count; i++)
		if (!strcmp(format_table[i].name, name))
			return &format_table[i];
	return NULL;
}
