/* SPDX-License-Identifier: MIT */
#include "analysis/plan/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plan/cost.h"
#include "analysis/plan/demand.h"
#include "analysis/format.h"
#include "analysis/hosts.h"
#include "analysis/page/page.h"
#include "analysis/text.h"

#define ROWS_MAX (3 * PLAN_KNOBS_MAX)
#define FACTS_MAX 24
#define GOALS_TEXT_MAX 512
#define MISSING_MAX 96

/* One knob of one answer. */
struct row {
	const struct plan_result *result;
	size_t knob;
	char now[48];
	char to[48];
};

struct rows {
	struct row rows[ROWS_MAX];
	size_t count;
	const struct plan_result *best;
};

enum column {
	COLUMN_WAY,
	COLUMN_KEY,
	COLUMN_VALUE,
	COLUMN_NOW,
	COLUMN_IN_ALL,
	COLUMN_UNIT,
	COLUMN_NOW_TEXT,
	COLUMN_VALUE_TEXT,
	COLUMN_REACHED,
	COLUMN_FIGURE,
	COLUMN_COST,
	COLUMN_COST_PER_EPOCH,
	COLUMN_CURRENCY,
	COLUMN_BINDING,
	COLUMN_ADVISED,
	COLUMN_NOTE,
	COLUMN_COUNT,
};

static const struct grid_column all_columns[COLUMN_COUNT] = {
	[COLUMN_WAY] = { "way", METRIC_TEXT, "", NULL, FOR_PROGRAMS },
	[COLUMN_KEY] = { "key", METRIC_TEXT, "", "change", FOR_ALL },
	[COLUMN_VALUE] = { "value", METRIC_REAL, "", NULL, FOR_PROGRAMS },
	[COLUMN_NOW] = { "now", METRIC_REAL, "", NULL, FOR_PROGRAMS },
	[COLUMN_IN_ALL] = { "in_all", METRIC_REAL, "", NULL, FOR_PROGRAMS },
	[COLUMN_UNIT] = { "unit", METRIC_TEXT, "", NULL, FOR_PROGRAMS },
	[COLUMN_NOW_TEXT] = { "from", METRIC_TEXT, "", "from", FOR_PEOPLE },
	[COLUMN_VALUE_TEXT] = { "to", METRIC_TEXT, "", "to", FOR_PEOPLE },
	[COLUMN_REACHED] = { "reached", METRIC_BOOL, "", NULL, FOR_PROGRAMS },
	[COLUMN_FIGURE] = { "figure", METRIC_REAL, "", "figure", FOR_ALL },
	[COLUMN_COST] = { "cost", METRIC_REAL, "", "cost\nan hour", FOR_ALL },
	[COLUMN_COST_PER_EPOCH] = { "cost_per_epoch", METRIC_REAL, "",
				    "cost an\nepoch", FOR_ALL },
	[COLUMN_CURRENCY] = { "currency", METRIC_TEXT, "", NULL, FOR_PROGRAMS },
	[COLUMN_BINDING] = { "binding", METRIC_TEXT, "", "then limits",
			     FOR_ALL },
	[COLUMN_ADVISED] = { "advised", METRIC_BOOL, "", NULL, FOR_PROGRAMS },
	[COLUMN_NOTE] = { "note", METRIC_TEXT, "", NULL, FOR_PROGRAMS },
};

static const char *const way_names[] = {
	[PLAN_ALONE] = "alone",
	[PLAN_MOST] = "most",
	[PLAN_TOGETHER] = "together",
};

/* ---- rows ---- */

static void add_row(struct rows *rows, const struct plan_result *result,
		    size_t knob)
{
	const struct vary *axis = &result->plan->knobs[knob];
	const struct plan_answer *answer = &result->answer;
	struct row *row = &rows->rows[rows->count++];

	row->result = result;
	row->knob = knob;
	plan_value(result, knob,
		   plan_knob_now(axis, result->plan->experiment->scenario),
		   row->now, sizeof(row->now));
	plan_value(result, knob,
		   answer->reached ? answer->point.values[knob] : NAN, row->to,
		   sizeof(row->to));
}

static void add_rows(struct rows *rows, const struct plan_report *report,
		     enum plan_way way)
{
	const struct plan_result *result;
	size_t i, knob;

