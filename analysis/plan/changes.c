/* SPDX-License-Identifier: MIT */
/* What each change comes to: the answers of a plan as data, and their tables
 * and charts. */
#include "analysis/plan/changes.h"

#include <math.h>
#include <string.h>

#include "analysis/document/grid.h"

enum column {
	COLUMN_WAY,
	COLUMN_KEY,
	COLUMN_VALUE,
	COLUMN_NOW,
	COLUMN_IN_ALL,
	COLUMN_UNIT,
	COLUMN_FROM,
	COLUMN_TO,
	COLUMN_REACHED,
	COLUMN_FIGURE,
	COLUMN_COST,
	COLUMN_COST_PER_EPOCH,
	COLUMN_CURRENCY,
	COLUMN_BINDING,
	COLUMN_REMEDY,
	COLUMN_REMEDY_GAIN,
	COLUMN_ADVISED,
	COLUMN_NOTE,
	COLUMN_COUNT,
};

static const struct view_column plan_columns[COLUMN_COUNT] = {
	[COLUMN_WAY] = COLUMN_FOR(SEEN_IN_CSV, "way", METRIC_TEXT, "", NULL),
	[COLUMN_KEY] = COLUMN("key", METRIC_TEXT, "", "change"),
	[COLUMN_VALUE] =
		COLUMN_FOR(SEEN_IN_CSV, "value", METRIC_REAL, "", NULL),
	[COLUMN_NOW] = COLUMN_FOR(SEEN_IN_CSV, "now", METRIC_REAL, "", NULL),
	[COLUMN_IN_ALL] =
		COLUMN_FOR(SEEN_IN_CSV, "in_all", METRIC_REAL, "", NULL),
	[COLUMN_UNIT] = COLUMN_FOR(SEEN_IN_CSV, "unit", METRIC_TEXT, "", NULL),
	[COLUMN_FROM] =
		COLUMN_FOR(SEEN_BY_PEOPLE, "from", METRIC_TEXT, "", NULL),
	[COLUMN_TO] = COLUMN_FOR(SEEN_BY_PEOPLE, "to", METRIC_TEXT, "", NULL),
	[COLUMN_REACHED] =
		COLUMN_FOR(SEEN_IN_CSV, "reached", METRIC_BOOL, "", NULL),
	[COLUMN_FIGURE] = COLUMN("figure", METRIC_REAL, "", NULL),
	[COLUMN_COST] = COLUMN("cost", METRIC_REAL, "", "cost\nan hour"),
	[COLUMN_COST_PER_EPOCH] =
		COLUMN("cost_per_epoch", METRIC_REAL, "", "cost an\nepoch"),
	[COLUMN_CURRENCY] =
		COLUMN_FOR(SEEN_IN_CSV, "currency", METRIC_TEXT, "", NULL),
	[COLUMN_BINDING] = COLUMN("binding", METRIC_TEXT, "", "then limits"),
	[COLUMN_REMEDY] =
		COLUMN_FOR(SEEN_IN_CSV, "remedy", METRIC_TEXT, "", NULL),
	[COLUMN_REMEDY_GAIN] =
		COLUMN_FOR(SEEN_IN_CSV, "remedy_gain", METRIC_REAL, "", NULL),
	[COLUMN_ADVISED] =
		COLUMN_FOR(SEEN_IN_CSV, "advised", METRIC_BOOL, "", NULL),
	[COLUMN_NOTE] = COLUMN_FOR(SEEN_IN_CSV, "note", METRIC_TEXT, "", NULL),
};

/* How the answers of a way are shown. */
static const struct {
	const char *name;
	const char *title;
	const char *missed; /* what a dash means */
} ways[] = {
	[PLAN_ALONE] = { "alone", "One change alone, the least",
			 "-: not even at the upper end of its range, whose "
			 "figures these are." },
	[PLAN_MOST] = { "most", "At most",
			"-: not even at the lower end of its range, whose "
			"figures these are." },
	[PLAN_TOGETHER] = { "together", "Together, the cheapest", NULL },
	[PLAN_MEASURED] = { "measured", "Explained by one value alone",
			    "-: by none in its range; the figure is the "
			    "nearest to what was measured." },
};

/* The knob's value that answers; NAN: none does. */
static double found(const struct plan_row *row)
{
	const struct plan_answer *answer = &row->result->answer;

	return answer->reached ? answer->point.values[row->knob] : NAN;
}

