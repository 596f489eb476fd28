/* SPDX-License-Identifier: MIT */
#include "analysis/trace/stat.h"

#include <stdlib.h>

#include "analysis/trace/state.h"
#include "analysis/trace/table.h"

#define BIN_NS_FIRST 1000000 /* then doubled as the run goes on */

struct trace_stat *trace_stat_open(void)
{
	struct trace_stat *stat = calloc(1, sizeof(*stat));

	if (!stat)
		return NULL;
	stat->bin_ns = BIN_NS_FIRST;
	stat->sizes = calloc(SIZE_CLASSES, sizeof(*stat->sizes));
	stat->places = calloc(PLACES, sizeof(*stat->places));
	stat->window = calloc(WINDOW, sizeof(*stat->window));
	stat->objects = calloc(OBJECTS, sizeof(*stat->objects));
	if (stat->sizes && stat->places && stat->window && stat->objects)
		return stat;
	trace_stat_close(stat);
	return NULL;
}

void trace_stat_close(struct trace_stat *stat)
{
	free(stat->objects);
	free(stat->window);
	free(stat->places);
	free(stat->sizes);
	free(stat);
}

/* ---- over time ---- */

static void double_bins(struct trace_stat *stat)
{
	for (int i = 0; i < SPAN_BINS; i++) {
		struct span_bin *bins = stat->bins;
		struct span_bin sum = { 0 };

		for (int k = 2 * i; k < SPAN_BINS && k < 2 * i + 2; k++) {
			sum.requests += bins[k].requests;
			sum.bytes += bins[k].bytes;
			sum.in_flight_ns += bins[k].in_flight_ns;
			sum.stepping_ns += bins[k].stepping_ns;
		}
		bins[i] = sum;
	}
	stat->bin_ns *= 2;
}

/* Nanoseconds since the first event; never negative. */
static uint64_t since_first(const struct trace_stat *stat, int64_t time_ns)
{
	return time_ns > stat->first_ns ? (uint64_t)(time_ns - stat->first_ns) :
					  0;
}

/* The bin of a time, after making them long enough. */
static int bin_of(struct trace_stat *stat, int64_t time_ns)
{
	uint64_t at_ns = since_first(stat, time_ns);

	while (at_ns / SPAN_BINS >= stat->bin_ns)
		double_bins(stat);
	return (int)(at_ns / stat->bin_ns);
}

/* Spreads the time from one to the other over the bins. */
static void spread(struct trace_stat *stat, int64_t from_ns, int64_t to_ns,
		   bool steps)
{
	int last = bin_of(stat, to_ns);
	int first = bin_of(stat, from_ns);
	uint64_t from = since_first(stat, from_ns);
	uint64_t to = since_first(stat, to_ns);

	for (int i = first; i <= last; i++) {
		uint64_t bin_from = (uint64_t)i * stat->bin_ns;
		uint64_t bin_to = bin_from + stat->bin_ns;
		double share_ns = (double)((to < bin_to ? to : bin_to) -
					   (from > bin_from ? from : bin_from));

		if (steps)
			stat->bins[i].stepping_ns += share_ns;
		else
			stat->bins[i].in_flight_ns += share_ns;
	}
}

/* ---- places ---- */

