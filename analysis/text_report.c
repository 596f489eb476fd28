/* SPDX-License-Identifier: MIT */
/*
 * A report for people: a table with a line per strategy, what its columns
 * mean, what the reader must know, and for a single run every figure there
 * is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/burst.h"
#include "analysis/format.h"
#include "analysis/hosts.h"
#include "analysis/metric.h"
#include "analysis/text.h"
#include "analysis/text_run.h"
#include "analysis/law/worth.h"

/* One line of the table: a strategy's run in either mode. */
struct line {
	const struct result *sim;
	const struct result *live;
	char name[STRATEGY_TEXT_MAX];
};

struct lines {
	struct line *line;
	size_t count;
	bool sim; /* there is a run of this mode */
	bool live;
	bool burst; /* ranks go by what is sustained, not by the start */
	struct text_style style;
};

static bool same_echo(const struct echo *a, const struct echo *b)
{
	return a->place == b->place && a->policy == b->policy &&
	       a->factor == b->factor && a->max_factor == b->max_factor &&
	       a->repeat_cost_ns == b->repeat_cost_ns &&
	       a->shuffle_batches == b->shuffle_batches;
}

/* A single run has its figures and a note. */
static bool is_burst(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->run_count; i++)
		if (burst_matters(report->runs[i]))
			return report->run_count > 1;
	return false;
}

/* A live run stands in the line of the simulated one just before it, when
 * both are of the same strategy. */
static int lines_init(struct lines *lines, const struct report *report)
{
	const struct result *run;
	struct line *line = NULL;
	size_t i;

	*lines = (struct lines){ 0 };
	lines->line = calloc(report->run_count + 1, sizeof(*lines->line));
	if (!lines->line)
		return -1;
	lines->style = report->style;
	lines->burst = is_burst(report);
	for (i = 0; i < report->run_count; i++) {
		run = report->runs[i];
		if (!line || !run->live || line->live ||
		    !same_echo(&run->echo, &line->sim->echo)) {
			line = &lines->line[lines->count++];
			strategy_name(&run->echo, line->name,
				      sizeof(line->name));
		}
		*(run->live ? &line->live : &line->sim) = run;
		*(run->live ? &lines->live : &lines->sim) = true;
	}
	return 0;
}

/* Columns: which metric of which run. */

enum source {
	SOURCE_NAME, /* of the strategy */
	SOURCE_SIM,
	SOURCE_LIVE,
	SOURCE_EITHER,	   /* the line's only run */
	SOURCE_DIFFERENCE, /* live - sim */
	SOURCE_MARK,	   /* the best, and what may be as good */
};

struct pick {
	enum source source;
	const char *metric;
};

struct view {
	const struct pick *picks;
	const struct grid_column *columns;
	size_t column_count;
	const char *legend;
};

#define COLUMN(kind, unit, heading)                                            \
	{                                                                      \
		"", kind, unit, heading, FOR_ALL                               \
	}

static const struct pick single_picks[] = {
	{ SOURCE_NAME, NULL },
	{ SOURCE_EITHER, "au" },
	{ SOURCE_EITHER, "idle_fraction" },
	{ SOURCE_EITHER, "steps_per_s" },
	{ SOURCE_EITHER, "examples_per_s" },
	{ SOURCE_EITHER, "fresh_examples_per_s" },
	{ SOURCE_EITHER, "mean_factor" },
	{ SOURCE_EITHER, "duplicates_in_batch" },
	{ SOURCE_EITHER, "mean_lag_steps" },
};

static const struct grid_column single_columns[] = {
	COLUMN(METRIC_TEXT, "", "strategy"),
	COLUMN(METRIC_REAL, "%", "AU\n%"),
	COLUMN(METRIC_REAL, "%", "idle\n%"),
	COLUMN(METRIC_REAL, "#", "steps\n/s"),
	COLUMN(METRIC_REAL, "#", "examples\n/s"),
	COLUMN(METRIC_REAL, "#", "fresh\n/s"),
	COLUMN(METRIC_REAL, "", "mean\nfactor"),
	COLUMN(METRIC_REAL, "#", "dupl.\n/batch"),
	COLUMN(METRIC_REAL, "#", "lag\nsteps"),
};

static const struct pick pair_picks[] = {
	{ SOURCE_NAME, NULL },		{ SOURCE_SIM, "au" },
	{ SOURCE_LIVE, "au" },		{ SOURCE_DIFFERENCE, "au" },
	{ SOURCE_LIVE, "steps_per_s" }, { SOURCE_LIVE, "fresh_examples_per_s" },
	{ SOURCE_LIVE, "mean_factor" }, { SOURCE_LIVE, "throttle.verdict" },
};

static const struct grid_column pair_columns[] = {
	COLUMN(METRIC_TEXT, "", "strategy"),
	COLUMN(METRIC_REAL, "%", "AU %\nsim"),
	COLUMN(METRIC_REAL, "%", "AU %\nlive"),
	COLUMN(METRIC_REAL, "points", "differ.\npoints"),
	COLUMN(METRIC_REAL, "#", "steps/s\nlive"),
	COLUMN(METRIC_REAL, "#", "fresh/s\nlive"),
	COLUMN(METRIC_REAL, "", "factor\nlive"),
	COLUMN(METRIC_TEXT, "", "throttle"),
};