	for (i = 0; i < report->result_count; i++) {
		result = &report->results[i];
		if (result->way != way || !result->answer.known)
			continue;
		if (way != PLAN_TOGETHER) {
			add_row(rows, result, result->knob);
			continue;
		}
		for (knob = 0; knob < result->plan->knob_count; knob++)
			if (plan_changes(result, knob))
				add_row(rows, result, knob);
	}
}

static struct metric_value words(const char *text)
{
	return text && *text ? value_text(text) : value_unknown();
}

static struct metric_value cell(const void *context, size_t index,
				size_t column)
{
	const struct row *row = &((const struct rows *)context)->rows[index];
	const struct plan_result *result = row->result;
	const struct plan_answer *answer = &result->answer;
	const struct vary *knob = &result->plan->knobs[row->knob];

	switch ((enum column)column) {
	case COLUMN_WAY:
		return value_text(way_names[result->way]);
	case COLUMN_KEY:
		return value_text(knob->key);
	case COLUMN_VALUE:
		if (!answer->reached)
			return value_unknown();
		return value_real(
			plan_knob_si(knob, answer->point.values[row->knob]));
	case COLUMN_NOW:
		return value_real(plan_knob_si(
			knob,
			plan_knob_now(knob,
				      result->plan->experiment->scenario)));
	case COLUMN_IN_ALL:
		if (!answer->reached)
			return value_unknown();
		return value_real(plan_in_all(result, row->knob,
					      answer->point.values[row->knob]));
	case COLUMN_UNIT:
		return value_text(knob->unit);
	case COLUMN_NOW_TEXT:
		return words(row->now);
	case COLUMN_VALUE_TEXT:
		return words(row->to);
	case COLUMN_REACHED:
		return value_bool(answer->reached);
	case COLUMN_FIGURE:
		return answer->trial.figure;
	case COLUMN_COST:
		return answer->trial.cost_per_hour;
	case COLUMN_COST_PER_EPOCH:
		return answer->trial.cost_per_epoch;
	case COLUMN_CURRENCY:
		if (!answer->trial.cost_per_hour.known)
			return value_unknown();
		return words(
			result->plan->experiment->scenario->prices.currency);
	case COLUMN_BINDING:
		return words(answer->trial.binding);
	case COLUMN_ADVISED:
		return value_bool(result ==
				  ((const struct rows *)context)->best);
	default:
		return words(answer->note);
	}
}

static enum text_tone tone(const void *context, size_t index, size_t column)
{
	const struct rows *rows = context;

	(void)column;
	return rows->rows[index].result == rows->best ? TONE_BEST : TONE_PLAIN;
}

static struct grid grid_of(const struct rows *rows,
			   const struct grid_column *columns)
{
	return (struct grid){
		.name = "plan",
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.row_count = rows->count,
		.context = rows,
		.cell = cell,
		.tone = tone,
	};
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

/* ---- text ---- */

static const char *number(const char *unit, struct metric_value value,
			  char *text)
{
	return value_human(METRIC_REAL, unit, value, text, VALUE_TEXT_MAX);
}

/* "au>=0.9 and storage.bytes_per_s<=2e9", as far as there is room. */
static void list_goals(const struct plan *plan, char *text, size_t size)
{
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < plan->goal_count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 i ? " and " : "", plan->goals[i].text);
}

static void write_now(FILE *out, const struct plan_report *report)
{
	const struct scenario *scenario = report->plan->experiment->scenario;
	const struct goal *goals = report->plan->goals;
	char text[VALUE_TEXT_MAX], names[GOALS_TEXT_MAX];
	char setting[HOSTS_TEXT_MAX];

	if (scenario->name[0])
		fprintf(out, "%s\n", scenario->name);
	text_paragraph(out, "", "",
		       hosts_say(scenario, setting, sizeof(setting)));
	fputc('\n', out);
	list_goals(report->plan, names, sizeof(names));
	fprintf(out, "Goal: %s. As it is, %s is %s", names,
		goals[0].metric->name,
		number(goals[0].metric->unit, report->now.figure, text));
	if (report->now.binding)
		fprintf(out, "; %s limits", report->now.binding);
	fprintf(out, ".\n");
	if (!report->now.cost_per_hour.known)
		return;
	fprintf(out, "Costs are in %s; as it is, %s an hour",
		scenario->prices.currency,
		number("", report->now.cost_per_hour, text));
	fprintf(out, " and %s an epoch.\n",
		number("", report->now.cost_per_epoch, text));
}

