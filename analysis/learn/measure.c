/* SPDX-License-Identifier: MIT */
#include "analysis/learn/measure.h"

#include <string.h>

#include "analysis/version.h"
#include "traces/scenario.h"

#define BATCH 32
#define SHUFFLE 512

void learn_plan(struct learn_table *table)
{
	static const struct learn_condition plan[] = {
		{ ECHO_NONE, 1, BATCH, SHUFFLE, 1 },
		/* Where? */
		{ ECHO_BATCH, 2, BATCH, SHUFFLE, 1 },
		{ ECHO_BATCH, 4, BATCH, SHUFFLE, 1 },
		{ ECHO_EXAMPLE_AFTER_AUGMENT, 2, BATCH, SHUFFLE, 1 },
		{ ECHO_EXAMPLE_AFTER_AUGMENT, 4, BATCH, SHUFFLE, 1 },
		{ ECHO_EXAMPLE_BEFORE_AUGMENT, 2, BATCH, SHUFFLE, 1 },
		{ ECHO_EXAMPLE_BEFORE_AUGMENT, 4, BATCH, SHUFFLE, 1 },
		/* How often? */
		{ ECHO_EXAMPLE_BEFORE_AUGMENT, 8, BATCH, SHUFFLE, 1 },
		{ ECHO_EXAMPLE_BEFORE_AUGMENT, 16, BATCH, SHUFFLE, 1 },
		/* How far apart? */
		{ ECHO_BATCH, 2, BATCH, SHUFFLE, 16 },
		{ ECHO_EXAMPLE_AFTER_AUGMENT, 2, BATCH, BATCH, 1 },
		{ ECHO_EXAMPLE_BEFORE_AUGMENT, 2, BATCH, BATCH, 1 },
		/* In what batches? */
		{ ECHO_NONE, 1, 8, SHUFFLE, 1 },
		{ ECHO_BATCH, 2, 8, SHUFFLE, 1 },
		{ ECHO_EXAMPLE_BEFORE_AUGMENT, 2, 8, SHUFFLE, 1 },
		{ ECHO_NONE, 1, 128, SHUFFLE, 1 },
		{ ECHO_BATCH, 2, 128, SHUFFLE, 1 },
		{ ECHO_EXAMPLE_BEFORE_AUGMENT, 2, 128, SHUFFLE, 1 },
		{ ECHO_NONE, 1, 512, SHUFFLE, 1 },
		{ ECHO_BATCH, 2, 512, SHUFFLE, 1 },
		{ ECHO_EXAMPLE_BEFORE_AUGMENT, 2, 512, SHUFFLE, 1 },
	};
	size_t i;

	table->count = sizeof(plan) / sizeof(plan[0]);
	for (i = 0; i < table->count; i++)
		table->rows[i] = (struct learn_measure){ .condition = plan[i] };
}

static void add_fresh(struct learn_measure *row, double fresh)
{
	if (!row->reached || fresh < row->fresh_min)
		row->fresh_min = fresh;
	if (!row->reached || fresh > row->fresh_max)
		row->fresh_max = fresh;
	row->fresh += fresh;
	row->reached++;
}

void learn_sum_up(struct learn_measure *row,
		  const struct learn_outcome *outcomes, uint32_t count)
{
	uint32_t wins[LEARN_RATES] = { 0 }, best = 0, i;

	*row = (struct learn_measure){ .condition = row->condition };
	for (i = 0; i < count; i++) {
		if (!outcomes[i].done)
			continue;
		row->searches++;
		row->mean_factor += outcomes[i].mean_factor;
		row->mean_lag_steps += outcomes[i].mean_lag_steps;
		row->duplicates += outcomes[i].duplicates;
		if (!outcomes[i].reached)
			continue;
		add_fresh(row, outcomes[i].fresh);
		row->fresh_of[i] = outcomes[i].fresh;
		wins[outcomes[i].rate]++;
	}
	if (!row->reached)
		return;
	row->fresh /= row->reached;
	row->mean_factor /= row->searches;
	row->mean_lag_steps /= row->searches;
	row->duplicates /= row->searches;
	for (i = 1; i < LEARN_RATES; i++)
		if (wins[i] > wins[best])
			best = i;
	row->rate = learn_rate(row->condition.batch, best);
	row->at_edge = wins[0] || wins[LEARN_RATES - 1];
}

