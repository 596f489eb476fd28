/* SPDX-License-Identifier: MIT */
/*
 * The document of a plan: the goal and what there is, what each change comes
 * to, and in one line what to do.
 */
#include "analysis/plan/report.h"

#include <math.h>
#include <string.h>

#include "analysis/plan/changes.h"
#include "analysis/plan/cost.h"
#include "analysis/plan/demand.h"
#include "analysis/scenario_data.h"
#include "analysis/version.h"

#define MISSING_MAX 96

struct metric_value plan_words(const char *text)
{
	return text && *text ? value_text(text) : value_unknown();
}

/* ---- demand ---- */

struct demand {
	double bytes_per_s; /* of one accelerator */
	struct metric_value per_link;
	struct metric_value per_device;
	uint64_t accelerators;
	bool in_each_host; /* the device */
};

static struct demand demand_of(const struct plan_report *report)
{
	const struct experiment *experiment = report->plan->experiment;
	const struct scenario *scenario = experiment->scenario;
	struct tiers_profile tiers;
	struct pipeline pipeline;

	scenario_tiers(scenario, &tiers);
	scenario_pipeline(scenario, &scenario->echoes[0], experiment->layout,
			  &pipeline);
	return (struct demand){
		.bytes_per_s = demand_bytes_per_s(&pipeline),
		.per_link = demand_accelerators(
			&pipeline, tiers.link.bandwidth_bytes_per_s),
		.per_device = demand_accelerators(
			&pipeline,
			tiers.volumes * tiers.device.bandwidth_bytes_per_s),
		.accelerators = (uint64_t)scenario->accelerators.count *
				scenario->accelerators.hosts,
		.in_each_host = tiers.scope == SCOPE_PER_HOST &&
				scenario->accelerators.hosts > 1,
	};
}

/* ---- what there is ---- */

static const char *number(const char *unit, struct metric_value value,
			  char *text)
{
	return value_human(METRIC_REAL, unit, value, text, VALUE_TEXT_MAX);
}

/* "au>=0.9 and storage.bytes_per_s<=2e9" */
static const char *list_goals(struct document *document,
			      const struct plan *plan)
{
	const char *text = plan->goals[0].text;
	size_t i;

	for (i = 1; i < plan->goal_count; i++)
		text = document_text(document, "%s and %s", text,
				     plan->goals[i].text);
	return text;
}

static void set_real(struct document *document, const char *path,
		     struct metric_value value)
{
	document_set(document, document_data(document), path, METRIC_REAL,
		     value);
}

static void set_text(struct document *document, const char *path,
		     const char *text)
{
	document_set(document, document_data(document), path, METRIC_TEXT,
		     plan_words(text));
}

static void set_goal(struct document *document,
		     const struct plan_report *report)
{
	const struct goal *goal = &report->plan->goals[0];

	if (report->measured) {
		set_text(document, "measured.metric", goal->metric->name);
		set_real(document, "measured.figure", value_real(goal->bound));
		set_text(document, "measured.text", goal->text);
		return;
	}
	set_text(document, "goal.metric", goal->metric->name);
	set_real(document, "goal.bound", value_real(goal->bound));
	set_text(document, "goal.text", list_goals(document, report->plan));
}

static void set_now(struct document *document, const struct plan_report *report)
{
	const struct scenario *scenario = report->plan->experiment->scenario;
	char missing[MISSING_MAX], burst[PLAN_BURST_MAX];

	set_text(document, "scenario.name", scenario->name);
	document_set(document, document_data(document), "complete", METRIC_BOOL,
		     value_bool(report->complete));
	set_goal(document, report);
	set_real(document, "now.figure", report->now.figure);
	if (!report->measured)
		document_set(document, document_data(document), "now.reached",
			     METRIC_BOOL, value_bool(report->now.met));
	set_text(document, "now.binding", report->now.binding);
	document_set(document, document_data(document), "now.sustained",
		     METRIC_BOOL, value_bool(report->now.drained));
	set_real(document, "burst.figure", report->start.figure);
	set_real(document, "burst.lasts_s", report->start.lasts_s);
	set_text(document, "burst.note",
		 plan_burst(report, burst, sizeof(burst)));
	set_real(document, "now.cost", report->now.cost_per_hour);
	set_real(document, "now.cost_per_epoch", report->now.cost_per_epoch);
	if (!report->now.cost_per_hour.known)
		return;
	cost_missing(scenario, missing, sizeof(missing));
	set_text(document, "now.currency", scenario->prices.currency);
	set_text(document, "now.cost_lacks", missing);
}

