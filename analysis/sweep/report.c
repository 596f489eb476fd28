/* SPDX-License-Identifier: MIT */
/*
 * The document of a sweep: its points in a table, for people with what tells
 * them apart and for spreadsheets with every figure; a chart for each axis of
 * numbers; what its knees say.
 */
#include "analysis/sweep/data.h"
#include "analysis/sweep/views.h"

#include <math.h>
#include <string.h>

#include "analysis/metric.h"
#include "analysis/run_data.h"
#include "analysis/tiles.h"
#include "analysis/version.h"

#define WORDS_MAX 12 /* of an axis beside which bars have room */
#define PEOPLE_COLUMNS_MAX (SWEEP_AXES_MAX + 10)

/* ---- every figure ---- */

/* Those of repetitions follow on those of the run. */
static size_t add_intervals(struct document *document,
			    struct view_column *columns)
{
	size_t count = 0, i, k;
	const char *name;

	for (i = 0; i < SWEEP_CHIEF_COUNT; i++) {
		for (k = 0; k < SWEEP_INTERVAL_MEMBERS; k++) {
			name = document_text(document, "repeat.%s.%s",
					     sweep_chief_metrics[i],
					     sweep_interval_members[k].name);
			columns[count++] = (struct view_column)COLUMN(
				name, METRIC_REAL, "", NULL);
		}
	}
	return count;
}

/* The axes, every figure of a simulated run, and those of repetitions. */
static void add_figures(struct document *document, const struct sweep *sweep)
{
	size_t rest = sweep->repeat > 1 ?
			      SWEEP_CHIEF_COUNT * SWEEP_INTERVAL_MEMBERS :
			      0;
	struct view_column *columns = document_columns(
		document, sweep->axis_count + metric_count + rest);
	size_t count = 0, i;

	if (!columns)
		return;
	for (i = 0; i < sweep->axis_count; i++)
		columns[count++] = sweep_axis_column(document, &sweep->axes[i]);
	count += run_figures(document, "run.", columns + count);
	if (rest)
		count += add_intervals(document, columns + count);
	document_view(document, &(struct view){
					.kind = VIEW_TABLE,
					.audience = SEEN_IN_CSV,
					.id = "figures",
					.path = "points",
					.columns = columns,
					.column_count = count,
				});
	document_chief(document, "figures");
}

/* ---- the table for people ---- */

struct people {
	struct document *document;
	const struct sweep *sweep;
	struct view_column columns[PEOPLE_COLUMNS_MAX];
	size_t count;
};

static void add_column(struct people *people, struct view_column column)
{
	people->columns[people->count++] = column;
}

/* A chief figure of a point: with repetitions their mean, which is what the
 * interval beside it is of. */
static void add_typical(struct people *people, const char *name,
			const char *unit, const char *heading)
{
	bool repeats = people->sweep->repeat > 1;
	const char *path = document_text(
		people->document, repeats ? "repeat.%s.mean" : "run.%s", name);

	add_column(people, (struct view_column)COLUMN(path, METRIC_REAL, unit,
						      heading));
}

/* Other columns come first where axes are many, or words. */
static bool has_room_for_bars(const struct sweep *sweep)
{
	size_t i, k;

	for (i = 0; i < sweep->axis_count; i++)
		for (k = 0; k < sweep->axes[i].count; k++)
			if (!sweep->axes[i].is_number &&
			    strlen(sweep->axes[i].values[k].text) > WORDS_MAX)
				return sweep->axis_count == 1;
	return sweep->axis_count < 3;
}

