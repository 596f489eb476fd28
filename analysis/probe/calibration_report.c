/* SPDX-License-Identifier: MIT */
/* A calibration for people, programs and spreadsheets. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/probe/calibration.h"
#include "analysis/format.h"
#include "analysis/text.h"
#include "analysis/value.h"

#define NS_PER_S 1e9
#define LINE_MAX_BYTES 800

/* Sequential reads that are this much faster than random ones are another
 * kind of reads. */
#define GAIN_WORTH_TELLING 2

/* ---- points ---- */

static const struct grid_column columns[] = {
	{ "inflight", METRIC_COUNT, "", "in\nflight", false },
	{ "bytes", METRIC_COUNT, "B", "request\nsize", false },
	{ "order", METRIC_TEXT, "", "\norder", false },
	{ "requests_per_s", METRIC_REAL, "1/s", "measured\nrequests", false },
	{ "bytes_per_s", METRIC_REAL, "B/s", "measured\nbytes", false },
	{ "predicted_per_s", METRIC_REAL, "1/s", "model\nrequests", false },
	{ "error", METRIC_REAL, "%", "error\n%", false },
	{ "use", METRIC_TEXT, "", "\nuse", false },
	{ "rounds", METRIC_COUNT, "", NULL, true },
	{ "lower_per_s", METRIC_REAL, "1/s", NULL, true },
	{ "upper_per_s", METRIC_REAL, "1/s", NULL, true },
};

static const char *const uses[] = {
	[CALIBRATION_FITTED] = "fitted",
	[CALIBRATION_HELD_OUT] = "held out",
	[CALIBRATION_SHOWN] = "shown",
};

static struct metric_value cell(const void *context, size_t row, size_t column)
{
	const struct calibration *calibration = context;
	const struct calibration_point *at = &calibration->points[row];
	const struct fit_point *point = &at->point;
	const struct metric_value values[] = {
		value_count(point->inflight),
		value_count(point->bytes),
		value_text(at->use == CALIBRATION_SHOWN ? "sequential" :
							  "random"),
		value_real(point->requests_per_s),
		value_real(point->requests_per_s * (double)point->bytes),
		value_real(at->predicted_per_s),
		value_real(at->predicted_per_s / point->requests_per_s - 1),
		value_text(uses[at->use]),
		value_count(at->rounds),
		value_real(at->lower_per_s),
		value_real(at->upper_per_s),
	};

	return values[column];
}

static struct grid points_of(const struct calibration *calibration)
{
	return (struct grid){
		.name = "points",
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0]),
		.row_count = calibration->count,
		.context = calibration,
		.cell = cell,
	};
}

static const struct grid_column soak_columns[] = {
	{ "at_s", METRIC_REAL, "s", NULL, false },
	{ "bytes_per_s", METRIC_REAL, "B/s", NULL, false },
};

static struct metric_value soak_cell(const void *context, size_t row,
				     size_t column)
{
	const struct calibration *calibration = context;

	return value_real(column ? calibration->soak_bytes_per_s[row] :
				   (double)row * calibration->soak_period_s);
}

/* ---- for people ---- */

static void human(char *text, const char *unit, double value)
{
	char number[VALUE_TEXT_MAX];

	snprintf(text, VALUE_TEXT_MAX, "%s",
		 value_human(METRIC_REAL, unit, value_real(value), number,
			     sizeof(number)));
}

static void say_source(FILE *out, const struct calibration *calibration)
{
	char line[LINE_MAX_BYTES], size[VALUE_TEXT_MAX], files[48] = "";

	human(size, "B", (double)calibration->bytes);
	if (calibration->files > 1)
		snprintf(files, sizeof(files), "%u ", calibration->files);
	snprintf(line, sizeof(line), "%.500s: %s%s of %s, %s through %s%s",
		 calibration->path, files, calibration->what, size,
		 calibration->direct ? "read directly" : "buffered reads",
		 calibration->backend,
		 calibration->complete ? "" :
					 "; interrupted, so less measured");
	text_paragraph(out, "", "  ", line);
}

static void say_notes(FILE *out, const struct calibration *calibration)
{
	const char *at = calibration->notes;
	char line[LINE_MAX_BYTES];

	while (*at) {
		int length = (int)strcspn(at, "\n");

		snprintf(line, sizeof(line), "%.*s", length, at);
		text_paragraph(out, "Note: ", "  ", line);
		at += length + (at[length] == '\n');
	}
	if (calibration->sequential_gain <= GAIN_WORTH_TELLING)
		return;
	snprintf(line, sizeof(line),
		 "sequential reads of 1 MiB are %.1f times as fast as random "
		 "ones; the profile describes random reads",
		 calibration->sequential_gain);
	text_paragraph(out, "Note: ", "  ", line);
}

