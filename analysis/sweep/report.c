/* SPDX-License-Identifier: MIT */
/* A sweep as a grid: every figure of every point for spreadsheets, and what
 * tells points apart for people, with what its knees say. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format.h"
#include "analysis/metric.h"
#include "analysis/sweep/sweep.h"
#include "analysis/text.h"
#include "sim/check.h"

#define BAR_COLUMNS 10
#define MARK_MAX 24
#define WORDS_MAX 12

enum source {
	SOURCE_AXIS,
	SOURCE_METRIC,
	SOURCE_CHIEF, /* of repetitions */
	SOURCE_HALF,  /* half the width of the interval */
	SOURCE_BAR,
	SOURCE_MARK,
};

struct pick {
	enum source source;
	uint32_t index; /* of the axis, row or chief metric */
	size_t member;	/* SOURCE_CHIEF: which of the interval's figures */
};

#define COLUMNS_MAX 256

/* The columns, and the texts that are made for the rows. */
struct table {
	const struct sweep *sweep;
	uint32_t *points; /* of the rows */
	struct pick picks[COLUMNS_MAX];
	struct grid_column columns[COLUMNS_MAX];
	char names[COLUMNS_MAX][FIELD_KEY_MAX + 4];
	size_t column_count;
	char (*bars)[BAR_COLUMNS + 1];
	char (*marks)[MARK_MAX];
	size_t row_count;
};

static const struct {
	const char *name;
	size_t offset;
} members[] = {
	{ "mean", offsetof(struct interval, mean) },
	{ "min", offsetof(struct interval, min) },
	{ "max", offsetof(struct interval, max) },
	{ "ci95_low", offsetof(struct interval, low) },
	{ "ci95_high", offsetof(struct interval, high) },
};

static void add_column(struct table *table, struct pick pick, const char *name,
		       enum metric_kind kind, const char *unit)
{
	size_t at = table->column_count++;

	snprintf(table->names[at], sizeof(table->names[at]), "%s", name);
	table->picks[at] = pick;
	table->columns[at] = (struct grid_column){ table->names[at], kind, unit,
						   NULL, FOR_ALL };
}

static void add_metric(struct table *table, const char *name, const char *unit,
		       const char *heading)
{
	const struct metric *metric = metric_find(name);
	const struct pick pick = { SOURCE_METRIC,
				   (uint32_t)(metric - metric_table), 0 };

	add_column(table, pick, heading, metric->kind, unit);
}

/* Headings of an axis: the last two words of its key, one below the other. */
static void axis_heading(const char *key, char *text, size_t size)
{
	const char *last = strrchr(key, '.');
	const char *before = last;

	if (!last) {
		snprintf(text, size, "%s", key);
		return;
	}
	while (before > key && before[-1] != '.')
		before--;
	snprintf(text, size, "%.*s\n%s", (int)(last - before), before,
		 last + 1);
}

static enum metric_kind axis_kind(const struct vary *axis)
{
	if (!axis->is_number)
		return METRIC_TEXT;
	return axis->whole || axis->unit[0] == 'B' ? METRIC_COUNT : METRIC_REAL;
}

static struct metric_value axis_number(const struct vary *axis, uint32_t index)
{
	const struct vary_value *value = &axis->values[index];

	switch (axis_kind(axis)) {
	case METRIC_TEXT:
		return value_text(value->text);
	case METRIC_COUNT:
		return value_count((uint64_t)value->number);
	default:
		return value_real(value->number);
	}
}

static void add_axes(struct table *table, bool people)
{
	const struct sweep *sweep = table->sweep;
	char heading[FIELD_KEY_MAX + 4];
	const struct vary *axis;
	uint32_t i;

	for (i = 0; i < sweep->axis_count; i++) {
		axis = &sweep->axes[i];
		axis_heading(axis->key, heading, sizeof(heading));
		add_column(table, (struct pick){ SOURCE_AXIS, i, 0 },
			   people ? heading : axis->key, axis_kind(axis),
			   axis->unit);
	}
}

static struct metric_value chief_value(const struct interval *interval,
				       const struct pick *pick)
{
	double value;

	if (!interval->known)
		return value_unknown();
	if (pick->source == SOURCE_HALF)
		return value_real((interval->high - interval->low) / 2);
	memcpy(&value, (const char *)interval + members[pick->member].offset,
	       sizeof(value));
	return value_real(value);
}

/* Of a point that is not done nothing is known but that. */
static struct metric_value figure(const struct sweep_point *point,
				  uint32_t index)
{
	if (point->done)
		return point->values[index];
	return strcmp(metric_table[index].name, "complete") ? value_unknown() :
							      value_bool(false);
}

static struct metric_value cell(const void *context, size_t row, size_t column)
{
	const struct table *table = context;
	const struct pick *pick = &table->picks[column];
	uint32_t at = table->points[row];
	const struct sweep_point *point = &table->sweep->points[at];

