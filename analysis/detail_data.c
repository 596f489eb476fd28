/* SPDX-License-Identifier: MIT */
#include "analysis/detail_data.h"

#define NS_PER_S 1e9

static struct metric_value seconds(int64_t time_ns)
{
	return value_real((double)time_ns / NS_PER_S);
}

/* Three digits are more than a picture shows. */
static double rounded(double value)
{
	double scale = 1000;

	while (value * scale >= 1000 && scale > 1)
		scale /= 10;
	return (double)(int64_t)(value * scale + 0.5) / scale;
}

static void add_row(struct document *document, struct node *rows,
		    const struct detail_row *row, size_t bins)
{
	struct node *item = document_item(document, rows);
	struct node *means;
	size_t i;

	document_set(document, item, "name", METRIC_TEXT,
		     value_text(row->name));
	document_set(document, item, "what", METRIC_TEXT,
		     value_text(row->what));
	if (row->most > 0)
		document_set(document, item, "most", METRIC_REAL,
			     value_real(row->most));
	means = document_list(document, item, "mean");
	for (i = 0; i < bins; i++)
		document_append(document, means, METRIC_REAL,
				value_real(rounded(row->mean[i])));
}

/* A step: its number, when its batch was there, when it began and ended. */
static void add_step(struct document *document, struct node *steps,
		     const struct detail_step *step)
{
	struct node *item = document_sublist(document, steps);

	document_append(document, item, METRIC_COUNT, value_count(step->step));
	document_append(document, item, METRIC_REAL, seconds(step->issue_ns));
	document_append(document, item, METRIC_REAL, seconds(step->start_ns));
	document_append(document, item, METRIC_REAL, seconds(step->end_ns));
}

/* A list of steps for each accelerator. */
static void add_steps(struct document *document, struct node *object,
		      const struct detail_stretch *stretch)
{
	struct node *lists = document_list(document, object, "steps");
	struct node *steps;
	uint32_t count = 0, accelerator;
	size_t i;

	for (i = 0; i < stretch->step_count; i++)
		if (stretch->steps[i].accelerator >= count)
			count = stretch->steps[i].accelerator + 1;
	for (accelerator = 0; accelerator < count; accelerator++) {
		steps = document_sublist(document, lists);
		for (i = 0; i < stretch->step_count; i++)
			if (stretch->steps[i].accelerator == accelerator)
				add_step(document, steps, &stretch->steps[i]);
	}
}

static void set_stretch(struct document *document, struct node *object,
			const struct detail_stretch *stretch)
{
	struct node *rows;
	size_t i;

	document_set(document, object, "name", METRIC_TEXT,
		     value_text(stretch->name));
	document_set(document, object, "from_s", METRIC_REAL,
		     seconds(stretch->start_ns));
	document_set(document, object, "to_s", METRIC_REAL,
		     seconds(stretch->end_ns));
	document_set(document, object, "cut", METRIC_BOOL,
		     value_bool(stretch->cut));
	rows = document_list(document, object, "rows");
	for (i = 0; i < stretch->row_count; i++)
		add_row(document, rows, &stretch->rows[i], stretch->bins);
	if (stretch->steps)
		add_steps(document, object, stretch);
}

void detail_data(struct document *document, struct node *run,
		 const struct detail *detail)
{
	struct node *object = document_object(document, run, "detail");
	struct node *stretches = document_list(document, object, "stretches");
	size_t i;

	for (i = 0; i < detail->stretch_count; i++)
		set_stretch(document, document_item(document, stretches),
			    &detail->stretches[i]);
	set_stretch(document, document_object(document, object, "levels"),
		    &detail->levels);
}