static void say_limit(FILE *out, const char *name, const char *unit,
		      double value, bool seen, const char *unseen)
{
	char text[VALUE_TEXT_MAX];

	human(text, unit, value);
	fprintf(out, "  %-18s %s%s\n", name, text, seen ? "" : unseen);
}

static void say_law(FILE *out, const struct calibration *calibration)
{
	static const char highest[] = " (no limit seen: the highest measured)";
	const struct fit_law *law = &calibration->law;
	char p50[VALUE_TEXT_MAX], p90[VALUE_TEXT_MAX], p99[VALUE_TEXT_MAX],
		p999[VALUE_TEXT_MAX];

	fprintf(out, "Law fitted: requests/s = min(n / (latency + size / "
		     "stream),\n  iops, bandwidth / size)\n");
	say_limit(out, "latency", "s", law->latency_s, true, "");
	say_limit(out, "stream bandwidth", "B/s", law->stream_bytes_per_s,
		  law->stream_seen, " (none of its own)");
	say_limit(out, "iops", "1/s", law->iops, law->iops_seen, highest);
	say_limit(out, "bandwidth", "B/s", law->bytes_per_s, law->bytes_seen,
		  highest);
	human(p50, "s", calibration->latency.p50 / NS_PER_S);
	human(p90, "s", calibration->latency.p90 / NS_PER_S);
	human(p99, "s", calibration->latency.p99 / NS_PER_S);
	human(p999, "s", calibration->latency.p999 / NS_PER_S);
	fprintf(out,
		"Latency of one small request alone, %llu of them:\n"
		"  p50 %s, p90 %s, p99 %s, p999 %s\n",
		(unsigned long long)calibration->latency_ns->count, p50, p90,
		p99, p999);
}

static void say_error(FILE *out, const char *whose,
		      const struct fit_error *error)
{
	fprintf(out, "  %-18s median %.1f %%, p90 %.1f %%, max %.1f %%\n",
		whose, error->median * 100, error->p90 * 100, error->max * 100);
}

static void say_spread(FILE *out, const struct calibration *calibration)
{
	if (isnan(calibration->spread))
		fprintf(out,
			"Points were measured fewer than %d times: give "
			"it more --time.\n",
			SPREAD_ROUNDS_MIN);
	else
		fprintf(out,
			"Rounds of one point differ by %.1f %% (quartiles, "
			"median of the points).\n",
			calibration->spread * 100);
}

static void say_soak(FILE *out, const struct calibration *calibration)
{
	const struct soak_burst *burst = &calibration->burst;
	char peak[VALUE_TEXT_MAX], baseline[VALUE_TEXT_MAX],
		lasted[VALUE_TEXT_MAX], credit[VALUE_TEXT_MAX];
	char line[LINE_MAX_BYTES];

	if (!calibration->soak_bytes_per_s)
		return;
	human(peak, "B/s", burst->peak_per_s);
	if (!burst->found) {
		human(lasted, "s",
		      (double)calibration->soak_count *
			      calibration->soak_period_s);
		snprintf(line, sizeof(line),
			 "no significant fall within %s at full rate (%s); a "
			 "burst that lasts longer would not be seen",
			 lasted, peak);
	} else {
		human(baseline, "B/s", burst->baseline_per_s);
		human(lasted, "s", burst->burst_s);
		human(credit, "B", soak_bucket(burst).capacity);
		snprintf(line, sizeof(line),
			 "%s for %s, then %s: a bucket of %s of credit, as "
			 "far as it was full at the start",
			 peak, lasted, baseline, credit);
	}
	text_paragraph(out, "Soak: ", "  ", line);
}

int calibration_text(FILE *out, const struct calibration *calibration)
{
	struct grid points = points_of(calibration);

	say_source(out, calibration);
	fputc('\n', out);
	text_table(out, &points);
	fputc('\n', out);
	say_law(out, calibration);
	fputs("Error of the device model with this profile:\n", out);
	say_error(out, "held out", &calibration->held_out);
	say_error(out, "fitted", &calibration->fitted);
	say_spread(out, calibration);
	say_soak(out, calibration);
	say_notes(out, calibration);
	return 0;
}

