/* SPDX-License-Identifier: MIT */
/* Everything that happened, as ui.perfetto.dev draws it. */
#include "analysis/trace/export.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/trace/perfetto.h"

static int begin(struct exporting *export)
{
	struct perfetto *perfetto = malloc(sizeof(*perfetto));

	if (!perfetto)
		return -ENOMEM;
	/* How many hosts there are is known at the end. */
	perfetto_begin(perfetto, export->out, true);
	export->state = perfetto;
	return 0;
}

static int put(struct exporting *export, const struct trace_event *event,
	       struct fault *fault)
{
	int put = perfetto_put(export->state, event);

	(void)fault;
	export->written += put > 0;
	export->left += put == 0;
	return put < 0 ? put : 0;
}

static int end(struct exporting *export, struct fault *fault)
{
	(void)fault;
	perfetto_end(export->state);
	free(export->state);
	return 0;
}

const struct exporter export_perfetto = {
	.name = "perfetto",
	.help = "all whose times are known, for ui.perfetto.dev (JSON)",
	.begin = begin,
	.put = put,
	.end = end,
};
