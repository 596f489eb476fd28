/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analysis/trace/state.h"
#include "analysis/trace/table.h"
#include "analysis/document/grid.h"
#include "analysis/version.h"

#define NS_PER_S 1e9

static double span_ns(const struct trace_stat *stat)
{
	return (double)(stat->last_ns - stat->first_ns);
}

static struct metric_value per_s(double amount, double time_ns)
{
	return value_ratio(amount * NS_PER_S, time_ns);
}

static void add_count(struct document *document, const char *name,
		      const char *unit, uint64_t count)
{
	document_fact(document, name, METRIC_COUNT, unit, value_count(count));
}

static void add_real(struct document *document, const char *name,
		     const char *unit, struct metric_value value)
{
	document_fact(document, name, METRIC_REAL, unit, value);
}

static void add_requests(const struct trace_stat *stat,
			 struct document *document)
{
	add_count(document, "requests", "", stat->requests);
	add_real(document, "requests_per_s", "1/s",
		 per_s((double)stat->requests, span_ns(stat)));
	add_count(document, "bytes", "B", stat->bytes);
	add_real(document, "bytes_per_s", "B/s",
		 per_s((double)stat->bytes, span_ns(stat)));
	add_count(document, "cached_bytes", "B", stat->cached_bytes);
	add_count(document, "writes", "", stat->writes);
	add_count(document, "failed", "", stat->failed);
	add_count(document, "retries", "", stat->retries);
	add_count(document, "late", "", stat->late);
	add_real(document, "queue_depth_mean", "",
		 value_ratio(stat->in_flight_ns, span_ns(stat)));
	add_real(document, "sequential_fraction", "%",
		 value_ratio((double)stat->sequential, (double)stat->followed));
}

static void add_quantiles(const struct trace_stat *stat,
			  struct document *document)
{
	add_real(document, "latency_s.p50", "s",
		 value_quantile_s(&stat->latency_ns, 0.5));
	add_real(document, "latency_s.p90", "s",
		 value_quantile_s(&stat->latency_ns, 0.9));
	add_real(document, "latency_s.p99", "s",
		 value_quantile_s(&stat->latency_ns, 0.99));
	add_real(document, "latency_s.p999", "s",
		 value_quantile_s(&stat->latency_ns, 0.999));
	add_real(document, "latency_s.max", "s",
		 value_max_s(&stat->latency_ns));
	add_real(document, "service_s.p50", "s",
		 value_quantile_s(&stat->service_ns, 0.5));
	add_real(document, "service_s.p99", "s",
		 value_quantile_s(&stat->service_ns, 0.99));
}

static void add_sizes(const struct trace_stat *stat, struct document *document)
{
	const struct histogram *sizes = &stat->size_bytes;

	if (!sizes->count)
		return;
	add_count(document, "size_bytes.p50", "B",
		  histogram_quantile(sizes, 0.5));
	add_count(document, "size_bytes.p99", "B",
		  histogram_quantile(sizes, 0.99));
	add_count(document, "size_bytes.max", "B", sizes->max);
}

static void add_places(const struct trace_stat *stat, struct document *document)
{
	add_count(document, "places", "", stat->place_count);
	add_count(document, "places_unfollowed", "", stat->unfollowed);
	add_real(document, "reads_per_place", "",
		 value_ratio((double)(stat->requests - stat->unfollowed),
			     (double)stat->place_count));
}

static void add_steps(const struct trace_stat *stat, struct document *document)
{
	add_count(document, "batches", "", stat->batches);
	add_real(document, "batch_wait_s.p50", "s",
		 value_quantile_s(&stat->batch_wait_ns, 0.5));
	add_count(document, "steps", "", stat->steps);
	add_real(document, "step_s.mean", "s",
		 value_ratio((double)stat->step_ns / NS_PER_S,
			     (double)stat->steps));
	add_real(document, "accelerators_busy_mean", "",
		 value_ratio((double)stat->step_ns, span_ns(stat)));
	add_real(document, "step_wait_s.p50", "s",
		 value_quantile_s(&stat->step_wait_ns, 0.5));
}