/* The law file. */

static void write_head(FILE *out, const struct learn_table *table)
{
	fprintf(out,
		"# name: learn-%s\n"
		"# kind: measured\n"
		"# source: echosim %s learn --data %s --seed %llu --searches "
		"%u\n"
		"# conditions: a small network of two layers on %s, "
		"not a promise for yours\n"
		"%s"
		"strategy,batch,shuffle_examples,shuffle_batches,factor,fresh,"
		"fresh_min,fresh_max,gain,gain_standard_error,searches,"
		"mean_lag_steps,duplicates_in_batch,learning_rate\n",
		learn_set_name(table->set), ECHOSIM_VERSION,
		learn_set_name(table->set), (unsigned long long)table->seed,
		table->searches, learn_set_name(table->set),
		learn_is_complete(table) ? "" : "# complete: false\n");
}

void learn_write_law(FILE *out, const struct learn_table *table)
{
	const struct learn_measure *row;
	size_t i;

	write_head(out, table);
	for (i = 0; i < table->count; i++) {
		row = &table->rows[i];
		if (row->worth.gain <= 0)
			continue;
		fprintf(out, "%s,%u,%u,", echo_place_name(row->condition.place),
			row->condition.batch, row->condition.shuffle_examples);
		if (row->condition.place == ECHO_BATCH)
			fprintf(out, "%u", row->condition.shuffle_batches);
		fprintf(out, ",%.15g,%.6g,%.6g,%.6g,%.4g,",
			row->condition.factor, row->fresh, row->fresh_min,
			row->fresh_max, row->worth.gain);
		if (row->gain_error > 0)
			fprintf(out, "%.2g", row->gain_error);
		fprintf(out, ",%u,%.4g,%.4g,%.4g\n", row->searches,
			row->mean_lag_steps, row->duplicates, row->rate);
	}
}

/* For people. */

/* Rows that say less than they seem to. */
static void describe_limits(struct document *document,
			    const struct learn_table *table)
{
	const struct learn_measure *row;
	char words[200];
	size_t i;

	for (i = 0; i < table->count; i++) {
		row = &table->rows[i];
		if (row->reached != row->searches)
			snprintf(words, sizeof(words),
				 "%s:%.15g at batch %u: %u of %u searches did "
				 "not reach the target.",
				 echo_place_name(row->condition.place),
				 row->condition.factor, row->condition.batch,
				 row->searches - row->reached, row->searches);
		else if (row->at_edge)
			snprintf(words, sizeof(words),
				 "%s:%.15g at batch %u: a learning rate at an "
				 "end of the grid won; one beyond may be "
				 "better.",
				 echo_place_name(row->condition.place),
				 row->condition.factor, row->condition.batch);
		else
			continue;
		document_note(document, "notes", "%s", words);
	}
}

void learn_describe(struct document *document, const struct learn_table *table)
{
	char words[800];

	snprintf(words, sizeof(words),
		 "A network of two layers (%u hidden units) was trained on %s "
		 "until its held-out cross entropy was %.2f; %u searches a "
		 "row, each over %u learning rates. fresh: examples read until "
		 "then, mean; gain: fresh without / with the echo, +- its "
		 "standard error; value: of a use after the first, fresh = 1; "
		 "tie: less than two standard errors from the next smaller "
		 "factor; lag: steps between uses; dupl.: repeats within a "
		 "batch. A small network, not a promise for yours.",
		 LEARN_HIDDEN,
		 table->set == LEARN_DIGITS ? "8x8 handwritten digits" :
					      "what a fixed network says",
		 learn_target(table->set), table->searches, LEARN_RATES);
	document_paragraph(document, "%s", words);
	if (!learn_is_complete(table))
		document_note(document, "notes",
			      "Interrupted: of some rows not all searches "
			      "were done.");
	describe_limits(document, table);
	document_view(document,
		      &(struct view){ .kind = VIEW_NOTES, .path = "notes" });
}

