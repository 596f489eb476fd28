/* SPDX-License-Identifier: MIT */
#include "analysis/page/plan.h"

#include <string.h>

#include "analysis/metric.h"
#include "analysis/page/chart.h"
#include "analysis/page/frame.h"
#include "analysis/page/html.h"
#include "analysis/page/other.h"
#include "analysis/page/table.h"
#include "analysis/text.h"

#define LINE_MAX_BYTES 192
#define ROWS_MAX 64

static const char *text_of(const struct node *object, const char *path)
{
	const char *text = node_text(object, path);

	return text ? text : "";
}

static struct metric_value real_of(const struct node *object, const char *path)
{
	return node_value(node_at(object, path), METRIC_REAL);
}

static bool is_true(const struct node *object, const char *path)
{
	struct metric_value value =
		node_value(node_at(object, path), METRIC_BOOL);

	return value.known && value.real > 0;
}

bool page_is_plan(const struct node *root)
{
	return node_text(root, "goal.metric") && node_text(root, "goal.text");
}

static const char *unit_of_goal(const struct node *root)
{
	const struct metric *metric =
		metric_find(node_text(root, "goal.metric"));

	return metric ? metric->unit : "";
}

/* ---- the answer ---- */

static void put_now(FILE *out, const struct node *root)
{
	const struct metric_value figure = real_of(root, "now.figure");
	const char *limit = node_text(root, "now.binding");
	char name[LINE_MAX_BYTES], about[LINE_MAX_BYTES], text[VALUE_TEXT_MAX];

	page_tile(out, "Goal", text_of(root, "goal.text"),
		  is_true(root, "now.reached") ? "met as it is" :
						 "not met as it is");
	if (!figure.known)
		return;
	snprintf(name, sizeof(name), "%s, as it is",
		 text_of(root, "goal.metric"));
	snprintf(about, sizeof(about), "%s%s", limit ? limit : "",
		 limit ? " limits" : "");
	page_tile(out, name,
		  value_human(METRIC_REAL, unit_of_goal(root), figure, text,
			      sizeof(text)),
		  about);
}

static void put_cost(FILE *out, const struct node *root)
{
	const struct metric_value hour = real_of(root, "now.cost");
	const struct metric_value epoch = real_of(root, "now.cost_per_epoch");
	char name[LINE_MAX_BYTES], about[LINE_MAX_BYTES], text[VALUE_TEXT_MAX];

	if (!hour.known)
		return;
	snprintf(name, sizeof(name), "Cost an hour, %s",
		 text_of(root, "now.currency"));
	snprintf(about, sizeof(about), "%s an epoch",
		 value_human(METRIC_REAL, "", epoch, text, sizeof(text)));
	page_tile(out, name,
		  value_human(METRIC_REAL, "", hour, text, sizeof(text)),
		  epoch.known ? about : "as it is");
}

static void put_demand(FILE *out, const struct node *root)
{
	const struct metric_value rate = real_of(root, "demand.bytes_per_s");
	const struct metric_value all = real_of(root, "demand.all_bytes_per_s");
	const struct metric_value share =
		real_of(root, "demand.accelerators_per_device");
	char about[LINE_MAX_BYTES] = "", text[VALUE_TEXT_MAX];

	if (!rate.known)
		return;
	if (all.known)
		text_append(about, sizeof(about), "all together %s",
			    value_human(METRIC_REAL, "B/s", all, text,
					sizeof(text)));
	if (share.known)
		text_append(about, sizeof(about),
			    "%sthe device has bandwidth for %s of them",
			    about[0] ? "; " : "",
			    value_human(METRIC_REAL, "x", share, text,
					sizeof(text)));
	page_tile(out, "An accelerator that never idles reads",
		  value_human(METRIC_REAL, "B/s", rate, text, sizeof(text)),
		  about);
}

static void put_note(FILE *out, const char *about, const char *text)
{
	fputs("<li>", out);
	html_text(out, about);
	html_text(out, text);
	fputs("</li>", out);
}

