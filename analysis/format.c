/* SPDX-License-Identifier: MIT */
#include "analysis/format.h"

#include <string.h>

const struct report_format report_formats[] = {
	{ "text", ".txt", "tables for people", false, false, text_report,
	  text_grid, sweep_text, plan_text },
	{ "json", ".json", "everything, for programs", true, false, json_report,
	  json_grid, sweep_json, plan_json },
	{ "csv", ".csv", "one row per run, for spreadsheets", false, false,
	  csv_report, csv_grid, sweep_csv, plan_csv },
	{ "html", ".html", "a page to look at, charts and all", true, true,
	  html_report, html_grid, html_sweep, plan_html },
};

const size_t report_format_count =
	sizeof(report_formats) / sizeof(report_formats[0]);

const struct report_format *report_format_find(const char *name)
{
	size_t i;

	for (i = 0; i < report_format_count; i++)
		if (!strcmp(report_formats[i].name, name))
			return &report_formats[i];
	return NULL;
}

const struct report_format *report_format_of(const char *path)
{
	const char *suffix = strrchr(path, '.');
	size_t i;

	for (i = 0; suffix && i < report_format_count; i++)
		if (!strcmp(report_formats[i].suffix, suffix))
			return &report_formats[i];
	return NULL;
}