static const struct pick worth_picks[] = {
	{ SOURCE_NAME, NULL },		 { SOURCE_EITHER, "useful_au" },
	{ SOURCE_EITHER, "gain" },	 { SOURCE_EITHER, "gain_min" },
	{ SOURCE_EITHER, "gain_max" },	 { SOURCE_EITHER, "gain_source" },
	{ SOURCE_EITHER, "efficiency" }, { SOURCE_EITHER, "time_to_target_s" },
	{ SOURCE_EITHER, "speedup" },	 { SOURCE_MARK, NULL },
};

static const struct grid_column worth_columns[] = {
	COLUMN(METRIC_TEXT, "", "strategy"),
	COLUMN(METRIC_REAL, "%", "useful\nAU %"),
	COLUMN(METRIC_REAL, "x", "gain\n"),
	COLUMN(METRIC_REAL, "x", "\nmin"),
	COLUMN(METRIC_REAL, "x", "\nmax"),
	COLUMN(METRIC_TEXT, "", "gain\nfrom"),
	COLUMN(METRIC_REAL, "x", "effi-\nciency"),
	COLUMN(METRIC_REAL, "s", "time to\ntarget"),
	COLUMN(METRIC_REAL, "x", "speed\n-up"),
	COLUMN(METRIC_TEXT, "", "\n"),
};

static const struct pick stall_picks[] = {
	{ SOURCE_NAME, NULL },
	{ SOURCE_EITHER, "stalls.fetch" },
	{ SOURCE_EITHER, "stalls.prep" },
	{ SOURCE_EITHER, "stalls.other" },
	{ SOURCE_EITHER, "bottleneck.resource" },
	{ SOURCE_EITHER, "bottleneck.gain_per_10pct" },
	{ SOURCE_EITHER, "bottleneck.next" },
};

static const struct grid_column stall_columns[] = {
	COLUMN(METRIC_TEXT, "", "strategy"),
	COLUMN(METRIC_REAL, "%", "fetch\n%"),
	COLUMN(METRIC_REAL, "%", "prep\n%"),
	COLUMN(METRIC_REAL, "%", "other\n%"),
	COLUMN(METRIC_TEXT, "", "bottleneck"),
	COLUMN(METRIC_REAL, "%", "gain\n%"),
	COLUMN(METRIC_TEXT, "", "next"),
};

static const struct pick burst_picks[] = {
	{ SOURCE_NAME, NULL },
	{ SOURCE_EITHER, "burst.credit_used" },
	{ SOURCE_EITHER, "burst.lasts_s" },
	{ SOURCE_EITHER, "au_sustained" },
	{ SOURCE_EITHER, "sustained.fresh_per_s" },
	{ SOURCE_EITHER, "sustained.time_to_target_s" },
	{ SOURCE_EITHER, "sustained.speedup" },
	{ SOURCE_EITHER, "sustained.cost_per_epoch" },
	{ SOURCE_MARK, NULL },
};

static const struct grid_column burst_columns[] = {
	COLUMN(METRIC_TEXT, "", "strategy"),
	COLUMN(METRIC_REAL, "%", "credit\nused %"),
	COLUMN(METRIC_REAL, "s", "credit\nlasts"),
	COLUMN(METRIC_REAL, "%", "then\nAU %"),
	COLUMN(METRIC_REAL, "#", "fresh\n/s"),
	COLUMN(METRIC_REAL, "s", "time to\ntarget"),
	COLUMN(METRIC_REAL, "x", "speed\n-up"),
	COLUMN(METRIC_REAL, "", "cost an\nepoch"),
	COLUMN(METRIC_TEXT, "", "\n"),
};

#define VIEW(picks, columns, legend)                                           \
	{                                                                      \
		picks, columns, sizeof(columns) / sizeof((columns)[0]), legend \
	}

static const struct view single_view = VIEW(
	single_picks, single_columns,
	"AU: share of time the accelerators compute; idle: the rest; fresh: "
	"examples read from storage; factor: uses of each; dupl.: repeats "
	"within a batch; lag: steps between uses.");

static const struct view pair_view = VIEW(
	pair_picks, pair_columns,
	"AU: share of time the accelerators compute; sim: modelled; live: real "
	"reads; fresh: examples read from storage; factor: uses of each; "
	"throttle: held when the host was as fast as the device it played.");

static const struct view worth_view = VIEW(
	worth_picks, worth_columns,
	"gain: fresh examples to the target without / with the echo, min..max; "
	"efficiency: gain / factor; useful AU: AU x efficiency; speed-up: of "
	"the time to target; tie: the law's spread cannot tell it from the "
	"best.");

static const struct view stall_view = VIEW(
	stall_picks, stall_columns,
	"fetch: idle that infinitely fast storage would end; prep: of the "
	"rest, what infinitely fast stages would end; other: what remains; "
	"gain: of the rate when the bottleneck gets 10 % better.");