/* The grid. */

enum learn_column {
	COLUMN_PLACE,
	COLUMN_FACTOR,
	COLUMN_BATCH,
	COLUMN_LAG,
	COLUMN_DUPLICATES,
	COLUMN_FRESH,
	COLUMN_FRESH_MIN,
	COLUMN_FRESH_MAX,
	COLUMN_GAIN,
	COLUMN_GAIN_MIN,
	COLUMN_GAIN_MAX,
	COLUMN_GAIN_ERROR,
	COLUMN_VALUE,
	COLUMN_TIE,
	COLUMN_EFFICIENCY,
	COLUMN_MEAN_FACTOR,
	COLUMN_SHUFFLE_EXAMPLES,
	COLUMN_SHUFFLE_BATCHES,
	COLUMN_RATE,
	COLUMN_AT_EDGE,
	COLUMN_SEARCHES,
	COLUMN_COMPLETE,
	COLUMN_REACHED,
	COLUMN_DATA,
	COLUMN_COUNT,
};

static const struct view_column columns[COLUMN_COUNT] = {
	[COLUMN_PLACE] = COLUMN("strategy.place", METRIC_TEXT, "", "strategy"),
	[COLUMN_FACTOR] = COLUMN("strategy.factor", METRIC_REAL, "x", "e"),
	[COLUMN_BATCH] = COLUMN("batch", METRIC_COUNT, "", NULL),
	[COLUMN_LAG] = COLUMN("mean_lag_steps", METRIC_REAL, "x", "lag\nsteps"),
	[COLUMN_DUPLICATES] = COLUMN("duplicates_in_batch", METRIC_REAL, "x",
				     "dupl.\n/batch"),
	[COLUMN_FRESH] = COLUMN("fresh_examples", METRIC_REAL, "#", "fresh"),
	[COLUMN_FRESH_MIN] = COLUMN_FOR(SEEN_IN_CSV, "fresh_examples_min",
					METRIC_REAL, "#", NULL),
	[COLUMN_FRESH_MAX] = COLUMN_FOR(SEEN_IN_CSV, "fresh_examples_max",
					METRIC_REAL, "#", NULL),
	[COLUMN_GAIN] = COLUMN("gain", METRIC_REAL, "x", NULL),
	[COLUMN_GAIN_MIN] =
		COLUMN_FOR(SEEN_IN_CSV, "gain_min", METRIC_REAL, "", NULL),
	[COLUMN_GAIN_MAX] =
		COLUMN_FOR(SEEN_IN_CSV, "gain_max", METRIC_REAL, "", NULL),
	[COLUMN_GAIN_ERROR] =
		COLUMN("gain_standard_error", METRIC_REAL, "x", "\n+-"),
	[COLUMN_VALUE] = COLUMN("value", METRIC_REAL, "x", NULL),
	[COLUMN_TIE] = COLUMN("tie", METRIC_BOOL, "", NULL),
	[COLUMN_EFFICIENCY] =
		COLUMN_FOR(SEEN_IN_CSV, "efficiency", METRIC_REAL, "", NULL),
	[COLUMN_MEAN_FACTOR] =
		COLUMN_FOR(SEEN_IN_CSV, "mean_factor", METRIC_REAL, "", NULL),
	[COLUMN_SHUFFLE_EXAMPLES] = COLUMN_FOR(SEEN_IN_CSV, "shuffle_examples",
					       METRIC_COUNT, "", NULL),
	[COLUMN_SHUFFLE_BATCHES] = COLUMN_FOR(SEEN_IN_CSV, "shuffle_batches",
					      METRIC_COUNT, "", NULL),
	[COLUMN_RATE] =
		COLUMN_FOR(SEEN_IN_CSV, "learning_rate", METRIC_REAL, "", NULL),
	[COLUMN_AT_EDGE] = COLUMN_FOR(SEEN_IN_CSV, "learning_rate_at_edge",
				      METRIC_BOOL, "", NULL),
	[COLUMN_SEARCHES] =
		COLUMN_FOR(SEEN_IN_CSV, "searches", METRIC_COUNT, "", NULL),
	[COLUMN_COMPLETE] =
		COLUMN_FOR(SEEN_IN_CSV, "complete", METRIC_BOOL, "", NULL),
	[COLUMN_REACHED] =
		COLUMN_FOR(SEEN_IN_CSV, "reached", METRIC_COUNT, "", NULL),
	[COLUMN_DATA] = COLUMN_FOR(SEEN_IN_CSV, "data", METRIC_TEXT, "", NULL),
};