static void say_now(struct document *document, const struct plan_report *report)
{
	const struct goal *goal = &report->plan->goals[0];
	const char *currency =
		report->plan->experiment->scenario->prices.currency;
	char figure[VALUE_TEXT_MAX], hour[VALUE_TEXT_MAX];
	char epoch[VALUE_TEXT_MAX];

	document_paragraph(
		document, "%s: %s. As it is, %s is %s%s%s.",
		report->measured ? "Measured" : "Goal",
		list_goals(document, report->plan), goal->metric->name,
		number(goal->metric->unit, report->now.figure, figure),
		report->now.binding ? "; " : "",
		report->now.binding ? document_text(document, "%s limits",
						    report->now.binding) :
				      "");
	if (report->now.cost_per_hour.known)
		document_paragraph(
			document,
			"Costs are in %s; as it is, %s an hour and %s an "
			"epoch.",
			currency, number("", report->now.cost_per_hour, hour),
			number("", report->now.cost_per_epoch, epoch));
}

/* The utilisation that the first goal asks for; 1: it asks for none. */
static double wanted_au(const struct plan_report *report)
{
	const struct goal *goal = &report->plan->goals[0];
	bool asks = goal->at_least && !strcmp(goal->metric->name, "au");

	return asks && goal->bound > 0 ? goal->bound : 1;
}

/* How many accelerators a bandwidth is enough for, as a sentence; "". */
static const char *share_of(struct document *document, const char *what,
			    struct metric_value count, double au)
{
	char all[VALUE_TEXT_MAX], some[VALUE_TEXT_MAX];

	if (!count.known)
		return "";
	number("x", count, all);
	if (au >= 1)
		return document_text(document, " %s is that of %s of them.",
				     what, all);
	return document_text(
		document, " %s is that of %s of them, or of %s at an au of %g.",
		what, all, number("x", value_real(count.real / au), some), au);
}

static void add_demand(struct document *document,
		       const struct plan_report *report)
{
	struct demand demand = demand_of(report);
	struct metric_value all =
		value_real((double)demand.accelerators * demand.bytes_per_s);
	double au = wanted_au(report);
	char text[VALUE_TEXT_MAX], together[VALUE_TEXT_MAX];

	set_real(document, "demand.bytes_per_s",
		 value_real(demand.bytes_per_s));
	set_real(document, "demand.all_bytes_per_s", all);
	set_real(document, "demand.accelerators_per_link", demand.per_link);
	set_real(document, "demand.accelerators_per_device", demand.per_device);
	document_paragraph(
		document, "One accelerator that never idles reads %s%s.%s%s",
		number("B/s", value_real(demand.bytes_per_s), text),
		demand.accelerators == 1 ?
			"" :
			document_text(document, ", all %llu together %s",
				      (unsigned long long)demand.accelerators,
				      number("B/s", all, together)),
		share_of(document,
			 demand.in_each_host ?
				 "The device's bandwidth in each host" :
				 "The device's bandwidth",
			 demand.per_device, au),
		share_of(document, "A host's link", demand.per_link, au));
}

/* ---- what to do ---- */

static void add_advice(struct document *document,
		       const struct plan_report *report, enum audience audience)
{
	char advice[PLAN_ADVICE_MAX];

	plan_advice(report, advice, sizeof(advice));
	set_text(document, "advice", advice);
	if (*advice)
		document_view(document,
			      &(struct view){ .kind = VIEW_PARAGRAPH,
					      .audience = audience,
					      .about = document_text(
						      document, "%s: %s",
						      report->measured ?
							      "Explanation" :
							      "Advice",
						      advice) });
}