static void put_notes(FILE *out, const struct node *root)
{
	const struct node *rows = node_at(root, "plan");
	const char *lacks = node_text(root, "now.cost_lacks");
	const char *burst = node_text(root, "burst.note");
	const struct node *notes = node_at(root, "notes");
	size_t i;

	fputs("<ul class=\"notes\">", out);
	if (!is_true(root, "complete"))
		put_note(out, "",
			 "Interrupted: what is missing was not tried.");
	if (burst)
		put_note(out, "", burst);
	if (lacks)
		put_note(out, "Not in the costs, for want of prices: ", lacks);
	for (i = 0; i < node_count(notes) && i < ROWS_MAX; i++)
		put_note(out, "", text_of(node_item(notes, i), "text"));
	for (i = 0; i < node_count(rows) && i < ROWS_MAX; i++) {
		const struct node *row = node_item(rows, i);
		char key[LINE_MAX_BYTES];

		snprintf(key, sizeof(key), "%s: ", text_of(row, "key"));
		if (node_text(row, "note"))
			put_note(out, key, node_text(row, "note"));
	}
	fputs("</ul>\n", out);
}

/* ---- answers ---- */

struct answers {
	const struct node *rows[ROWS_MAX];
	size_t count;
	bool missed; /* by some */
};

static struct answers answers_of(const struct node *root, const char *way)
{
	const struct node *rows = node_at(root, "plan");
	struct answers answers = { .count = 0 };
	size_t i;

	for (i = 0; i < node_count(rows) && answers.count < ROWS_MAX; i++) {
		const struct node *row = node_item(rows, i);

		if (strcmp(text_of(row, "way"), way))
			continue;
		answers.missed |= !is_true(row, "reached");
		answers.rows[answers.count++] = row;
	}
	return answers;
}

/* What a row's key is, or becomes. */
static const char *setting(const struct node *row, const char *which,
			   char *text, size_t size)
{
	const struct metric_value value = real_of(row, which);
	const char *unit = text_of(row, "unit");

	if (unit[0])
		return value_human(METRIC_REAL, unit, value, text, size);
	snprintf(text, size, "%.9g", value.real);
	return text;
}

enum column { KEY, FROM, TO, FIGURE, HOUR, EPOCH, BINDING, COLUMNS };

static struct metric_value cell(const void *context, size_t index,
				size_t column)
{
	static _Thread_local char text[VALUE_TEXT_MAX];
	const struct node *row = ((const struct answers *)context)->rows[index];

	switch ((enum column)column) {
	case KEY:
		return value_text(text_of(row, "key"));
	case FROM:
		if (!real_of(row, "now").known)
			return value_unknown();
		return value_text(setting(row, "now", text, sizeof(text)));
	case TO:
		if (!is_true(row, "reached"))
			return value_text("not in its range");
		return value_text(setting(row, "value", text, sizeof(text)));
	case FIGURE:
		return real_of(row, "figure");
	case HOUR:
		return real_of(row, "cost");
	case EPOCH:
		return real_of(row, "cost_per_epoch");
	default:
		return value_text(node_text(row, "binding"));
	}
}

static enum text_tone tone(const void *context, size_t index, size_t column)
{
	const struct answers *answers = context;

	(void)column;
	return is_true(answers->rows[index], "advised") ? TONE_BEST :
							  TONE_PLAIN;
}

static void put_table(FILE *out, const struct node *root, const char *way,
		      const char *caption)
{
	const bool most = !strcmp(way, "most");
	const struct answers answers = answers_of(root, way);
	const struct grid_column columns[COLUMNS] = {
		[KEY] = { "key", METRIC_TEXT, "", "change", FOR_ALL },
		[FROM] = { "from", METRIC_TEXT, "", NULL, FOR_ALL },
		[TO] = { "to", METRIC_TEXT, "", NULL, FOR_ALL },
		[FIGURE] = { "figure", METRIC_REAL, unit_of_goal(root),
			     text_of(root, "goal.metric"), FOR_ALL },
		[HOUR] = { "cost", METRIC_REAL, "", "cost an hour", FOR_ALL },
		[EPOCH] = { "cost_per_epoch", METRIC_REAL, "", "cost an epoch",
			    FOR_ALL },
		[BINDING] = { "binding", METRIC_TEXT, "",
			      most ? "forbids more" : "then limits", FOR_ALL },
	};
	const struct grid grid = {
		.columns = columns,
		.column_count = COLUMNS,
		.row_count = answers.count,
		.context = &answers,
		.cell = cell,
		.tone = tone,
	};

	if (!answers.count)
		return;
	page_table(out, &grid, caption, SIZE_MAX);
	if (answers.missed)
		fprintf(out,
			"<p>Not in its range: no value in it meets the goal; "
			"the figures are those of its %s end.</p>\n",
			most ? "lower" : "upper");
}

