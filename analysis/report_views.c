/* SPDX-License-Identifier: MIT */
#include "analysis/report_views.h"

#include <string.h>

#include "analysis/metric.h"
#include "analysis/part.h"
#include "analysis/report_tables.h"
#include "analysis/run_data.h"
#include "analysis/tiles.h"

/* More columns than this nobody reads. */
#define FIGURES_RUNS_MAX 16

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The members of a part of a run, which its table of figures describes. */
static void add_part(struct document *document, const char *name, size_t run,
		     const char *label, enum audience audience)
{
	const struct part *part = part_find(name);
	struct view_column *columns =
		document_columns(document, 1 + part->metric_count);
	size_t i;

	if (!columns)
		return;
	columns[0] = (struct view_column)COLUMN(part->label, part->label_kind,
						"", label);
	for (i = 0; i < part->metric_count; i++)
		columns[i + 1] = (struct view_column){
			.path = part->metrics[i].name,
			.kind = part->metrics[i].kind,
			.unit = part->metrics[i].unit,
			.help = part->metrics[i].help,
		};
	document_view(document,
		      &(struct view){
			      .kind = VIEW_TABLE,
			      .audience = audience,
			      .path = document_text(document, "runs.%zu.%s",
						    run, name),
			      .columns = columns,
			      .column_count = 1 + part->metric_count,
		      });
}

static void add_run(const struct subject *subject, size_t run)
{
	struct document *document = subject->document;
	const struct result *result = subject->report->runs[run];

	document_view(document,
		      &(struct view){
			      .kind = VIEW_FOLD,
			      .audience = SEEN_IN_PAGE,
			      .title = document_text(
				      document, "%s",
				      node_text(node_item(subject->runs, run),
						"name")),
			      .best = run == subject->lead ? "rank" : NULL,
		      });
	if (result->detail)
		document_view(document,
			      &(struct view){
				      .kind = VIEW_CHART,
				      .path = document_text(
					      document, "runs.%zu.detail", run),
				      .chart = { .kind = CHART_BANDS },
			      });
	add_part(document, "stages", run, "stage", SEEN_IN_PAGE);
	add_part(document, "storage.epochs", run, "epoch", SEEN_IN_PAGE);
}

static void add_each_run(const struct subject *subject)
{
	struct document *document = subject->document;
	size_t run;

	document_view(document, &(struct view){ .kind = VIEW_SECTION,
						.id = "runs",
						.title = "Run by run" });
	document_view(document, &stages_chart);
	for (run = 0; run < subject->report->run_count; run++)
		add_run(subject, run);
}

/* ---- the answer ---- */

static const struct view_column answer[] = {
	{ .path = "name",
	  .kind = METRIC_TEXT,
	  .unit = "",
	  .heading = "Strategy",
	  .help = "echo of data" },
	TILES_OF_AU,
	{ .path = "speedup",
	  .kind = METRIC_REAL,
	  .unit = "x",
	  .heading = "Speed-up",
	  .help = "of the time to target, against no echo" },
	{ .path = "bottleneck.resource",
	  .kind = METRIC_TEXT,
	  .unit = "",
	  .heading = "Bottleneck",
	  .help = "what holds the rate back" },
};

static const struct view_column best_answer = {
	.path = "name",
	.kind = METRIC_TEXT,
	.unit = "",
	.heading = "Best strategy",
	.help = "least time to the target",
};

static const struct view_column varied_answer = {
	.path = "name",
	.kind = METRIC_TEXT,
	.unit = "",
	.heading = "Reference",
	.help = "the first variant, and its echo of data",
};