static void add_results(struct people *people)
{
	const struct sweep *sweep = people->sweep;
	const char *au = sweep->repeat > 1 ? "repeat.au.mean" : "run.au";
	double first_s;

	add_typical(people, "au", "%", "AU\n%");
	if (sweep->repeat > 1)
		add_column(people, (struct view_column)COLUMN(
					   "repeat.au.ci95_half", METRIC_REAL,
					   "%", "\n+-"));
	if (sweep_bursts(sweep, &first_s))
		add_column(people, (struct view_column)COLUMN(
					   "run.au_sustained", METRIC_REAL, "%",
					   "sustained\nAU %"));
	else if (has_room_for_bars(sweep))
		add_column(people,
			   (struct view_column)COLUMN_FOR(
				   SEEN_IN_TEXT, au, METRIC_REAL, "bar", "AU"));
	add_typical(people, "examples_per_s", "#", "examples\n/s");
	if (!strcmp(sweep_rate_metric(sweep), "time_to_target_s"))
		add_typical(people, "time_to_target_s", "s", "time to\ntarget");
	if (sweep->explains)
		add_column(people, (struct view_column)COLUMN(
					   "run.bottleneck.resource",
					   METRIC_TEXT, "", "bottleneck"));
	add_column(people,
		   (struct view_column)COLUMN("knee", METRIC_TEXT, "", "\n"));
}

static void add_points(struct document *document, const struct sweep *sweep)
{
	struct people people = { .document = document, .sweep = sweep };
	struct view_column *columns;
	uint32_t i;

	for (i = 0; i < sweep->axis_count; i++)
		add_column(&people,
			   sweep_axis_column(document, &sweep->axes[i]));
	add_results(&people);
	columns = document_columns(document, people.count);
	if (!columns)
		return;
	memcpy(columns, people.columns, people.count * sizeof(*columns));
	document_view(document,
		      &(struct view){
			      .kind = VIEW_TABLE,
			      .audience = SEEN_BY_PEOPLE,
			      .id = "points",
			      .title = "Every point",
			      .about = "AU: share of time the accelerators "
				       "compute; knee: where more (of a time, "
				       "less) stops paying.",
			      .path = "points",
			      .where = "state",
			      .is = "done",
			      .columns = columns,
			      .column_count = people.count,
		      });
	if (sweep->repeat > 1)
		document_paragraph(document,
				   "Figures are the mean of all seeds, +- half "
				   "their 95 %% interval; the bottleneck is "
				   "that of the first.");
}

/* ---- knees ---- */

static void describe_found(struct document *document, const struct vary *axis,
			   const struct knee *knee)
{
	char at[VALUE_TEXT_MAX], near[VALUE_TEXT_MAX];

	document_paragraph(
		document,
		"%s: the knee is at %s (between the points: near %s); %s it a "
		"%s gains less than %.0f %%.",
		axis->key,
		value_human(sweep_axis_kind(axis), axis->unit,
			    sweep_axis_value(axis, knee->index), at,
			    sizeof(at)),
		value_human(METRIC_REAL, axis->unit, value_real(knee->estimate),
			    near, sizeof(near)),
		knee->less_is_more ? "below" : "beyond",
		knee->less_is_more ? "halving" : "doubling",
		KNEE_GAIN_PER_DOUBLING * 100);
}

/* What the knee of the only axis says. */
static void describe_knee(struct document *document, const struct sweep *sweep)
{
	const struct vary *axis = &sweep->axes[0];
	struct knee knee = sweep_knee(sweep, 0, 0);

	switch (knee.verdict) {
	case KNEE_UNKNOWN:
		return;
	case KNEE_FLAT:
		document_paragraph(document,
				   "%s: no knee, it does not matter in this "
				   "range.",
				   axis->key);
		return;
	case KNEE_BEYOND:
		document_paragraph(document,
				   "%s: no knee, it still pays at the end of "
				   "the range.",
				   axis->key);
		return;
	case KNEE_FOUND:
		describe_found(document, axis, &knee);
	}
}

static void describe_knees(struct document *document, const struct sweep *sweep)
{
	uint32_t i;

	if (sweep->axis_count == 1) {
		describe_knee(document, sweep);
		return;
	}
	for (i = 0; i < sweep->axis_count; i++)
		if (sweep->axes[i].is_number)
			document_paragraph(document,
					   "knee %u: more of %s stops paying "
					   "here, all else the same.",
					   i + 1, sweep->axes[i].key);
}

/* ---- the answer ---- */