/* The utilisation that the first goal asks for; 1: it asks for none. */
static double wanted_au(const struct plan_report *report)
{
	const struct goal *goal = &report->plan->goals[0];
	bool asks = goal->at_least && !strcmp(goal->metric->name, "au");

	return asks && goal->bound > 0 ? goal->bound : 1;
}

static void write_share(FILE *out, const char *what, struct metric_value count,
			double au)
{
	char text[VALUE_TEXT_MAX];

	if (!count.known)
		return;
	fprintf(out, "%s is that of %s of them", what,
		number("x", count, text));
	if (au < 1)
		fprintf(out, ", or of %s at an au of %g",
			number("x", value_real(count.real / au), text), au);
	fprintf(out, ".\n");
}

static void write_demand(FILE *out, const struct plan_report *report)
{
	struct demand demand = demand_of(report);
	char text[VALUE_TEXT_MAX];

	fprintf(out, "One accelerator that never idles reads %s",
		number("B/s", value_real(demand.bytes_per_s), text));
	if (demand.accelerators > 1)
		fprintf(out, ", all %llu together %s",
			(unsigned long long)demand.accelerators,
			number("B/s",
			       value_real((double)demand.accelerators *
					  demand.bytes_per_s),
			       text));
	fprintf(out, ".\n");
	write_share(out,
		    demand.in_each_host ?
			    "The device's bandwidth in each host" :
			    "The device's bandwidth",
		    demand.per_device, wanted_au(report));
	write_share(out, "A host's link", demand.per_link, wanted_au(report));
}

static void write_table(FILE *out, const struct plan_report *report,
			enum plan_way way, const char *heading)
{
	struct grid_column columns[COLUMN_COUNT];
	const struct metric *metric = report->plan->goals[0].metric;
	struct rows rows = { .best = plan_best(report) };
	struct grid grid = grid_of(&rows, columns);
	bool priced = report->now.cost_per_hour.known;
	size_t i;

	memcpy(columns, all_columns, sizeof(columns));
	columns[COLUMN_FIGURE].heading = metric->name;
	columns[COLUMN_FIGURE].unit = metric->unit;
	if (way == PLAN_MOST)
		columns[COLUMN_BINDING].heading = "forbids more";
	if (!priced) {
		columns[COLUMN_COST].audience = FOR_PROGRAMS;
		columns[COLUMN_COST_PER_EPOCH].audience = FOR_PROGRAMS;
	}
	add_rows(&rows, report, way);
	grid.style = report->style;
	grid.row_count = rows.count;
	if (!rows.count)
		return;
	fprintf(out, "\n%s\n", heading);
	text_table(out, &grid);
	for (i = 0; i < rows.count && rows.rows[i].result->answer.reached; i++)
		;
	if (i < rows.count && way == PLAN_ALONE)
		fprintf(out, "-: not even at the upper end of its range, whose "
			     "figures these are.\n");
	for (i = 0; i < rows.count; i++) {
		const struct plan_result *result = rows.rows[i].result;

		if (!result->answer.note[0])
			continue;
		fprintf(out, "  %s: %s\n",
			result->plan->knobs[rows.rows[i].knob].key,
			result->answer.note);
	}
}

int plan_text(FILE *out, const struct plan_report *report)
{
	char advice[PLAN_ADVICE_MAX], missing[MISSING_MAX];
	char burst[PLAN_BURST_MAX];
	size_t i;

	write_now(out, report);
	if (*plan_burst(report, burst, sizeof(burst)))
		text_paragraph(out, "", "", burst);
	write_demand(out, report);
	write_table(out, report, PLAN_ALONE, "One change alone, the least:");
	write_table(out, report, PLAN_TOGETHER, "Together, the cheapest:");
	write_table(out, report, PLAN_MOST, "At most:");
	plan_advice(report, advice, sizeof(advice));
	fputc('\n', out);
	if (*advice)
		text_paragraph(out, "Advice: ", "        ", advice);
	cost_missing(report->plan->experiment->scenario, missing,
		     sizeof(missing));
	if (report->now.cost_per_hour.known && *missing)
		fprintf(out, "Not in the costs, for want of prices: %s.\n",
			missing);
	if (report->unpriced)
		text_paragraph(out, "", "",
			       "None of these changes has a price, so no "
			       "combination is the cheapest: --prices FILE, or "
			       "prices in the scenario or its device.");
	for (i = 0; i < report->notes.count; i++)
		text_paragraph(out, "note: ", "      ", report->notes.text[i]);
	if (!report->complete)
		fprintf(out, "Interrupted: what is missing was not tried.\n");
	return 0;
}