/* What would help where an unknown has the value that explains the figure. */
static void note_remedies(struct document *document,
			  const struct plan_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++) {
		const struct plan_row *row = &rows->rows[i];
		const struct plan_trial *trial = &row->result->answer.trial;

		if (!row->result->answer.reached || !trial->remedy[0])
			continue;
		document_note(document, "notes",
			      "If %s is %s: %s raises the rate by %.1f %%.",
			      row->result->plan->knobs[row->knob].key, row->to,
			      trial->remedy, trial->remedy_gain.real * 100);
	}
}

static void add_notes(struct document *document,
		      const struct plan_report *report,
		      const struct plan_rows *rows)
{
	char missing[MISSING_MAX];
	size_t i;

	cost_missing(report->plan->experiment->scenario, missing,
		     sizeof(missing));
	for (i = 0; i < rows->count; i++) {
		const struct plan_result *result = rows->rows[i].result;

		if (result->answer.note[0])
			document_note(
				document, "notes", "%s: %s",
				result->plan->knobs[rows->rows[i].knob].key,
				result->answer.note);
	}
	if (report->measured)
		note_remedies(document, rows);
	if (report->now.cost_per_hour.known && *missing)
		document_note(document, "notes",
			      "Not in the costs, for want of prices: %s.",
			      missing);
	if (report->unpriced)
		document_note(document, "notes",
			      "None of these changes has a price, so no "
			      "combination is the cheapest: --prices FILE, or "
			      "prices in the scenario or its device.");
	for (i = 0; i < report->notes.count; i++)
		document_note(document, "notes", "%s", report->notes.text[i]);
	if (!report->complete)
		document_note(document, "notes",
			      "Interrupted: what is missing was not tried.");
	document_view(document,
		      &(struct view){ .kind = VIEW_NOTES, .path = "notes" });
}

static void add_tiles(struct document *document,
		      const struct plan_report *report)
{
	const struct metric *metric = report->plan->goals[0].metric;
	struct view_column *columns = document_columns(document, 3);

	if (!columns)
		return;
	columns[0] = (struct view_column){
		.path = report->measured ? "measured.text" : "goal.text",
		.kind = METRIC_TEXT,
		.unit = "",
		.heading = report->measured ? "Measured" : "Goal",
		.help = report->measured ? NULL :
			report->now.met	 ? "met as it is" :
					   "not met as it is"
	};
	columns[1] = (struct view_column){
		.path = "now.figure",
		.kind = METRIC_REAL,
		.unit = metric->unit,
		.heading =
			document_text(document, "%s, as it is", metric->name),
		.help = report->now.binding ?
				document_text(document, "%s limits",
					      report->now.binding) :
				NULL
	};
	columns[2] = (struct view_column){ .path = "demand.bytes_per_s",
					   .kind = METRIC_REAL,
					   .unit = "B/s",
					   .heading = "An accelerator that "
						      "never idles reads" };
	document_view(document, &(struct view){ .kind = VIEW_TILES,
						.columns = columns,
						.column_count = 3 });
}

struct document *plan_document(const struct plan_report *report)
{
	const char *name = report->plan->experiment->scenario->name;
	struct plan_rows rows;
	struct document *document = document_new();

	plan_rows_find(&rows, report);
	document_name(document, name[0] ? name : "echosim",
		      "plan · echosim " ECHOSIM_VERSION);
	set_now(document, report);
	setting_data(document, report->plan->experiment->scenario);
	plan_answers(document, &rows);
	document_head(document);
	add_tiles(document, report);
	add_advice(document, report, SEEN_IN_PAGE);
	say_now(document, report);
	document_view(document, &(struct view){ .kind = VIEW_PARAGRAPH,
						.path = "burst.note" });
	add_demand(document, report);
	plan_changes_views(document, report, &rows);
	add_advice(document, report, SEEN_IN_TEXT);
	add_notes(document, report, &rows);
	plan_chief(document);
	return document;
}
