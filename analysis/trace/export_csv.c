/* SPDX-License-Identifier: MIT */
/* Events as CSV, a line each: the table that `trace print` has. */
#include "analysis/trace/export.h"
#include "analysis/trace/table.h"

static int begin(struct exporting *export)
{
	trace_table_head(export->out, TRACE_CSV);
	return 0;
}

static int put(struct exporting *export, const struct trace_event *event,
	       struct fault *fault)
{
	(void)fault;
	trace_table_row(export->out, TRACE_CSV, event);
	export->written++;
	return 0;
}

static int end(struct exporting *export, struct fault *fault)
{
	(void)export;
	(void)fault;
	return 0;
}

const struct exporter export_csv = {
	.name = "csv",
	.help = "every event, a line each; nanoseconds and bytes",
	.begin = begin,
	.put = put,
	.end = end,
};
