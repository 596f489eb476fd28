/* SPDX-License-Identifier: MIT */
#include "analysis/report_views.h"

#include "analysis/metric.h"
#include "analysis/part.h"
#include "analysis/report_tables.h"
#include "analysis/run_data.h"

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
	{ .path = "au",
	  .kind = METRIC_REAL,
	  .unit = "%",
	  .heading = "AU",
	  .help = "share of the time the accelerators compute" },
	{ .path = "au_sustained",
	  .kind = METRIC_REAL,
	  .unit = "%",
	  .heading = "Sustained AU",
	  .help = "the same when the burst credit of the device is gone" },
	{ .path = "useful_au",
	  .kind = METRIC_REAL,
	  .unit = "%",
	  .heading = "Useful AU",
	  .help = "what of it counts: a repeat is worth less" },
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

static const struct view_column best_answer[] = {
	{ .path = "name",
	  .kind = METRIC_TEXT,
	  .unit = "",
	  .heading = "Best strategy",
	  .help = "least time to the target" },
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
		columns[0] = best_answer[0];
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

/* ---- all of it ---- */

static void add_strategies(const struct subject *subject)
{
	struct document *document = subject->document;
	struct view view = strategies_view;
	struct view chart = utilisation_chart;

	document_section(
		document, "summary", "Strategies",
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
	document_view(document, &chart);
	if (subject->both) {
		view.audience = SEEN_IN_PAGE;
		document_view(document, &modes_chart);
		document_view(document, &modes_view);
	}
	document_view(document, &view);
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
	document_view(subject->document, &view);
}

static void add_worth(const struct subject *subject)
{
	struct view view = worth_view;

	/* The last column, the mark: of what is sustained, where that differs. */
	if (subject->burst) {
		view.column_count--;
		view.best = NULL;
	}
	document_view(subject->document, &view);
}

static void add_sustained(const struct subject *subject)
{
	struct view view = sustained_view;

	if (subject->report->run_count == 1)
		view.audience = SEEN_IN_PAGE; /* text has its facts */
	document_view(subject->document, &view);
}

/* Every figure: of one run, or a column for each; the chief table. */
static void add_figures(const struct subject *subject)
{
	struct document *document = subject->document;
	size_t runs = subject->report->run_count;
	const struct view_column *columns;
	size_t count = run_columns(document, &columns);

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
	document_view(document, &requests_view);
	document_again(document);
	document_view(document, &digests_view);
	document_section(document, "figures-all", "All figures", NULL);
	add_figures(subject);
}