static void add_answer(const struct subject *subject)
{
	struct document *document = subject->document;
	struct view_column *columns =
		document_columns(document, COUNT_OF(answer));
	size_t i;

	for (i = 0; columns && i < COUNT_OF(answer); i++)
		columns[i] = answer[i];
	if (columns && subject->report->runs[subject->lead]->rank == RANK_BEST)
		columns[0] = best_answer;
	else if (columns && subject->varied)
		columns[0] = varied_answer;
	document_view(document,
		      &(struct view){
			      .kind = VIEW_TILES,
			      .path = document_text(document, "runs.%zu",
						    subject->lead),
			      .columns = columns,
			      .column_count = columns ? COUNT_OF(answer) : 0,
		      });
}

/* ---- notes ---- */

static void add_notes(const struct subject *subject, enum audience audience)
{
	static const char *const paths[] = { "host.notes", "notes" };
	size_t i;

	for (i = 0; i < COUNT_OF(paths); i++)
		document_view(subject->document,
			      &(struct view){ .kind = VIEW_NOTES,
					      .audience = audience,
					      .path = paths[i] });
}

/* ---- variants ---- */

static const struct view_column of_variant[] = {
	COLUMN("variant", METRIC_TEXT, "", "variant"),
	COLUMN("label", METRIC_TEXT, "", "strategy"),
};

/* A table with a row for each run, of variants with their column. */
static void add_table(const struct subject *subject, const struct view *table)
{
	struct view view = *table;
	struct view_column *columns;
	size_t i;

	if (subject->varied) {
		columns = document_columns(subject->document,
					   view.column_count + 1);
		for (i = 0; columns && i <= view.column_count; i++)
			columns[i] = i < COUNT_OF(of_variant) ?
					     of_variant[i] :
					     table->columns[i - 1];
		view.columns = columns;
		view.column_count = columns ? view.column_count + 1 : 0;
	}
	document_view(subject->document, &view);
}

/* What each is: what it changes, and its setting where not all have one. */
static void add_variant_list(const struct subject *subject)
{
	struct view view = variants_view;
	struct view_column *columns =
		document_columns(subject->document, view.column_count);
	size_t count = 0, i;

	for (i = 0; columns && i < view.column_count; i++)
		if (i == 0 ||
		    (i == 1 && subject->report->variants[0].changes) ||
		    (i == 2 && subject->settings_differ))
			columns[count++] = view.columns[i];
	view.columns = columns;
	view.column_count = count;
	if (count > 1) /* more than their names */
		document_view(subject->document, &view);
}

#define STRATEGY_BARS_MAX 8 /* more have no colours */

/* A group of bars for each variant, in it one for each strategy of any. */
static void add_variant_chart(const struct subject *subject)
{
	struct document *document = subject->document;
	struct view view = variants_chart;
	struct view_column *columns =
		document_columns(document, STRATEGY_BARS_MAX);
	const char *label;
	size_t count = 0, run, i;

	for (run = 0; columns && run < subject->report->run_count; run++) {
		label = node_text(node_item(subject->runs, run), "label");
		for (i = 0; i < count; i++)
			if (label && !strcmp(columns[i].heading, label))
				break;
		if (i < count || count == STRATEGY_BARS_MAX || !label)
			continue;
		columns[count++] = (struct view_column)COLUMN(
			document_text(document, "au.%s", label), METRIC_REAL,
			"%", label);
	}
	view.columns = columns;
	view.column_count = count;
	document_view(document, &view);
}

/* Of variants there is no room for all of them. */
#define VARIED_COLUMNS 7

static struct view strategies_table(const struct subject *subject)
{
	struct view view = strategies_view;
	struct view_column *columns;
	size_t i;

	if (!subject->varied)
		return view;
	columns = document_columns(subject->document, VARIED_COLUMNS + 1);
	for (i = 0; columns && i < VARIED_COLUMNS; i++)
		columns[i] = strategies_view.columns[i];
	if (columns)
		columns[i] = speedup_column;
	view.columns = columns;
	view.column_count = columns ? VARIED_COLUMNS + 1 : 0;
	view.about = "AU: share of time the accelerators compute; idle: the "
		     "rest; fresh: examples read from storage; factor: uses of "
		     "each; speed-up: of the time to target, against the first "
		     "variant without echo.";
	return view;
}