static void add_figures(const struct trace_stat *stat,
			struct document *document)
{
	add_count(document, "events", "", stat->events);
	add_real(document, "span_s", "s", value_real(span_ns(stat) / NS_PER_S));
	add_requests(stat, document);
	add_quantiles(stat, document);
	add_sizes(stat, document);
	add_places(stat, document);
	add_steps(stat, document);
}

/* ---- sizes ---- */

static const struct view_column size_columns[] = {
	COLUMN("from_bytes", METRIC_COUNT, "B", "size from"),
	COLUMN("requests", METRIC_COUNT, "", NULL),
	COLUMN("bytes", METRIC_COUNT, "B", NULL),
	COLUMN("latency_p50_s", METRIC_REAL, "s", "p50"),
	COLUMN("latency_p99_s", METRIC_REAL, "s", "p99"),
	COLUMN("latency_max_s", METRIC_REAL, "s", "max"),
};

/* Only classes that have requests are rows. */
static size_t size_rows(const struct trace_stat *stat)
{
	size_t rows = 0;

	for (int i = 0; i < SIZE_CLASSES; i++)
		rows += stat->sizes[i].requests > 0;
	return rows;
}

static struct metric_value size_cell(const void *context, size_t row,
				     size_t column)
{
	const struct trace_stat *stat = context;
	const struct size_class *class;
	int i = -1;

	do {
		i++;
		row -= stat->sizes[i].requests > 0;
	} while (row != SIZE_MAX);
	class = &stat->sizes[i];
	switch (column) {
	case 0:
		return value_count(UINT64_C(1) << i);
	case 1:
		return value_count(class->requests);
	case 2:
		return value_count(class->bytes);
	case 3:
		return value_quantile_s(&class->latency_ns, 0.5);
	case 4:
		return value_quantile_s(&class->latency_ns, 0.99);
	default:
		return value_max_s(&class->latency_ns);
	}
}

/* ---- over time ---- */

static const struct view_column time_columns[] = {
	COLUMN("from_s", METRIC_REAL, "s", "from"),
	COLUMN("requests_per_s", METRIC_REAL, "1/s", "requests"),
	COLUMN("bytes_per_s", METRIC_REAL, "B/s", "bytes"),
	COLUMN("queue_depth_mean", METRIC_REAL, "", "in flight"),
	COLUMN("accelerators_busy_mean", METRIC_REAL, "", "stepping"),
};

static size_t time_rows(const struct trace_stat *stat)
{
	uint64_t span = (uint64_t)(stat->last_ns - stat->first_ns);

	return stat->began ? (size_t)(span / stat->bin_ns) + 1 : 0;
}

static struct metric_value time_cell(const void *context, size_t row,
				     size_t column)
{
	const struct trace_stat *stat = context;
	const struct span_bin *bin = &stat->bins[row];
	double from_ns = (double)row * (double)stat->bin_ns;
	double length_ns = span_ns(stat) - from_ns;

	if (length_ns > (double)stat->bin_ns)
		length_ns = (double)stat->bin_ns;
	switch (column) {
	case 0:
		return value_real(((double)stat->first_ns + from_ns) /
				  NS_PER_S);
	case 1:
		return per_s((double)bin->requests, length_ns);
	case 2:
		return per_s((double)bin->bytes, length_ns);
	case 3:
		return value_ratio(bin->in_flight_ns, length_ns);
	default:
		return value_ratio(bin->stepping_ns, length_ns);
	}
}

/* ---- readings ---- */

static const struct view_column reading_columns[] = {
	COLUMN("reading", METRIC_COUNT, "", "read the n-th\ntime, n"),
	COLUMN("requests", METRIC_COUNT, "", NULL),
	COLUMN("bytes", METRIC_COUNT, "B", NULL),
	COLUMN("places_fraction", METRIC_REAL, "%", "% of places"),
};

