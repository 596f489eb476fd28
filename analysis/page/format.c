/* SPDX-License-Identifier: MIT */
/* The format "html". */
#include "analysis/format.h"
#include "analysis/page/frame.h"
#include "analysis/page/page.h"
#include "analysis/page/table.h"
#include "analysis/version.h"

static int write_report(FILE *out, const void *report)
{
	return json_report(out, report);
}

int html_report(FILE *out, const struct report *report)
{
	return page_of_json(out, write_report, report);
}

static int write_sweep(FILE *out, const void *report)
{
	return sweep_json(out, report);
}

int html_sweep(FILE *out, const struct sweep_report *report)
{
	return page_of_json(out, write_sweep, report);
}

int html_grid(FILE *out, const struct grid *grid)
{
	page_begin(out, grid->title ? grid->title : grid->name,
		   "echosim " ECHOSIM_VERSION);
	page_section(out, "list", "", grid->about ? grid->about : "");
	page_table(out, grid, "", SIZE_MAX);
	fputs("</section>\n</main>\n", out);
	page_end(out);
	return 0;
}
