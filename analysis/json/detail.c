/* SPDX-License-Identifier: MIT */
#include "analysis/json/detail.h"

#include "analysis/detail.h"
#include "analysis/value.h"

#define NS_PER_SECOND 1e9
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static json_t *seconds(int64_t time_ns)
{
	return json_real((double)time_ns / NS_PER_SECOND);
}

/* Shares of the requests, and the time within which so many were answered. */
static json_t *latency_json(const struct histogram *latency_ns)
{
	static const double shares[] = { 0.01, 0.05, 0.1,   0.2,   0.3,	  0.4,
					 0.5,  0.6,  0.7,   0.8,   0.9,	  0.95,
					 0.98, 0.99, 0.995, 0.999, 0.9999 };
	json_t *list = json_array();
	int error = 0;
	size_t i;

	for (i = 0; i < COUNT_OF(shares) && latency_ns->count; i++)
		error |= json_array_append_new(
			list,
			json_pack("{s:f, s:f}", "share", shares[i], "s",
				  value_quantile_s(latency_ns, shares[i]).real));
	if (latency_ns->count)
		error |= json_array_append_new(
			list, json_pack("{s:f, s:f}", "share", 1.0, "s",
					value_max_s(latency_ns).real));
	if (error) {
		json_decref(list);
		return NULL;
	}
	return list;
}

/* Three digits are more than a picture shows. */
static double rounded(double value)
{
	double scale = 1000;

	while (value * scale >= 1000 && scale > 1)
		scale /= 10;
	return (double)(int64_t)(value * scale + 0.5) / scale;
}

static json_t *row_json(const struct detail_row *row, size_t bins)
{
	json_t *means = json_array();
	int error = 0;
	size_t i;

	for (i = 0; i < bins; i++)
		error |= json_array_append_new(
			means, json_real(rounded(row->mean[i])));
	if (error) {
		json_decref(means);
		return NULL;
	}
	return json_pack("{s:s, s:s, s:o*, s:o}", "name", row->name, "what",
			 row->what, "most",
			 row->most > 0 ? json_real(row->most) : NULL, "mean",
			 means);
}

static json_t *rows_json(const struct detail_stretch *stretch)
{
	json_t *rows = json_array();
	int error = 0;
	size_t i;

	for (i = 0; i < stretch->row_count; i++)
		error |= json_array_append_new(rows, row_json(&stretch->rows[i],
							      stretch->bins));
	if (error) {
		json_decref(rows);
		return NULL;
	}
	return rows;
}

/* [step, batch there, begin, end]: a line each. */
static json_t *steps_json(const struct detail_stretch *stretch,
			  uint32_t accelerator)
{
	const struct detail_step *step;
	json_t *list = json_array();
	int error = 0;
	size_t i;

	for (i = 0; i < stretch->step_count; i++) {
		step = &stretch->steps[i];
		if (step->accelerator != accelerator)
			continue;
		error |= json_array_append_new(
			list, json_pack("[I, o, o, o]", (json_int_t)step->step,
					seconds(step->issue_ns),
					seconds(step->start_ns),
					seconds(step->end_ns)));
	}
	if (error) {
		json_decref(list);
		return NULL;
	}
	return list;
}

static json_t *accelerators_json(const struct detail_stretch *stretch)
{
	json_t *list = json_array();
	uint32_t count = 0, i;
	int error = 0;

	for (i = 0; i < stretch->step_count; i++)
		if (stretch->steps[i].accelerator >= count)
			count = stretch->steps[i].accelerator + 1;
	for (i = 0; i < count; i++)
		error |= json_array_append_new(list, steps_json(stretch, i));
	if (error) {
		json_decref(list);
		return NULL;
	}
	return list;
}

static json_t *stretch_json(const struct detail_stretch *stretch)
{
	return json_pack("{s:s, s:o, s:o, s:b, s:o, s:o*}", "name",
			 stretch->name, "from_s", seconds(stretch->start_ns),
			 "to_s", seconds(stretch->end_ns), "cut", stretch->cut,
			 "rows", rows_json(stretch), "steps",
			 stretch->steps ? accelerators_json(stretch) : NULL);
}

json_t *detail_json(const struct result *result)
{
	const struct detail *detail = result->detail;
	json_t *stretches = json_array();
	int error = 0;
	size_t i;

	for (i = 0; i < detail->stretch_count; i++)
		error |= json_array_append_new(
			stretches, stretch_json(&detail->stretches[i]));
	if (error) {
		json_decref(stretches);
		return NULL;
	}
	return json_pack("{s:o, s:o, s:o}", "latency",
			 latency_json(&result->figures.storage.latency_ns),
			 "stretches", stretches, "levels",
			 stretch_json(&detail->levels));
}