static uint64_t place_key(const struct trace_event *event)
{
	uint64_t bits =
		(event->offset_bytes + 1) * UINT64_C(0x9e3779b97f4a7c15) ^
		(event->object + UINT64_C(1)) * UINT64_C(0xc2b2ae3d27d4eb4f);

	bits = (bits ^ bits >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	bits ^= bits >> 29;
	return bits ? bits : 1;
}

static void follow_place(struct trace_stat *stat,
			 const struct trace_event *event)
{
	uint64_t key = place_key(event);
	uint32_t at = (uint32_t)(key % PLACES);
	struct reading *reading;

	while (stat->places[at].key && stat->places[at].key != key)
		at = (at + 1) % PLACES;
	if (!stat->places[at].key) {
		if (stat->place_count == PLACES_MAX) {
			stat->unfollowed++;
			return;
		}
		stat->place_count++;
		stat->places[at].key = key;
	}
	if (stat->places[at].reads < READINGS_MAX)
		stat->places[at].reads++;
	reading = &stat->readings[stat->places[at].reads - 1];
	reading->requests++;
	reading->bytes += event->bytes;
}

/* ---- order ---- */

static void follow_order(struct trace_stat *stat,
			 const struct waiting_request *request)
{
	struct object_end *end = &stat->objects[request->object % OBJECTS];

	stat->followed++;
	/* One that is widened to the device's alignment may begin with what the
	 * last one ended with. */
	stat->sequential += end->known && end->object == request->object &&
			    request->offset_bytes > end->start_bytes &&
			    request->offset_bytes <= end->end_bytes;
	*end = (struct object_end){ true, request->object,
				    request->offset_bytes,
				    request->offset_bytes + request->bytes };
}

static void pass_window(struct trace_stat *stat)
{
	struct waiting_request *first =
		&stat->window[stat->next_number++ % WINDOW];

	if (first->waits)
		follow_order(stat, first);
	first->waits = false;
}

/* Requests come as they end; they are looked at in the order of their numbers,
 * as far as the window reaches. */
static void order(struct trace_stat *stat, const struct trace_event *event)
{
	struct waiting_request request = { true, event->object,
					   event->offset_bytes, event->bytes };

	if (stat->requests == 1)
		stat->next_number = event->number > WINDOW / 2 ?
					    event->number - WINDOW / 2 :
					    0;
	if (event->number < stat->next_number) {
		follow_order(stat, &request);
		return;
	}
	if (event->number - stat->next_number >= 2 * WINDOW) {
		for (int i = 0; i < WINDOW; i++)
			pass_window(stat);
		stat->next_number = event->number;
	}
	while (event->number - stat->next_number >= WINDOW)
		pass_window(stat);
	stat->window[event->number % WINDOW] = request;
}

/* ---- events ---- */

static int64_t between(int64_t from_ns, int64_t to_ns)
{
	return from_ns == TIME_UNKNOWN || to_ns == TIME_UNKNOWN ||
			       from_ns > to_ns ?
		       -1 :
		       to_ns - from_ns;
}

static void add_time(struct histogram *histogram, int64_t time_ns)
{
	if (time_ns >= 0)
		histogram_add(histogram, time_ns);
}

/* The class of sizes below 2^n. */
static int size_class(uint64_t bytes)
{
	int class = 0;

	while (bytes >> class > 1)
		class ++;
	return class;
}

static void add_request(struct trace_stat *stat,
			const struct trace_event *event)
{
	struct size_class *class = &stat->sizes[size_class(event->bytes)];
	int64_t latency_ns = between(event->issue_ns, event->end_ns);

	stat->requests++;
	stat->writes += (event->flags & TRACE_WRITE) != 0;
	stat->failed += (event->flags & TRACE_FAILED) != 0;
	stat->late += (event->flags & TRACE_LATE) != 0;
	stat->retries += event->retries;
	stat->cached_requests += event->cached_bytes > 0;
	stat->bytes += event->bytes;
	stat->cached_bytes += event->cached_bytes;
	histogram_add(&stat->size_bytes, (int64_t)(event->bytes & INT64_MAX));
	add_time(&stat->latency_ns, latency_ns);
	add_time(&stat->service_ns, between(event->start_ns, event->end_ns));
	class->requests++;
	class->bytes += event->bytes;
	add_time(&class->latency_ns, latency_ns);
	if (latency_ns > 0) {
		stat->in_flight_ns += (double)latency_ns;
		spread(stat, event->issue_ns, event->end_ns, false);
	}
	if (trace_event_end_ns(event) != TIME_UNKNOWN) {
		int bin = bin_of(stat, trace_event_end_ns(event));

		stat->bins[bin].requests++;
		stat->bins[bin].bytes += event->bytes;
	}
	follow_place(stat, event);
	order(stat, event);
}

static void add_work(struct trace_stat *stat, const struct trace_event *event)
{
	struct stage_work *work = &stat->stages[event->stage % STAGE_COUNT];
	int64_t time_ns = between(event->start_ns, event->end_ns);

	work->items++;
	work->busy_ns += time_ns > 0 ? (uint64_t)time_ns : 0;
	add_time(&work->time_ns, time_ns);
}

static void add_step(struct trace_stat *stat, const struct trace_event *event)
{
	int64_t time_ns = between(event->start_ns, event->end_ns);

	stat->steps++;
	add_time(&stat->step_wait_ns,
		 between(event->issue_ns, event->start_ns));
	if (time_ns <= 0)
		return;
	stat->step_ns += (uint64_t)time_ns;
	spread(stat, event->start_ns, event->end_ns, true);
}

void trace_stat_add(struct trace_stat *stat, const struct trace_event *event)
{
	int64_t begin_ns = trace_event_begin_ns(event);
	int64_t end_ns = trace_event_end_ns(event);

	stat->events++;
	if (begin_ns != TIME_UNKNOWN && !stat->began) {
		stat->began = true;
		stat->first_ns = begin_ns;
		stat->last_ns = begin_ns;
	}
	if (end_ns != TIME_UNKNOWN && end_ns > stat->last_ns)
		stat->last_ns = end_ns;
	bin_of(stat, stat->last_ns); /* the bins reach as far */
	if (event->kind == TRACE_REQUEST) {
		add_request(stat, event);
	} else if (event->kind == TRACE_WORK) {
		add_work(stat, event);
	} else if (event->kind == TRACE_STEP) {
		add_step(stat, event);
	} else if (event->kind == TRACE_BATCH) {
		stat->batches++;
		add_time(&stat->batch_wait_ns,
			 between(event->issue_ns, event->end_ns));
	}
}

void trace_stat_finish(struct trace_stat *stat)
{
	for (int i = 0; i < WINDOW; i++)
		pass_window(stat);
}
