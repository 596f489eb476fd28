/* SPDX-License-Identifier: MIT */
/* The document of a calibration. */
#include <math.h>
#include <string.h>

#include "analysis/document/grid.h"
#include "analysis/probe/calibration.h"
#include "analysis/version.h"

#define NS_PER_S 1e9

/* Sequential reads that are this much faster than random ones are another
 * kind of reads. */
#define GAIN_WORTH_TELLING 2

/* ---- points ---- */

static const struct view_column columns[] = {
	COLUMN("inflight", METRIC_COUNT, "", "in\nflight"),
	COLUMN("bytes", METRIC_COUNT, "B", "request\nsize"),
	COLUMN("order", METRIC_TEXT, "", "\norder"),
	COLUMN("requests_per_s", METRIC_REAL, "1/s", "measured\nrequests"),
	COLUMN("bytes_per_s", METRIC_REAL, "B/s", "measured\nbytes"),
	COLUMN("predicted_per_s", METRIC_REAL, "1/s", "model\nrequests"),
	COLUMN("error", METRIC_REAL, "%", "error\n%"),
	COLUMN("use", METRIC_TEXT, "", "\nuse"),
	COLUMN_FOR(SEEN_IN_CSV, "rounds", METRIC_COUNT, "", NULL),
	COLUMN_FOR(SEEN_IN_CSV, "lower_per_s", METRIC_REAL, "1/s", NULL),
	COLUMN_FOR(SEEN_IN_CSV, "upper_per_s", METRIC_REAL, "1/s", NULL),
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

static const struct view_column soak_columns[] = {
	COLUMN("at_s", METRIC_REAL, "s", NULL),
	COLUMN("bytes_per_s", METRIC_REAL, "B/s", NULL),
};

static struct metric_value soak_cell(const void *context, size_t row,
				     size_t column)
{
	const struct calibration *calibration = context;

	return value_real(column ? calibration->soak_bytes_per_s[row] :
				   (double)row * calibration->soak_period_s);
}

static void add_points(struct document *document,
		       const struct calibration *calibration)
{
	const struct grid points = {
		.name = "points",
		.title = "Measured, and what the model says",
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0]),
		.row_count = calibration->count,
		.context = calibration,
		.cell = cell,
	};
	const struct grid soak = {
		.name = "soak",
		.columns = soak_columns,
		.column_count = sizeof(soak_columns) / sizeof(soak_columns[0]),
		.row_count = calibration->soak_count,
		.context = calibration,
		.cell = soak_cell,
	};

	document_grid(document, &points);
	document_chief(document, "points");
	if (!calibration->soak_bytes_per_s)
		return;
	document_rows(document, &soak);
	document_view(document,
		      &(struct view){ .kind = VIEW_CHART,
				      .id = "soak-rate",
				      .title = "Rate at full load, over time",
				      .path = "soak",
				      .chart = { .kind = CHART_CURVES,
						 .x = "at_s",
						 .y = "bytes_per_s",
						 .x_title = "since the start",
						 .x_unit = "s",
						 .y_title = "rate",
						 .y_unit = "B/s" } });
}

/* ---- figures ---- */

static void add_real(struct document *document, const char *name,
		     const char *unit, double value)
{
	document_fact(document, name, METRIC_REAL, unit, value_real(value));
}

static void add_text(struct document *document, const char *name,
		     const char *text)
{
	document_fact(document, name, METRIC_TEXT, "", value_text(text));
}

static void add_bool(struct document *document, const char *name, bool value)
{
	document_fact(document, name, METRIC_BOOL, "", value_bool(value));
}

static void add_source(struct document *document,
		       const struct calibration *calibration)
{
	add_text(document, "path", calibration->path);
	add_bool(document, "complete", calibration->complete);
	add_text(document, "as_of", calibration->date);
	add_text(document, "storage.kind", calibration->what);
	document_fact(document, "storage.files", METRIC_COUNT, "",
		      value_count(calibration->files));
	document_fact(document, "storage.bytes", METRIC_COUNT, "B",
		      value_count(calibration->bytes));
	add_bool(document, "storage.direct", calibration->direct);
	add_text(document, "storage.backend", calibration->backend);
}