/* ---- all of it ---- */

static void add_strategies(const struct subject *subject)
{
	struct document *document = subject->document;
	struct view view = strategies_table(subject);
	struct view chart = utilisation_chart;

	document_section(
		document, "summary",
		subject->varied ? "Variants" : "Strategies",
		subject->judged ?
			"Echo raises AU without more reading, also where "
			"a repeat teaches little; useful AU is what "
			"remains of it when a repeat counts for what it "
			"is worth." :
			NULL);
	if (!subject->judged) {
		chart.title = "Accelerator utilisation";
		chart.column_count = 1;
	}
	if (subject->varied) {
		add_variant_chart(subject);
		add_variant_list(subject);
	}
	if (subject->judged || !subject->varied)
		document_view(document, &chart);
	if (subject->both) {
		view.audience = SEEN_IN_PAGE;
		document_view(document, &modes_chart);
		add_table(subject, &modes_view);
	}
	add_table(subject, &view);
}

static void add_causes(const struct subject *subject)
{
	struct view view = causes_view;

	if (!subject->explained)
		return;
	if (subject->report->run_count == 1)
		view.audience = SEEN_IN_PAGE; /* text has its facts */
	document_section(subject->document, "causes", "Why they idle", NULL);
	document_view(subject->document, &causes_chart);
	add_table(subject, &view);
}

static void add_worth(const struct subject *subject)
{
	struct view view = worth_view;

	/* The last column, the mark: of what is sustained, where that differs. */
	if (subject->burst) {
		view.column_count--;
		view.best = NULL;
	}
	add_table(subject, &view);
}

static void add_sustained(const struct subject *subject)
{
	struct view view = sustained_view;

	if (subject->report->run_count == 1)
		view.audience = SEEN_IN_PAGE; /* text has its facts */
	add_table(subject, &view);
}

/* Every figure: of one run, or a column for each; the chief table. */
static void add_figures(const struct subject *subject)
{
	struct document *document = subject->document;
	size_t runs = subject->report->run_count;
	const struct view_column *columns;
	size_t count = run_columns(document, subject->varied, &columns);

	document_view(document,
		      &(struct view){
			      .kind = VIEW_ACROSS,
			      .audience = runs <= FIGURES_RUNS_MAX ?
						  SEEN_IN_PAGE | SEEN_IN_CSV :
						  SEEN_IN_CSV,
			      .id = "figures",
			      .title = "Every figure of every run",
			      .path = "runs",
			      .label = "name",
			      .columns = columns,
			      .column_count = count,
		      });
	document_chief(document, "figures");
}

static void add_text_of_one(const struct subject *subject)
{
	struct document *document = subject->document;
	struct view_column *columns = document_columns(document, metric_count);

	if (!columns)
		return;
	document_view(document, &(struct view){
					.kind = VIEW_FACTS,
					.audience = SEEN_IN_TEXT,
					.path = "runs.0",
					.columns = columns,
					.column_count = run_figures(
						document, "", columns),
				});
	add_part(document, "stages", 0, "stage", SEEN_IN_TEXT);
	add_part(document, "storage.epochs", 0, "epoch", SEEN_IN_TEXT);
}

void report_views(const struct subject *subject)
{
	struct document *document = subject->document;

	document_head(document);
	add_answer(subject);
	add_notes(subject, SEEN_IN_PAGE);
	add_strategies(subject);
	add_causes(subject);
	if (subject->judged)
		add_worth(subject);
	if (subject->burst)
		add_sustained(subject);
	if (subject->report->run_count == 1)
		add_text_of_one(subject);
	add_notes(subject, SEEN_IN_TEXT);
	add_each_run(subject);
	document_section(document, "storage", "Storage", NULL);
	document_view(document, &latency_chart);
	add_table(subject, &requests_view);
	document_again(document);
	add_table(subject, &digests_view);
	document_section(document, "figures-all", "All figures", NULL);
	add_figures(subject);
}
