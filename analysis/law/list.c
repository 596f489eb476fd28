/* SPDX-License-Identifier: MIT */
#include "analysis/law/list.h"

#include "analysis/law/law.h"

enum law_column {
	COLUMN_NAME,
	COLUMN_KIND,
	COLUMN_POINTS,
	COLUMN_FACTOR_MAX,
	COLUMN_BATCH_MIN,
	COLUMN_BATCH_MAX,
	COLUMN_RMS,
	COLUMN_CONDITIONS,
	COLUMN_SOURCE,
	COLUMN_FORM,
	COLUMN_PARAMETERS,
	COLUMN_COUNT,
};

static const struct view_column columns[COLUMN_COUNT] = {
	[COLUMN_NAME] = COLUMN("name", METRIC_TEXT, "", NULL),
	[COLUMN_KIND] = COLUMN("kind", METRIC_TEXT, "", NULL),
	[COLUMN_POINTS] = COLUMN("points", METRIC_COUNT, "", NULL),
	[COLUMN_FACTOR_MAX] =
		COLUMN("factor_max", METRIC_REAL, "", "factors\nto"),
	[COLUMN_BATCH_MIN] =
		COLUMN("batch_min", METRIC_COUNT, "", "batch\nfrom"),
	[COLUMN_BATCH_MAX] = COLUMN("batch_max", METRIC_COUNT, "", "\nto"),
	[COLUMN_RMS] = COLUMN("rms_error", METRIC_REAL, "%", "model's\nrms %"),
	[COLUMN_CONDITIONS] = COLUMN("conditions", METRIC_TEXT, "", NULL),
	[COLUMN_SOURCE] = COLUMN("source", METRIC_TEXT, "", NULL),
	[COLUMN_FORM] = COLUMN("form", METRIC_TEXT, "", NULL),
	[COLUMN_PARAMETERS] = COLUMN("parameters", METRIC_TEXT, "", NULL),
};

static struct metric_value factor_max(const struct law *law)
{
	double most = 0;
	size_t i;

	for (i = 0; i < law->point_count; i++)
		if (law->points[i].factor > most)
			most = law->points[i].factor;
	return most > 0 ? value_real(most) : value_unknown();
}

static struct metric_value batch_end(const struct law *law, bool highest)
{
	uint64_t end = 0, batch;
	size_t i;

	for (i = 0; i < law->point_count; i++) {
		batch = law->points[i].batch;
		if (!end || (highest ? batch > end : batch < end))
			end = batch;
	}
	return end ? value_count(end) : value_unknown();
}

static const char *form(const struct law *law)
{
	if (law->kind == LAW_ENVELOPE)
		return "G = 1 + R (1 - exp(-(e-1)/R)), an upper bound for "
		       "every echo";
	return "G = e / (1 + (1-u)/(1+u) (e-1)^p); u = u0 + (value_max - u0) "
	       "g/(g + lag_half), u0 = B/(B + batch_half), p = power "
	       "(B/1024)^-power_batch in 1..2; B batch, g lag in steps, e "
	       "realised factor; value_max_after behind augmentation";
}

static struct metric_value law_cell(const void *context, size_t row,
				    size_t column)
{
	const struct law *law = law_at(row);

	(void)context;
	switch ((enum law_column)column) {
	case COLUMN_NAME:
		return value_text(law->name);
	case COLUMN_KIND:
		return value_text(law->kind == LAW_ENVELOPE ? "envelope" :
							      "published");
	case COLUMN_POINTS:
		return value_count(law->point_count);
	case COLUMN_FACTOR_MAX:
		return factor_max(law);
	case COLUMN_BATCH_MIN:
		return batch_end(law, false);
	case COLUMN_BATCH_MAX:
		return batch_end(law, true);
	case COLUMN_RMS:
		return law->model.rms > 0 ? value_real(law->model.rms) :
					    value_unknown();
	case COLUMN_CONDITIONS:
		return value_text(law->conditions);
	case COLUMN_SOURCE:
		return value_text(law->source);
	case COLUMN_FORM:
		return value_text(form(law));
	default:
		return value_text(law->parameters);
	}
}

struct grid law_grid(void)
{
	return (struct grid){
		.name = "laws",
		.title = "Laws of training",
		.about = "What training.law may name: what a repeated example "
			 "is worth.",
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.row_count = law_count(),
		.cell = law_cell,
	};
}