static void add_law(struct document *document,
		    const struct calibration *calibration)
{
	const struct fit_law *law = &calibration->law;
	const struct distribution *latency = &calibration->latency;

	document_paragraph(document,
			   "Law fitted: requests/s = min(n / (latency + size / "
			   "stream), iops, bandwidth / size). A limit that was "
			   "not seen is the highest measured.");
	add_real(document, "law.latency_s", "s", law->latency_s);
	add_real(document, "law.stream_bytes_per_s", "B/s",
		 law->stream_seen ? law->stream_bytes_per_s : NAN);
	add_real(document, "law.iops", "1/s", law->iops);
	add_bool(document, "law.iops_seen", law->iops_seen);
	add_real(document, "law.bytes_per_s", "B/s", law->bytes_per_s);
	add_bool(document, "law.bytes_seen", law->bytes_seen);
	document_fact(document, "latency_s.requests", METRIC_COUNT, "",
		      value_count(calibration->latency_ns->count));
	add_real(document, "latency_s.p50", "s", latency->p50 / NS_PER_S);
	add_real(document, "latency_s.p90", "s", latency->p90 / NS_PER_S);
	add_real(document, "latency_s.p99", "s", latency->p99 / NS_PER_S);
	add_real(document, "latency_s.p999", "s", latency->p999 / NS_PER_S);
}

/* Of the device model with this profile, on points that were fitted and on
 * those that were held out. */
static void add_errors(struct document *document,
		       const struct calibration *calibration)
{
	const struct fit_error *held = &calibration->held_out;
	const struct fit_error *fitted = &calibration->fitted;

	document_paragraph(document,
			   "Error of the device model with this profile, and "
			   "by how much rounds of one point differ:");
	add_real(document, "error.held_out.median", "%", held->median);
	add_real(document, "error.held_out.p90", "%", held->p90);
	add_real(document, "error.held_out.max", "%", held->max);
	add_real(document, "error.fitted.median", "%", fitted->median);
	add_real(document, "error.fitted.p90", "%", fitted->p90);
	add_real(document, "error.fitted.max", "%", fitted->max);
	add_real(document, "error.spread", "%", calibration->spread);
	if (isnan(calibration->spread))
		document_note(document, "notes",
			      "Points were measured fewer than %d times: give "
			      "it more --time.",
			      SPREAD_ROUNDS_MIN);
}

static void add_burst(struct document *document,
		      const struct calibration *calibration)
{
	const struct soak_burst *burst = &calibration->burst;

	if (!calibration->soak_bytes_per_s)
		return;
	document_paragraph(document,
			   burst->found ?
				   "Soak: a burst, then the baseline; the "
				   "bucket's credit as far as it was full at "
				   "the start." :
				   "Soak: no significant fall; a burst that "
				   "lasts longer would not be seen.");
	add_bool(document, "burst.found", burst->found);
	add_real(document, "burst.peak_bytes_per_s", "B/s", burst->peak_per_s);
	add_real(document, "burst.baseline_bytes_per_s", "B/s",
		 burst->found ? burst->baseline_per_s : NAN);
	add_real(document, "burst.lasted_s", "s",
		 burst->found ? burst->burst_s :
				(double)calibration->soak_count *
					calibration->soak_period_s);
	add_real(document, "burst.capacity_bytes", "B",
		 burst->found ? soak_bucket(burst).capacity : NAN);
}

static void add_notes(struct document *document,
		      const struct calibration *calibration)
{
	const char *at = calibration->notes;

	while (*at) {
		int length = (int)strcspn(at, "\n");

		document_note(document, "notes", "%.*s", length, at);
		at += length + (at[length] == '\n');
	}
	if (calibration->sequential_gain > GAIN_WORTH_TELLING)
		document_note(document, "notes",
			      "sequential reads of 1 MiB are %.1f times as "
			      "fast as random ones; the profile describes "
			      "random reads",
			      calibration->sequential_gain);
	document_view(document,
		      &(struct view){ .kind = VIEW_NOTES, .path = "notes" });
}

struct document *calibration_document(const struct calibration *calibration)
{
	struct document *document = document_new();

	document_name(document, calibration->path,
		      "probe · echosim " ECHOSIM_VERSION);
	add_source(document, calibration);
	add_points(document, calibration);
	add_law(document, calibration);
	add_errors(document, calibration);
	add_burst(document, calibration);
	add_notes(document, calibration);
	return document;
}