static void add_row(struct plan_rows *rows, const struct plan_result *result,
		    size_t knob)
{
	const struct vary *axis = &result->plan->knobs[knob];
	struct plan_row *row = &rows->rows[rows->count++];

	row->result = result;
	row->knob = knob;
	plan_value(result, knob,
		   plan_knob_now(axis, result->plan->experiment->scenario),
		   row->now, sizeof(row->now));
	plan_value(result, knob, found(row), row->to, sizeof(row->to));
}

static void add_way(struct plan_rows *rows, const struct plan_report *report,
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

static struct metric_value cell(const void *context, size_t index,
				size_t column)
{
	const struct plan_row *row =
		&((const struct plan_rows *)context)->rows[index];
	const struct plan_result *result = row->result;
	const struct plan_answer *answer = &result->answer;
	const struct vary *knob = &result->plan->knobs[row->knob];

	switch ((enum column)column) {
	case COLUMN_WAY:
		return value_text(ways[result->way].name);
	case COLUMN_KEY:
		return value_text(knob->key);
	case COLUMN_VALUE:
		return value_real(plan_knob_si(knob, found(row)));
	case COLUMN_NOW:
		return value_real(plan_knob_si(
			knob,
			plan_knob_now(knob,
				      result->plan->experiment->scenario)));
	case COLUMN_IN_ALL:
		return value_real(plan_in_all(result, row->knob, found(row)));
	case COLUMN_UNIT:
		return value_text(knob->unit);
	case COLUMN_FROM:
		return plan_words(row->now);
	case COLUMN_TO:
		return plan_words(row->to);
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
		return plan_words(
			result->plan->experiment->scenario->prices.currency);
	case COLUMN_BINDING:
		return plan_words(answer->trial.binding);
	case COLUMN_REMEDY:
		return plan_words(answer->trial.remedy);
	case COLUMN_REMEDY_GAIN:
		return answer->trial.remedy_gain;
	case COLUMN_ADVISED:
		return value_bool(result ==
				  ((const struct plan_rows *)context)->best);
	default:
		return plan_words(answer->note);
	}
}

/* All answers are one list of the data; each way has a view of its own. */
void plan_answers(struct document *document, const struct plan_rows *rows)
{
	const struct grid grid = {
		.name = "plan",
		.columns = plan_columns,
		.column_count = COLUMN_COUNT,
		.row_count = rows->count,
		.context = rows,
		.cell = cell,
	};

	document_rows(document, &grid);
}

/* ---- what each change comes to ---- */

static bool is_missed(const struct plan_rows *rows, enum plan_way way)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		if (rows->rows[i].result->way == way &&
		    !rows->rows[i].result->answer.reached)
			return true;
	return false;
}

static void add_table(struct document *document,
		      const struct plan_report *report,
		      const struct plan_rows *rows, enum plan_way way)
{
	const struct metric *metric = report->plan->goals[0].metric;
	struct view_column *columns = document_columns(document, COLUMN_COUNT);

	if (!columns)
		return;
	memcpy(columns, plan_columns, sizeof(plan_columns));
	columns[COLUMN_FIGURE].heading = metric->name;
	columns[COLUMN_FIGURE].unit = metric->unit;
	if (way == PLAN_MOST)
		columns[COLUMN_BINDING].heading = "forbids more";
	if (!report->now.cost_per_hour.known) {
		columns[COLUMN_COST].audience = SEEN_IN_CSV;
		columns[COLUMN_COST_PER_EPOCH].audience = SEEN_IN_CSV;
	}
	document_view(document,
		      &(struct view){
			      .kind = VIEW_TABLE,
			      .id = ways[way].name,
			      .title = ways[way].title,
			      .about = is_missed(rows, way) ? ways[way].missed :
							      NULL,
			      .path = "plan",
			      .where = "way",
			      .is = ways[way].name,
			      .best = "advised",
			      .columns = columns,
			      .column_count = COLUMN_COUNT,
		      });
}

/* The last two words of a key tell it from the others, and leave room. */
static const char *short_key(const char *key)
{
	const char *at = key + strlen(key);
	int dots = 0;

	for (; at > key; at--)
		if (at[-1] == '.' && ++dots == 2)
			break;
	return at;
}

