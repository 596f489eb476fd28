/* SPDX-License-Identifier: MIT */
/* A simulation of what was fitted, beside the trace. */
#include <math.h>

#include "analysis/trace/fit.h"

/* Two points: nearer than that a fit is not. */
#define AU_NEAR 0.02

bool trace_fit_is_short(const struct trace_model *model,
			const struct pace_figures *simulated)
{
	for (int stage = 0; stage < STAGE_COUNT; stage++)
		if (model->stages[stage].time_ns.known)
			return false;
	return simulated->au > model->own.au + AU_NEAR;
}

static void put_beside(FILE *out, const char *name, double own,
		       double simulated)
{
	char texts[2][24];
	const double values[] = { own, simulated };

	for (int i = 0; i < 2; i++)
		if (isnan(values[i]))
			snprintf(texts[i], sizeof(texts[i]), "-");
		else
			snprintf(texts[i], sizeof(texts[i]), "%.4g", values[i]);
	fprintf(out, "# %-12s %10s %10s\n", name, texts[0], texts[1]);
}

void trace_fit_print_beside(FILE *out, const struct trace_model *model,
			    const struct pace_figures *simulated)
{
	const struct pace_figures *own = &model->own;

	fprintf(out, "# %-12s %10s %10s\n", "", "trace", "simulated");
	put_beside(out, "au", own->au, simulated->au);
	put_beside(out, "steps_per_s", own->steps_per_s,
		   simulated->steps_per_s);
	put_beside(out, "wait_s", own->wait_s, simulated->wait_s);
	if (!isnan(own->bytes_per_s))
		put_beside(out, "bytes_per_s", own->bytes_per_s,
			   simulated->bytes_per_s);
}