static size_t reading_rows(const struct trace_stat *stat)
{
	size_t rows = 0;

	while (rows < READINGS_MAX && stat->readings[rows].requests)
		rows++;
	return rows;
}

static struct metric_value reading_cell(const void *context, size_t row,
					size_t column)
{
	const struct trace_stat *stat = context;
	const struct reading *reading = &stat->readings[row];

	switch (column) {
	case 0:
		return value_count(row + 1);
	case 1:
		return value_count(reading->requests);
	case 2:
		return value_count(reading->bytes);
	default: /* the last row holds all further ones */
		return row + 1 < READINGS_MAX ?
			       value_ratio((double)reading->requests,
					   (double)stat->place_count) :
			       value_unknown();
	}
}

/* ---- stages ---- */

static const struct view_column stage_columns[] = {
	COLUMN("name", METRIC_TEXT, "", "stage"),
	COLUMN("items", METRIC_COUNT, "", NULL),
	COLUMN("busy_mean", METRIC_REAL, "", "busy"),
	COLUMN("time_mean_s", METRIC_REAL, "s", "mean"),
	COLUMN("time_p50_s", METRIC_REAL, "s", "p50"),
	COLUMN("time_p99_s", METRIC_REAL, "s", "p99"),
	COLUMN("time_max_s", METRIC_REAL, "s", "max"),
};

static struct metric_value stage_cell(const void *context, size_t row,
				      size_t column)
{
	const struct trace_stat *stat = context;
	const struct stage_work *work = &stat->stages[row + STAGE_DECOMPRESS];

	switch (column) {
	case 0:
		return value_text(
			trace_stage_name((uint8_t)(row + STAGE_DECOMPRESS)));
	case 1:
		return value_count(work->items);
	case 2:
		return value_ratio((double)work->busy_ns, span_ns(stat));
	case 3:
		return value_ratio((double)work->busy_ns / NS_PER_S,
				   (double)work->items);
	case 4:
		return value_quantile_s(&work->time_ns, 0.5);
	case 5:
		return value_quantile_s(&work->time_ns, 0.99);
	default:
		return value_max_s(&work->time_ns);
	}
}

#define COLUMNS(table)                                                         \
	.columns = table, .column_count = sizeof(table) / sizeof(table[0])

static const struct view rate_chart = {
	.kind = VIEW_CHART,
	.id = "rate",
	.title = "Bytes read, over time",
	.path = "over_time",
	.chart = { .kind = CHART_CURVES,
		   .x = "from_s",
		   .y = "bytes_per_s",
		   .x_title = "since the first event",
		   .x_unit = "s",
		   .y_title = "rate",
		   .y_unit = "B/s" },
};

static void add_grids(const struct trace_stat *stat, struct document *document)
{
	const struct grid grids[] = {
		{ .name = "sizes",
		  .title = "Sizes of requests",
		  COLUMNS(size_columns),
		  .row_count = size_rows(stat),
		  .context = stat,
		  .cell = size_cell },
		{ .name = "over_time",
		  .title = "Over time",
		  COLUMNS(time_columns),
		  .row_count = time_rows(stat),
		  .context = stat,
		  .cell = time_cell },
		{ .name = "readings",
		  .title = "How often places are read",
		  COLUMNS(reading_columns),
		  .row_count = reading_rows(stat),
		  .context = stat,
		  .cell = reading_cell },
		{ .name = "stages",
		  .title = "Work of stages",
		  COLUMNS(stage_columns),
		  .row_count = STAGE_COUNT - STAGE_DECOMPRESS,
		  .context = stat,
		  .cell = stage_cell },
	};
	size_t i;

	for (i = 0; i < sizeof(grids) / sizeof(grids[0]); i++)
		document_grid(document, &grids[i]);
}

struct document *trace_stat_document(const struct trace_stat *stat)
{
	struct document *document = document_new();

	document_name(document, "Recording", "echosim " ECHOSIM_VERSION);
	document_view(document, &rate_chart);
	add_figures(stat, document);
	add_grids(stat, document);
	return document;
}