	switch (pick->source) {
	case SOURCE_AXIS:
		return axis_number(&table->sweep->axes[pick->index],
				   sweep_index(table->sweep, at, pick->index));
	case SOURCE_METRIC:
		return figure(point, pick->index);
	case SOURCE_BAR:
		return value_text(table->bars[row]);
	case SOURCE_MARK:
		return value_text(table->marks[row]);
	default:
		return chief_value(&point->chief[pick->index], pick);
	}
}

static struct grid grid_of(const struct table *table)
{
	return (struct grid){
		.name = "points",
		.columns = table->columns,
		.column_count = table->column_count,
		.row_count = table->row_count,
		.context = table,
		.cell = cell,
	};
}

static void table_free(struct table *table)
{
	if (!table)
		return;
	free(table->points);
	free(table->bars);
	free(table->marks);
	free(table);
}

/* Of all points, or of those that are done. */
static struct table *table_new(const struct sweep *sweep, bool all)
{
	struct table *table = calloc(1, sizeof(*table));
	uint32_t count = sweep->point_count, i;

	if (!table)
		return NULL;
	table->sweep = sweep;
	table->points = calloc(count, sizeof(*table->points));
	table->bars = calloc(count, sizeof(*table->bars));
	table->marks = calloc(count, sizeof(*table->marks));
	if (!table->points || !table->bars || !table->marks) {
		table_free(table);
		return NULL;
	}
	for (i = 0; i < count; i++)
		if (all || sweep->points[i].done)
			table->points[table->row_count++] = i;
	return table;
}

/* CSV: the axes, every figure of a simulated run, those of repetitions. A point
 * that an interrupt left out is a row that says so. */

static void add_chief(struct table *table, uint32_t index)
{
	char name[FIELD_KEY_MAX];
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		snprintf(name, sizeof(name), "repeat.%s.%s",
			 sweep_chief_metrics[index], members[i].name);
		add_column(table, (struct pick){ SOURCE_CHIEF, index, i }, name,
			   METRIC_REAL, "");
	}
}

int sweep_csv(FILE *out, const struct sweep_report *report)
{
	struct table *table = table_new(report->sweep, true);
	struct grid grid;
	uint32_t i;
	int error;

	if (!table)
		return -ENOMEM;
	add_axes(table, false);
	for (i = 0; i < metric_count; i++)
		if (!metric_table[i].live_only &&
		    metric_table[i].kind != METRIC_PART)
			add_metric(table, metric_table[i].name, "",
				   metric_table[i].name);
	for (i = 0; report->sweep->repeat > 1 && i < SWEEP_CHIEF_COUNT; i++)
		add_chief(table, i);
	grid = grid_of(table);
	error = csv_grid(out, &grid);
	table_free(table);
	return error;
}

/* Text. */

/* Where a figure is among those that repetitions are summed up of. */
static uint32_t chief_index(const char *name)
{
	uint32_t i = 0;

	while (strcmp(sweep_chief_metrics[i], name) != 0) {
		i++;
		CHECK(i < SWEEP_CHIEF_COUNT);
	}
	return i;
}

/* A chief figure of a point: with repetitions their mean, which is what the
 * interval beside it is of. */
static void add_typical(struct table *table, const char *name, const char *unit,
			const char *heading)
{
	const struct pick mean = { SOURCE_CHIEF, chief_index(name), 0 };

	if (table->sweep->repeat > 1)
		add_column(table, mean, heading, METRIC_REAL, unit);
	else
		add_metric(table, name, unit, heading);
}

static struct metric_value typical_au(const struct table *table, size_t row)
{
	const struct pick mean = { SOURCE_CHIEF, chief_index("au"), 0 };
	uint32_t at = table->points[row];

	if (table->sweep->repeat > 1)
		return chief_value(&table->sweep->points[at].chief[mean.index],
				   &mean);
	return sweep_value(table->sweep, at, "au");
}

static void make_bar(struct table *table, size_t row)
{
	struct metric_value au = typical_au(table, row);
	size_t length = au.known ? (size_t)(au.real * BAR_COLUMNS + 0.5) : 0;

	if (length > BAR_COLUMNS)
		length = BAR_COLUMNS;
	memset(table->bars[row], '#', length);
}