/* ---- for programs ---- */

#define FACTS_MAX 40

struct facts {
	size_t count;
	struct host_fact list[FACTS_MAX];
};

static void add(struct facts *facts, const char *name, enum metric_kind kind,
		struct metric_value value)
{
	facts->list[facts->count++] = (struct host_fact){ name, kind, value };
}

static void add_real(struct facts *facts, const char *name, double value)
{
	add(facts, name, METRIC_REAL, value_real(value));
}

static void add_source(struct facts *facts,
		       const struct calibration *calibration)
{
	add(facts, "path", METRIC_TEXT, value_text(calibration->path));
	add(facts, "complete", METRIC_BOOL, value_bool(calibration->complete));
	add(facts, "as_of", METRIC_TEXT, value_text(calibration->date));
	add(facts, "storage.kind", METRIC_TEXT, value_text(calibration->what));
	add(facts, "storage.files", METRIC_COUNT,
	    value_count(calibration->files));
	add(facts, "storage.bytes", METRIC_COUNT,
	    value_count(calibration->bytes));
	add(facts, "storage.direct", METRIC_BOOL,
	    value_bool(calibration->direct));
	add(facts, "storage.backend", METRIC_TEXT,
	    value_text(calibration->backend));
	add(facts, "storage.notes", METRIC_TEXT,
	    value_text(calibration->notes));
}

static void add_law(struct facts *facts, const struct calibration *calibration)
{
	const struct fit_law *law = &calibration->law;
	const struct distribution *latency = &calibration->latency;

	add_real(facts, "law.latency_s", law->latency_s);
	add_real(facts, "law.stream_bytes_per_s",
		 law->stream_seen ? law->stream_bytes_per_s : NAN);
	add_real(facts, "law.iops", law->iops);
	add(facts, "law.iops_seen", METRIC_BOOL, value_bool(law->iops_seen));
	add_real(facts, "law.bytes_per_s", law->bytes_per_s);
	add(facts, "law.bytes_seen", METRIC_BOOL, value_bool(law->bytes_seen));
	add_real(facts, "latency_s.p50", latency->p50 / NS_PER_S);
	add_real(facts, "latency_s.p90", latency->p90 / NS_PER_S);
	add_real(facts, "latency_s.p99", latency->p99 / NS_PER_S);
	add_real(facts, "latency_s.p999", latency->p999 / NS_PER_S);
}

static void add_errors(struct facts *facts,
		       const struct calibration *calibration)
{
	const struct fit_error *held = &calibration->held_out;
	const struct fit_error *fitted = &calibration->fitted;
	const struct soak_burst *burst = &calibration->burst;

	add_real(facts, "error.held_out.median", held->median);
	add_real(facts, "error.held_out.p90", held->p90);
	add_real(facts, "error.held_out.max", held->max);
	add_real(facts, "error.fitted.median", fitted->median);
	add_real(facts, "error.fitted.p90", fitted->p90);
	add_real(facts, "error.fitted.max", fitted->max);
	add_real(facts, "error.spread", calibration->spread);
	add(facts, "burst.found", METRIC_BOOL,
	    calibration->soak_bytes_per_s ? value_bool(burst->found) :
					    value_unknown());
	add_real(facts, "burst.peak_bytes_per_s",
		 burst->found ? burst->peak_per_s : NAN);
	add_real(facts, "burst.baseline_bytes_per_s",
		 burst->found ? burst->baseline_per_s : NAN);
	add_real(facts, "burst.lasted_s", burst->found ? burst->burst_s : NAN);
	add_real(facts, "burst.capacity_bytes",
		 burst->found ? soak_bucket(burst).capacity : NAN);
}

int calibration_json(FILE *out, const struct calibration *calibration)
{
	const struct grid grids[] = {
		points_of(calibration),
		{ .name = "soak",
		  .columns = soak_columns,
		  .column_count =
			  sizeof(soak_columns) / sizeof(soak_columns[0]),
		  .row_count = calibration->soak_count,
		  .context = calibration,
		  .cell = soak_cell },
	};
	struct facts facts = { 0 };

	add_source(&facts, calibration);
	add_law(&facts, calibration);
	add_errors(&facts, calibration);
	return json_facts(out, facts.list, facts.count, grids,
			  calibration->soak_bytes_per_s ? 2 : 1);
}

int calibration_csv(FILE *out, const struct calibration *calibration)
{
	struct grid points = points_of(calibration);

	return csv_grid(out, &points);
}