static struct metric_value if_positive(double value)
{
	return value > 0 ? value_real(value) : value_unknown();
}

static struct metric_value value_of(const struct learn_measure *row)
{
	if (row->worth.gain <= 0)
		return value_unknown();
	return value_ratio(row->worth.gain - 1, row->condition.factor - 1);
}

static struct metric_value condition_cell(const struct learn_table *table,
					  const struct learn_measure *row,
					  enum learn_column column)
{
	const struct learn_condition *condition = &row->condition;

	switch (column) {
	case COLUMN_PLACE:
		return value_text(echo_place_name(condition->place));
	case COLUMN_FACTOR:
		return value_real(condition->factor);
	case COLUMN_BATCH:
		return value_count(condition->batch);
	case COLUMN_SHUFFLE_EXAMPLES:
		return value_count(condition->shuffle_examples);
	case COLUMN_SHUFFLE_BATCHES:
		return value_count(condition->shuffle_batches);
	default:
		return value_text(learn_set_name(table->set));
	}
}

static struct metric_value worth_cell(const struct learn_measure *row,
				      enum learn_column column)
{
	switch (column) {
	case COLUMN_FRESH:
		return if_positive(row->fresh);
	case COLUMN_FRESH_MIN:
		return if_positive(row->fresh_min);
	case COLUMN_FRESH_MAX:
		return if_positive(row->fresh_max);
	case COLUMN_GAIN:
		return if_positive(row->worth.gain);
	case COLUMN_GAIN_MIN:
		return if_positive(row->worth.gain_min);
	case COLUMN_GAIN_MAX:
		return if_positive(row->worth.gain_max);
	case COLUMN_GAIN_ERROR:
		return if_positive(row->gain_error);
	case COLUMN_VALUE:
		return value_of(row);
	case COLUMN_TIE:
		return row->gain_error > 0 ? value_bool(row->tie) :
					     value_unknown();
	default:
		if (row->worth.gain <= 0)
			return value_unknown();
		return value_ratio(row->worth.gain, row->mean_factor);
	}
}

static struct metric_value learn_cell(const void *context, size_t index,
				      size_t at)
{
	const struct learn_table *table = context;
	const struct learn_measure *row = &table->rows[index];
	enum learn_column column = (enum learn_column)at;

	switch (column) {
	case COLUMN_LAG:
		return if_positive(row->mean_lag_steps);
	case COLUMN_DUPLICATES:
		return row->reached ? value_real(row->duplicates) :
				      value_unknown();
	case COLUMN_MEAN_FACTOR:
		return if_positive(row->mean_factor);
	case COLUMN_RATE:
		return if_positive(row->rate);
	case COLUMN_AT_EDGE:
		return value_bool(row->at_edge);
	case COLUMN_SEARCHES:
		return value_count(row->searches);
	case COLUMN_COMPLETE:
		return value_bool(row->searches == table->searches);
	case COLUMN_REACHED:
		return value_count(row->reached);
	case COLUMN_PLACE:
	case COLUMN_FACTOR:
	case COLUMN_BATCH:
	case COLUMN_SHUFFLE_EXAMPLES:
	case COLUMN_SHUFFLE_BATCHES:
	case COLUMN_DATA:
		return condition_cell(table, row, column);
	default:
		return worth_cell(row, column);
	}
}

struct grid learn_grid(const struct learn_table *table)
{
	return (struct grid){
		.name = "measured",
		.title = "What a repeated example is worth",
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.row_count = table->count,
		.context = table,
		.cell = learn_cell,
	};
}