static void add_outcome(struct document *document, struct node *list,
			const char *name, const struct plan_trial *trial)
{
	struct node *item = document_item(document, list);

	document_set(document, item, "name", METRIC_TEXT, value_text(name));
	document_set(document, item, "figure", METRIC_REAL, trial->figure);
	document_set(document, item, "cost_per_epoch", METRIC_REAL,
		     trial->cost_per_epoch);
}

/* What there is, each change alone, and all together: for the charts. */
static void set_outcomes(struct document *document,
			 const struct plan_report *report,
			 const struct plan_rows *rows)
{
	struct node *list =
		document_list(document, document_data(document), "outcomes");
	bool together = false;
	size_t i;

	add_outcome(document, list, "as it is", &report->now);
	for (i = 0; i < rows->count; i++) {
		const struct plan_row *row = &rows->rows[i];
		const struct plan_result *result = row->result;
		const struct vary *knob = &result->plan->knobs[row->knob];

		if (result->way == PLAN_TOGETHER && together)
			continue;
		together |= result->way == PLAN_TOGETHER;
		add_outcome(document, list,
			    result->way == PLAN_TOGETHER ?
				    "together" :
				    document_text(document, "%s %s",
						  short_key(knob->key),
						  row->to[0] ? row->to :
							       "at most"),
			    &result->answer.trial);
	}
}

static void add_chart(struct document *document, const char *id,
		      const char *title, const char *unit, const char *path,
		      const char *marks)
{
	struct view_column *column = document_columns(document, 1);

	if (!column)
		return;
	*column = (struct view_column)COLUMN(path, METRIC_REAL, unit, title);
	document_view(document, &(struct view){
					.kind = VIEW_CHART,
					.id = id,
					.title = title,
					.path = "outcomes",
					.label = "name",
					.columns = column,
					.column_count = 1,
					.chart = { .kind = CHART_BARS,
						   .marks = marks,
						   .x_title = title,
						   .x_unit = unit },
				});
}

static void add_charts(struct document *document,
		       const struct plan_report *report)
{
	const struct goal *goal = &report->plan->goals[0];
	const struct metric *metric = goal->metric;
	struct node *mark = document_item(
		document,
		document_list(document, document_data(document), "marks.goal"));

	document_set(document, mark, "x", METRIC_REAL, value_real(goal->bound));
	document_set(document, mark, "text", METRIC_TEXT, value_text("goal"));
	add_chart(document, "figure",
		  document_text(document, "What each comes to: %s",
				metric->name),
		  metric->unit, "figure", "marks.goal");
	if (report->now.cost_per_epoch.known)
		add_chart(document, "cost",
			  document_text(document, "What an epoch costs, %s",
					report->plan->experiment->scenario
						->prices.currency),
			  "", "cost_per_epoch", NULL);
}

void plan_changes_views(struct document *document,
			const struct plan_report *report,
			const struct plan_rows *rows)
{
	static const enum plan_way order[] = { PLAN_ALONE, PLAN_TOGETHER,
					       PLAN_MOST };
	size_t i;

	if (report->measured) {
		document_section(document, "changes", "What would explain it",
				 "Found by simulation: of each unknown alone, "
				 "all else as it is, the value at which the "
				 "simulation comes to what was measured, and "
				 "what limits then.");
		add_table(document, report, rows, PLAN_MEASURED);
		return;
	}
	set_outcomes(document, report, rows);
	document_section(document, "changes", "What would do",
			 "Found by simulation, within the ranges that were "
			 "given: the least change that meets the goal, or "
			 "where most is asked for, the most that does not "
			 "break it.");
	add_charts(document, report);
	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		add_table(document, report, rows, order[i]);
}

void plan_rows_find(struct plan_rows *rows, const struct plan_report *report)
{
	*rows = (struct plan_rows){ .best = plan_best(report) };
	add_way(rows, report, PLAN_ALONE);
	add_way(rows, report, PLAN_TOGETHER);
	add_way(rows, report, PLAN_MOST);
	add_way(rows, report, PLAN_MEASURED);
}

void plan_chief(struct document *document)
{
	document_view(document, &(struct view){ .kind = VIEW_TABLE,
						.audience = SEEN_IN_CSV,
						.id = "answers",
						.path = "plan",
						.columns = plan_columns,
						.column_count = COLUMN_COUNT });
	document_chief(document, "answers");
}
