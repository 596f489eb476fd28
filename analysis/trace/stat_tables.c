/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analysis/trace/state.h"
#include "analysis/trace/table.h"

#define NS_PER_S 1e9

static double span_ns(const struct trace_stat *stat)
{
	return (double)(stat->last_ns - stat->first_ns);
}

static struct metric_value per_s(double amount, double time_ns)
{
	return value_ratio(amount * NS_PER_S, time_ns);
}

static void add_count(struct figure_list *list, const char *name,
		      const char *unit, uint64_t count)
{
	figure_list_add(list, name, METRIC_COUNT, unit, value_count(count));
}

static void add_real(struct figure_list *list, const char *name,
		     const char *unit, struct metric_value value)
{
	figure_list_add(list, name, METRIC_REAL, unit, value);
}

static void add_requests(const struct trace_stat *stat,
			 struct figure_list *list)
{
	add_count(list, "requests", "", stat->requests);
	add_real(list, "requests_per_s", "1/s",
		 per_s((double)stat->requests, span_ns(stat)));
	add_count(list, "bytes", "B", stat->bytes);
	add_real(list, "bytes_per_s", "B/s",
		 per_s((double)stat->bytes, span_ns(stat)));
	add_count(list, "cached_bytes", "B", stat->cached_bytes);
	add_count(list, "writes", "", stat->writes);
	add_count(list, "failed", "", stat->failed);
	add_count(list, "retries", "", stat->retries);
	add_count(list, "late", "", stat->late);
	add_real(list, "queue_depth_mean", "",
		 value_ratio(stat->in_flight_ns, span_ns(stat)));
	add_real(list, "sequential_fraction", "%",
		 value_ratio((double)stat->sequential, (double)stat->followed));
}

static void add_quantiles(const struct trace_stat *stat,
			  struct figure_list *list)
{
	add_real(list, "latency_s.p50", "s",
		 value_quantile_s(&stat->latency_ns, 0.5));
	add_real(list, "latency_s.p90", "s",
		 value_quantile_s(&stat->latency_ns, 0.9));
	add_real(list, "latency_s.p99", "s",
		 value_quantile_s(&stat->latency_ns, 0.99));
	add_real(list, "latency_s.p999", "s",
		 value_quantile_s(&stat->latency_ns, 0.999));
	add_real(list, "latency_s.max", "s", value_max_s(&stat->latency_ns));
	add_real(list, "service_s.p50", "s",
		 value_quantile_s(&stat->service_ns, 0.5));
	add_real(list, "service_s.p99", "s",
		 value_quantile_s(&stat->service_ns, 0.99));
}

static void add_sizes(const struct trace_stat *stat, struct figure_list *list)
{
	const struct histogram *sizes = &stat->size_bytes;

	if (!sizes->count)
		return;
	add_count(list, "size_bytes.p50", "B", histogram_quantile(sizes, 0.5));
	add_count(list, "size_bytes.p99", "B", histogram_quantile(sizes, 0.99));
	add_count(list, "size_bytes.max", "B", sizes->max);
}

static void add_places(const struct trace_stat *stat, struct figure_list *list)
{
	add_count(list, "places", "", stat->place_count);
	add_count(list, "places_unfollowed", "", stat->unfollowed);
	add_real(list, "reads_per_place", "",
		 value_ratio((double)(stat->requests - stat->unfollowed),
			     (double)stat->place_count));
}

static void add_steps(const struct trace_stat *stat, struct figure_list *list)
{
	add_count(list, "batches", "", stat->batches);
	add_real(list, "batch_wait_s.p50", "s",
		 value_quantile_s(&stat->batch_wait_ns, 0.5));
	add_count(list, "steps", "", stat->steps);
	add_real(list, "step_s.mean", "s",
		 value_ratio((double)stat->step_ns / NS_PER_S,
			     (double)stat->steps));
	add_real(list, "accelerators_busy_mean", "",
		 value_ratio((double)stat->step_ns, span_ns(stat)));
	add_real(list, "step_wait_s.p50", "s",
		 value_quantile_s(&stat->step_wait_ns, 0.5));
}

void trace_stat_figures(const struct trace_stat *stat, struct figure_list *list)
{
	add_count(list, "events", "", stat->events);
	add_real(list, "span_s", "s", value_real(span_ns(stat) / NS_PER_S));
	add_requests(stat, list);
	add_quantiles(stat, list);
	add_sizes(stat, list);
	add_places(stat, list);
	add_steps(stat, list);
}

/* ---- sizes ---- */

static const struct grid_column size_columns[] = {
	{ "from_bytes", METRIC_COUNT, "B", "size from", FOR_ALL },
	{ "requests", METRIC_COUNT, "", NULL, FOR_ALL },
	{ "bytes", METRIC_COUNT, "B", NULL, FOR_ALL },
	{ "latency_p50_s", METRIC_REAL, "s", "p50", FOR_ALL },
	{ "latency_p99_s", METRIC_REAL, "s", "p99", FOR_ALL },
	{ "latency_max_s", METRIC_REAL, "s", "max", FOR_ALL },
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

static const struct grid_column time_columns[] = {
	{ "from_s", METRIC_REAL, "s", "from", FOR_ALL },
	{ "requests_per_s", METRIC_REAL, "1/s", "requests", FOR_ALL },
	{ "bytes_per_s", METRIC_REAL, "B/s", "bytes", FOR_ALL },
	{ "queue_depth_mean", METRIC_REAL, "", "in flight", FOR_ALL },
	{ "accelerators_busy_mean", METRIC_REAL, "", "stepping", FOR_ALL },
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

static const struct grid_column reading_columns[] = {
	{ "reading", METRIC_COUNT, "", "read the n-th\ntime, n", FOR_ALL },
	{ "requests", METRIC_COUNT, "", NULL, FOR_ALL },
	{ "bytes", METRIC_COUNT, "B", NULL, FOR_ALL },
	{ "places_fraction", METRIC_REAL, "%", "% of places", FOR_ALL },
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

static const struct grid_column stage_columns[] = {
	{ "name", METRIC_TEXT, "", "stage", FOR_ALL },
	{ "items", METRIC_COUNT, "", NULL, FOR_ALL },
	{ "busy_mean", METRIC_REAL, "", "busy", FOR_ALL },
	{ "time_mean_s", METRIC_REAL, "s", "mean", FOR_ALL },
	{ "time_p50_s", METRIC_REAL, "s", "p50", FOR_ALL },
	{ "time_p99_s", METRIC_REAL, "s", "p99", FOR_ALL },
	{ "time_max_s", METRIC_REAL, "s", "max", FOR_ALL },
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

void trace_stat_grids(const struct trace_stat *stat,
		      struct grid grids[TRACE_STAT_GRIDS])
{
	const struct grid all[TRACE_STAT_GRIDS] = {
		{ .name = "sizes",
		  COLUMNS(size_columns),
		  .row_count = size_rows(stat),
		  .context = stat,
		  .cell = size_cell },
		{ .name = "over_time",
		  COLUMNS(time_columns),
		  .row_count = time_rows(stat),
		  .context = stat,
		  .cell = time_cell },
		{ .name = "readings",
		  COLUMNS(reading_columns),
		  .row_count = reading_rows(stat),
		  .context = stat,
		  .cell = reading_cell },
		{ .name = "stages",
		  COLUMNS(stage_columns),
		  .row_count = STAGE_COUNT - STAGE_DECOMPRESS,
		  .context = stat,
		  .cell = stage_cell },
	};

	memcpy(grids, all, sizeof(all));
}