/* The point to look at first: without a law nobody knows what a repeat is
 * worth, so it is the one that reads most. */
static uint32_t chief_point(const struct sweep *sweep, const char *metric)
{
	struct metric_value value;
	uint32_t best = 0, i;
	double most = -1;

	for (i = 0; i < sweep->point_count; i++) {
		if (!sweep->points[i].done)
			continue;
		value = sweep_value(sweep, i, metric);
		if (value.known && value.real > most) {
			most = value.real;
			best = i;
		}
	}
	return best;
}

static const struct view_column tiles[] = {
	{ .path = "at",
	  .kind = METRIC_TEXT,
	  .unit = "",
	  .heading = "Highest of the points",
	  .help = "by useful AU, or without a law by fresh examples a "
		  "second" },
	TILES_OF_AU,
	{ .path = "fresh_examples_per_s",
	  .kind = METRIC_REAL,
	  .unit = "1/s",
	  .heading = "Fresh examples",
	  .help = "read from storage a second" },
	{ .path = "bottleneck",
	  .kind = METRIC_TEXT,
	  .unit = "",
	  .heading = "Bottleneck",
	  .help = "what holds the rate back there" },
};

static void add_answer(struct document *document, const struct sweep *sweep,
		       bool judged)
{
	const char *metric = judged ? "useful_au" : "fresh_examples_per_s";
	uint32_t point = chief_point(sweep, metric);
	struct node *answer =
		document_object(document, document_data(document), "answer");
	char at[512];

	if (!sweep_done_count(sweep))
		return;
	document_set(document, answer, "at", METRIC_TEXT,
		     value_text(sweep_at(sweep, point, at, sizeof(at))));
	document_set(document, answer, "au", METRIC_REAL,
		     sweep_value(sweep, point, "au"));
	document_set(document, answer, "au_sustained", METRIC_REAL,
		     sweep_value(sweep, point, "au_sustained"));
	document_set(document, answer, "useful_au", METRIC_REAL,
		     sweep_value(sweep, point, "useful_au"));
	document_set(document, answer, "fresh_examples_per_s", METRIC_REAL,
		     sweep_value(sweep, point, "fresh_examples_per_s"));
	document_set(document, answer, "bottleneck", METRIC_TEXT,
		     sweep_value(sweep, point, "bottleneck.resource"));
	document_view(document,
		      &(struct view){
			      .kind = VIEW_TILES,
			      .path = "answer",
			      .columns = tiles,
			      .column_count = sizeof(tiles) / sizeof(tiles[0]),
		      });
}

/* ---- all of it ---- */

static void add_notes(struct document *document, const struct sweep *sweep)
{
	struct notes notes = { 0 };
	size_t i;

	document_list(document, document_data(document), "notes");
	sweep_notes(sweep, &notes);
	for (i = 0; i < notes.count; i++)
		document_note(document, "notes", "%s", notes.text[i]);
	if (!sweep->complete)
		document_note(document, "notes", "%u of %u points were made.",
			      sweep_done_count(sweep), sweep->point_count);
	document_view(document,
		      &(struct view){ .kind = VIEW_NOTES, .path = "notes" });
	document_view(document, &(struct view){ .kind = VIEW_NOTES,
						.path = "host.notes" });
}

struct document *sweep_document(const struct sweep_report *report)
{
	const struct sweep *sweep = report->sweep;
	const char *name = sweep->base.scenario->name;
	struct document *document = document_new();
	bool judged = sweep_is_judged(sweep);

	document_name(
		document, name[0] ? name : "echosim",
		document_text(document,
			      "%u points, simulated · echosim " ECHOSIM_VERSION,
			      sweep_done_count(sweep)));
	sweep_data(document, sweep);
	host_data(document, report->host, report->host_count, report->notes);
	document_head(document);
	add_answer(document, sweep, judged);
	sweep_charts(document, sweep, judged);
	add_points(document, sweep);
	describe_knees(document, sweep);
	add_notes(document, sweep);
	add_figures(document, sweep);
	document_again(document);
	return document;
}