/* ---- programs ---- */

struct facts {
	struct host_fact list[FACTS_MAX];
	size_t count;
};

static void add(struct facts *facts, const char *name, enum metric_kind kind,
		struct metric_value value)
{
	facts->list[facts->count++] = (struct host_fact){ name, kind, value };
}

int plan_json(FILE *out, const struct plan_report *report)
{
	const struct scenario *scenario = report->plan->experiment->scenario;
	struct demand demand = demand_of(report);
	struct facts facts = { .count = 0 };
	struct rows rows = { .best = plan_best(report) };
	char advice[PLAN_ADVICE_MAX], missing[MISSING_MAX];
	char goals[GOALS_TEXT_MAX], setting[HOSTS_TEXT_MAX];
	char burst[PLAN_BURST_MAX];
	struct grid grids[2];

	add_rows(&rows, report, PLAN_ALONE);
	add_rows(&rows, report, PLAN_TOGETHER);
	add_rows(&rows, report, PLAN_MOST);
	grids[0] = grid_of(&rows, all_columns);
	grids[1] = notes_grid(&report->notes);
	plan_advice(report, advice, sizeof(advice));
	cost_missing(scenario, missing, sizeof(missing));
	list_goals(report->plan, goals, sizeof(goals));
	add(&facts, "scenario.name", METRIC_TEXT, words(scenario->name));
	add(&facts, "setting", METRIC_TEXT,
	    value_text(hosts_say(scenario, setting, sizeof(setting))));
	add(&facts, "complete", METRIC_BOOL, value_bool(report->complete));
	add(&facts, "goal.metric", METRIC_TEXT,
	    value_text(report->plan->goals[0].metric->name));
	add(&facts, "goal.bound", METRIC_REAL,
	    value_real(report->plan->goals[0].bound));
	add(&facts, "goal.text", METRIC_TEXT, value_text(goals));
	add(&facts, "now.figure", METRIC_REAL, report->now.figure);
	add(&facts, "now.reached", METRIC_BOOL, value_bool(report->now.met));
	add(&facts, "now.binding", METRIC_TEXT, words(report->now.binding));
	add(&facts, "now.cost", METRIC_REAL, report->now.cost_per_hour);
	add(&facts, "now.cost_per_epoch", METRIC_REAL,
	    report->now.cost_per_epoch);
	add(&facts, "now.sustained", METRIC_BOOL,
	    value_bool(report->now.drained));
	add(&facts, "burst.figure", METRIC_REAL, report->start.figure);
	add(&facts, "burst.lasts_s", METRIC_REAL, report->start.lasts_s);
	add(&facts, "burst.note", METRIC_TEXT,
	    words(plan_burst(report, burst, sizeof(burst))));
	if (report->now.cost_per_hour.known) {
		add(&facts, "now.currency", METRIC_TEXT,
		    words(scenario->prices.currency));
		add(&facts, "now.cost_lacks", METRIC_TEXT, words(missing));
	}
	add(&facts, "demand.bytes_per_s", METRIC_REAL,
	    value_real(demand.bytes_per_s));
	add(&facts, "demand.all_bytes_per_s", METRIC_REAL,
	    value_real((double)demand.accelerators * demand.bytes_per_s));
	add(&facts, "demand.accelerators_per_link", METRIC_REAL,
	    demand.per_link);
	add(&facts, "demand.accelerators_per_device", METRIC_REAL,
	    demand.per_device);
	add(&facts, "advice", METRIC_TEXT, words(advice));
	return json_facts(out, facts.list, facts.count, grids, 2);
}

static int write_json(FILE *out, const void *report)
{
	return plan_json(out, report);
}

int plan_html(FILE *out, const struct plan_report *report)
{
	return page_of_json(out, write_json, report);
}

int plan_csv(FILE *out, const struct plan_report *report)
{
	struct rows rows = { .best = plan_best(report) };
	struct grid grid;

	add_rows(&rows, report, PLAN_ALONE);
	add_rows(&rows, report, PLAN_TOGETHER);
	add_rows(&rows, report, PLAN_MOST);
	grid = grid_of(&rows, all_columns);
	return csv_grid(out, &grid);
}