/* "knee", or of which axes, by number: "knee 1,2". */
static void make_mark(struct table *table, size_t row)
{
	const struct sweep *sweep = table->sweep;
	uint32_t point = table->points[row], i;
	char *mark = table->marks[row];
	struct knee knee;
	size_t used;

	for (i = 0; i < sweep->axis_count; i++) {
		knee = sweep_knee(sweep, i, point);
		if (knee.verdict != KNEE_FOUND ||
		    knee.index != sweep_index(sweep, point, i))
			continue;
		used = strlen(mark);
		snprintf(mark + used, MARK_MAX - used, "%s",
			 used ? "," : "knee");
		used = strlen(mark);
		if (sweep->axis_count > 1)
			snprintf(mark + used, MARK_MAX - used, "%s%u",
				 mark[used - 1] == ',' ? "" : " ", i + 1);
	}
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

static void add_people_columns(struct table *table)
{
	const struct sweep *sweep = table->sweep;
	bool worth = !strcmp(sweep_rate_metric(sweep), "time_to_target_s");
	double first_s;

	add_axes(table, true);
	add_typical(table, "au", "%", "AU\n%");
	if (sweep->repeat > 1)
		add_column(table, (struct pick){ SOURCE_HALF, 0, 0 }, "\n+-",
			   METRIC_REAL, "%");
	if (sweep_bursts(sweep, &first_s))
		add_metric(table, "au_sustained", "%", "sustained\nAU %");
	else if (has_room_for_bars(sweep))
		add_column(table, (struct pick){ SOURCE_BAR, 0, 0 }, "AU",
			   METRIC_TEXT, "");
	add_typical(table, "examples_per_s", "#", "examples\n/s");
	if (worth)
		add_typical(table, "time_to_target_s", "s", "time to\ntarget");
	if (sweep->explains)
		add_metric(table, "bottleneck.resource", "", "bottleneck");
	add_column(table, (struct pick){ SOURCE_MARK, 0, 0 }, "\n", METRIC_TEXT,
		   "");
}

/* What the knee of the only axis says. */
static void describe_knee(FILE *out, const struct sweep *sweep)
{
	const struct vary *axis = &sweep->axes[0];
	struct knee knee = sweep_knee(sweep, 0, 0);
	char text[600], at[VALUE_TEXT_MAX], near[VALUE_TEXT_MAX];

	switch (knee.verdict) {
	case KNEE_UNKNOWN:
		return;
	case KNEE_FLAT:
		snprintf(text, sizeof(text),
			 "%s: no knee, it does not matter in this range.",
			 axis->key);
		break;
	case KNEE_BEYOND:
		snprintf(text, sizeof(text),
			 "%s: no knee, it still pays at the end of the range.",
			 axis->key);
		break;
	case KNEE_FOUND:
		snprintf(at, sizeof(at), "%s",
			 value_human(axis_kind(axis), axis->unit,
				     axis_number(axis, knee.index), near,
				     sizeof(near)));
		value_human(METRIC_REAL, axis->unit, value_real(knee.estimate),
			    near, sizeof(near));
		snprintf(text, sizeof(text),
			 "%s: the knee is at %s (between the points: near "
			 "%s); %s it a %s gains less than %.0f %%.",
			 axis->key, at, near,
			 knee.less_is_more ? "below" : "beyond",
			 knee.less_is_more ? "halving" : "doubling",
			 KNEE_GAIN_PER_DOUBLING * 100);
		break;
	}
	text_paragraph(out, "", "", text);
}

static void describe_knees(FILE *out, const struct sweep *sweep)
{
	char text[80 + FIELD_KEY_MAX];
	uint32_t i;

	if (sweep->axis_count == 1) {
		describe_knee(out, sweep);
		return;
	}
	for (i = 0; i < sweep->axis_count; i++) {
		if (!sweep->axes[i].is_number)
			continue;
		snprintf(text, sizeof(text),
			 "knee %u: more of %s stops paying here, all else "
			 "the same.",
			 i + 1, sweep->axes[i].key);
		text_paragraph(out, "", "", text);
	}
}

static void write_legend(FILE *out, const struct sweep *sweep)
{
	fputc('\n', out);
	text_paragraph(out, "", "",
		       "AU: share of time the accelerators compute; knee: "
		       "where more (of a time, less) stops paying.");
	if (sweep->repeat > 1)
		text_paragraph(out, "", "",
			       "Figures are the mean of all seeds, +- half "
			       "their 95 % interval; the bottleneck is that of "
			       "the first.");
	describe_knees(out, sweep);
}

static void write_notes(FILE *out, const struct sweep_report *report)
{
	const struct sweep *sweep = report->sweep;
	struct notes notes = *report->notes;
	char text[80];
	size_t i;

	sweep_notes(sweep, &notes);
	if (notes.count || !sweep->complete)
		fputc('\n', out);
	if (!sweep->complete) {
		snprintf(text, sizeof(text), "%u of %u points were made.",
			 sweep_done_count(sweep), sweep->point_count);
		text_paragraph(out, "note: ", "      ", text);
	}
	for (i = 0; i < notes.count; i++)
		text_paragraph(out, "note: ", "      ", notes.text[i]);
}

int sweep_text(FILE *out, const struct sweep_report *report)
{
	const struct sweep *sweep = report->sweep;
	struct table *table = table_new(sweep, false);
	struct grid grid;
	size_t i;

	if (!table)
		return -ENOMEM;
	add_people_columns(table);
	for (i = 0; i < table->row_count; i++) {
		make_bar(table, i);
		make_mark(table, i);
	}
	grid = grid_of(table);
	if (sweep->base.scenario->name[0])
		fprintf(out, "%s\n\n", sweep->base.scenario->name);
	text_table(out, &grid);
	write_legend(out, sweep);
	write_notes(out, report);
	table_free(table);
	return 0;
}