static const struct view burst_view = VIEW(
	burst_picks, burst_columns,
	"credit: of the device's burst, used so far, and how long all of it "
	"lasts at this rate; then: what is sustained, at the device's "
	"baseline, which decides between strategies.");

struct view_context {
	const struct view *view;
	const struct lines *lines;
};

static struct metric_value from(const char *metric, const struct result *result)
{
	return result ? metric_get(metric, result) : value_unknown();
}

static const char *mark(const struct line *line)
{
	const struct result *run = line->sim ? line->sim : line->live;

	return run->rank ? worth_rank(run).text : "";
}

static struct metric_value view_cell(const void *context, size_t row,
				     size_t column)
{
	const struct view_context *at = context;
	const struct pick *pick = &at->view->picks[column];
	const struct line *line = &at->lines->line[row];
	struct metric_value sim, live;

	if (pick->source == SOURCE_NAME)
		return value_text(line->name);
	if (pick->source == SOURCE_MARK)
		return value_text(at->lines->burst && at->view == &worth_view ?
					  "" :
					  mark(line));
	sim = from(pick->metric, line->sim);
	live = from(pick->metric, line->live);
	switch (pick->source) {
	case SOURCE_SIM:
		return sim;
	case SOURCE_LIVE:
		return live;
	case SOURCE_DIFFERENCE:
		return sim.known && live.known ?
			       value_real(live.real - sim.real) :
			       value_unknown();
	default:
		return line->sim ? sim : live;
	}
}

/* The best strategy, and a live run that is not what it seems. */
static enum text_tone view_tone(const void *context, size_t row, size_t column)
{
	const struct view_context *at = context;
	const struct pick *pick = &at->view->picks[column];
	const struct line *line = &at->lines->line[row];
	const struct result *run = line->sim ? line->sim : line->live;
	struct metric_value verdict;

	if (run->rank == RANK_BEST &&
	    (pick->source == SOURCE_NAME || pick->source == SOURCE_MARK))
		return TONE_BEST;
	if (pick->source != SOURCE_LIVE ||
	    strcmp(pick->metric, "throttle.verdict") != 0)
		return TONE_PLAIN;
	verdict = from(pick->metric, line->live);
	return verdict.known && (!strcmp(verdict.text, "not held") ||
				 !strcmp(verdict.text, "native, paused")) ?
		       TONE_WARNING :
		       TONE_PLAIN;
}

static void write_view(FILE *out, const struct lines *lines,
		       const struct view *view)
{
	struct view_context context = { view, lines };
	struct grid grid = {
		.columns = view->columns,
		.column_count = view->column_count,
		.row_count = lines->count,
		.context = &context,
		.cell = view_cell,
		.style = lines->style,
		.tone = view_tone,
	};

	text_table(out, &grid);
	fputc('\n', out);
	text_paragraph(out, "", "", view->legend);
}

static bool is_judged(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->run_count; i++)
		if (report->runs[i]->law.gain > 0)
			return true;
	return false;
}

/* A single run has its figures and its advice. */
static bool is_explained(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->run_count; i++)
		if (report->runs[i]->attribution.known)
			return report->run_count > 1;
	return false;
}

/* What happened and why, then what it is worth, and what of it lasts. */
static void write_views(FILE *out, const struct lines *lines,
			const struct report *report)
{
	bool pairs = lines->sim && lines->live;

	write_view(out, lines, pairs ? &pair_view : &single_view);
	if (is_explained(report)) {
		fputc('\n', out);
		write_view(out, lines, &stall_view);
	}
	if (is_judged(report)) {
		fputc('\n', out);
		write_view(out, lines, &worth_view);
	}
	if (!lines->burst)
		return;
	fputc('\n', out);
	write_view(out, lines, &burst_view);
}

static void write_notes(FILE *out, const struct text_style *style,
			const struct notes *notes)
{
	char first[32];
	size_t i;

	snprintf(first, sizeof(first), "%snote:%s ",
		 text_tone_begin(style, TONE_WARNING),
		 text_tone_end(style, TONE_WARNING));

	if (notes->count)
		fputc('\n', out);
	for (i = 0; i < notes->count; i++)
		text_paragraph(out, first, "      ", notes->text[i]);
}

static void write_head(FILE *out, const struct scenario *scenario)
{
	char text[HOSTS_TEXT_MAX];

	if (scenario->name[0])
		fprintf(out, "%s\n", scenario->name);
	text_paragraph(out, "", "", hosts_say(scenario, text, sizeof(text)));
	fputc('\n', out);
}

int text_report(FILE *out, const struct report *report)
{
	struct notes *notes = malloc(sizeof(*notes));
	struct lines lines;

	if (!notes)
		return -ENOMEM;
	if (lines_init(&lines, report)) {
		free(notes);
		return -ENOMEM;
	}
	*notes = *report->notes;
	report_notes(report, notes);
	write_head(out, report->scenario);
	write_views(out, &lines, report);
	if (report->run_count == 1)
		text_run(out, &report->style, report->runs[0]);
	write_notes(out, &report->style, notes);
	free(lines.line);
	free(notes);
	return 0;
}

int text_grid(FILE *out, const struct grid *grid)
{
	text_table(out, grid);
	return 0;
}