/* ---- charts ---- */

/* The last two words of a key tell it from the others, and leave room. */
static const char *short_key(const struct node *row)
{
	const char *key = text_of(row, "key"), *at = key + strlen(key);
	int dots = 0;

	for (; at > key; at--)
		if (at[-1] == '.' && ++dots == 2)
			break;
	return at;
}

static void label_change(struct plot *plot, const struct node *row)
{
	char label[LINE_MAX_BYTES], value[VALUE_TEXT_MAX];

	snprintf(label, sizeof(label), "%s %s", short_key(row),
		 is_true(row, "reached") ?
			 setting(row, "value", value, sizeof(value)) :
			 "at most");
	chart_label(plot, label);
}

/* A bar for what there is, one for each change alone, and one for all that are
 * made together: of one member of the answers. */
static void put_chart(FILE *out, const struct node *root, struct chart *chart,
		      const char *now, const char *member,
		      struct metric_value goal)
{
	const struct answers alone = answers_of(root, "alone");
	const struct answers together = answers_of(root, "together");
	struct plot plot;
	size_t i;

	chart->bars = 1 + alone.count + (together.count > 0);
	if (chart->bars == 1)
		return;
	chart_begin(&plot, out, chart);
	chart_label(&plot, "as it is");
	for (i = 0; i < alone.count; i++)
		label_change(&plot, alone.rows[i]);
	if (together.count)
		chart_label(&plot, "together");
	chart_series(&plot, chart->x_title, COLOUR_SERIES);
	chart_bar(&plot, chart->x_unit, real_of(root, now));
	for (i = 0; i < alone.count; i++)
		chart_bar(&plot, chart->x_unit, real_of(alone.rows[i], member));
	if (together.count)
		chart_bar(&plot, chart->x_unit,
			  real_of(together.rows[0], member));
	chart_series_end(&plot);
	if (goal.known)
		chart_mark(&plot, goal, "goal");
	chart_end(&plot);
}

static void put_charts(FILE *out, const struct node *root)
{
	const char *metric = text_of(root, "goal.metric");
	char title[LINE_MAX_BYTES];
	struct chart chart = {
		.id = "figure",
		.kind = "bars",
		.title = title,
		.x_title = metric,
		.x_unit = unit_of_goal(root),
	};

	snprintf(title, sizeof(title), "What each comes to: %s", metric);
	put_chart(out, root, &chart, "now.figure", "figure",
		  real_of(root, "goal.bound"));
	if (!real_of(root, "now.cost_per_epoch").known)
		return;
	snprintf(title, sizeof(title), "What an epoch costs, %s",
		 text_of(root, "now.currency"));
	chart.id = "cost";
	chart.x_title = "cost of an epoch";
	chart.x_unit = "";
	put_chart(out, root, &chart, "now.cost_per_epoch", "cost_per_epoch",
		  value_unknown());
}

void page_plan(FILE *out, const struct node *root)
{
	fputs("<dl class=\"answer\">\n", out);
	put_now(out, root);
	put_cost(out, root);
	put_demand(out, root);
	fputs("</dl>\n<p class=\"advice\">", out);
	html_text(out, text_of(root, "advice"));
	fputs("</p>\n", out);
	put_notes(out, root);
	page_section(out, "changes", "What would do",
		     "Found by simulation, within the ranges that were given: "
		     "the least change that meets the goal, or where most is "
		     "asked for, the most that does not break it.");
	put_charts(out, root);
	put_table(out, root, "alone", "One change alone");
	put_table(out, root, "together", "All together, the cheapest");
	put_table(out, root, "most", "As much as the goal allows");
	fputs("</section>\n<section id=\"figures\" aria-label=\"All figures\">"
	      "<details>\n<summary>All figures</summary>\n",
	      out);
	page_names(out, root);
	fputs("</details></section>\n", out);
}
