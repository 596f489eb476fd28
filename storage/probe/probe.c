/* SPDX-License-Identifier: MIT */
#include "storage/probe/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/permutation.h"
#include "sim/random.h"
#include "storage/clock.h"
#include "storage/probe/load.h"
#include "storage/probe/target.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define NS_PER_S 1000000000

/* A point is measured this often within the time there is, and over at least
 * so many completions. */
#define ROUNDS 5
#define COMPLETIONS_MIN 16

/* The first part of a window is left out: queues fill. */
#define WARM_UP_SHARE 8

/* One small request at a time: its latencies are kept, so it gets more time
 * than the others. */
#define LATENCY_WEIGHT 4

static const struct probe_point plan[] = {
	{ 1, 4 * KIB, false, false },	{ 2, 4 * KIB, false, false },
	{ 4, 4 * KIB, false, false },	{ 8, 4 * KIB, false, false },
	{ 16, 4 * KIB, false, false },	{ 32, 4 * KIB, false, false },
	{ 64, 4 * KIB, false, false },	{ 16, 16 * KIB, false, false },
	{ 16, 64 * KIB, false, false }, { 16, 256 * KIB, false, false },
	{ 16, 1 * MIB, false, false },	{ 16, 4 * MIB, false, false },
	{ 1, 64 * KIB, false, false },	{ 1, 256 * KIB, false, false },
	{ 1, 1 * MIB, false, false },	{ 1, 4 * MIB, false, false },
	{ 4, 1 * MIB, false, false },	{ 8, 1 * MIB, false, false },
	{ 32, 1 * MIB, false, false },	{ 1, 1 * MIB, true, false },
	{ 16, 1 * MIB, true, false },	{ 1, 16 * KIB, false, true },
	{ 32, 16 * KIB, false, true },	{ 4, 64 * KIB, false, true },
	{ 16, 128 * KIB, false, true }, { 8, 256 * KIB, false, true },
	{ 2, 1 * MIB, false, true },	{ 8, 4 * MIB, false, true },
};

static const struct probe_point soak_point = { 32, 1 * MIB, false, false };

struct probing {
	struct probe_site *site;
	struct probe_result *result;
	int64_t end_ns; /* of the budget */
};

/* ---- one point, once ---- */

struct window {
	int64_t start_ns;
	int64_t length_ns;
	bool open; /* counting has begun */
	int64_t open_ns;
	int64_t last_ns;
	uint64_t completions; /* since it opened */
	uint64_t before;
};

/* Accounts what was taken last; is that all? Both ends of the window are
 * completions, so that nothing is counted in part. */
static bool window_take(struct window *window, const struct load *load)
{
	uint64_t least = load->point->inflight;

	if (!load->taken)
		return false;
	window->last_ns = load->taken_ns;
	if (!window->open) {
		window->before += load->taken;
		window->open = window->before >= least &&
			       window->last_ns - window->start_ns >=
				       window->length_ns / WARM_UP_SHARE;
		window->open_ns = window->last_ns;
		return false;
	}
	window->completions += load->taken;
	if (least < COMPLETIONS_MIN)
		least = COMPLETIONS_MIN;
	return window->completions >= least &&
	       window->last_ns - window->start_ns >= window->length_ns &&
	       window->last_ns > window->open_ns;
}

static int measure_window(struct load *load, struct window *window,
			  struct histogram *latency)
{
	bool over = false;
	int error = 0;

	window->start_ns = clock_now_ns();
	window->last_ns = window->start_ns;
	load_start(load);
	while (!error && !over) {
		error = load_turn(load, latency);
		over = window_take(window, load);
		if (!error)
			error = load_look(load, window->last_ns);
	}
	return error;
}

static int measure(struct probing *probing, struct probe_measure *measure,
		   int64_t length_ns)
{
	const struct probe_point *point = &measure->point;
	struct histogram *latency = NULL;
	struct window window = { .length_ns = length_ns };
	struct load load;
	int error;

	if (point->inflight == 1 && point->bytes == plan[0].bytes) {
		latency = &probing->result->latency_ns;
		window.length_ns *= LATENCY_WEIGHT;
	}
	error = load_open(&load, probing->site, point);
	if (error)
		return error;
	error = load_close(&load, measure_window(&load, &window, latency));
	if (error)
		return error;
	measure->rates[measure->rounds++] =
		(double)window.completions * NS_PER_S /
		(double)(window.last_ns - window.open_ns);
	return 0;
}

/* ---- all points, again and again ---- */

/* Points that the storage has room for: not everything in flight may be one
 * and the same block. */
static void lay_out_points(struct probing *probing)
{
	struct probe_result *result = probing->result;

	for (size_t i = 0; i < sizeof(plan) / sizeof(plan[0]); i++) {
		if (probe_target_blocks(&probing->site->target, plan[i].bytes) <
		    4)
			continue;
		result->measures[result->count++].point = plan[i];
	}
	if (result->count < sizeof(plan) / sizeof(plan[0]))
		probe_note(&probing->site->target.facts,
			   "it is too small for the largest requests, which "
			   "were left out");
}

/* One round, in an order of its own. */
static int measure_round(struct probing *probing, uint32_t round,
			 int64_t length_ns)
{
	struct probe_result *result = probing->result;
	struct permutation order = permutation_make(
		result->count,
		random_substream(probing->site->places, UINT64_C(1) + round));
	int error = 0;

	for (size_t i = 0; i < result->count && !error; i++)
		error = measure(probing,
				&result->measures[permutation_at(&order, i)],
				length_ns);
	return error;
}

/* Rounds as long as there is time for another like the longest. */
static int measure_points(struct probing *probing)
{
	int64_t left_ns = probing->end_ns - clock_now_ns();
	int64_t windows = (int64_t)probing->result->count + LATENCY_WEIGHT - 1;
	int64_t length_ns = left_ns / ROUNDS / windows;
	int64_t longest_ns = 0;
	int error = 0;

	for (uint32_t round = 0; round < PROBE_ROUNDS_MAX; round++) {
		int64_t start_ns = clock_now_ns();
		int64_t took_ns;

		if (round > 0 && start_ns + longest_ns > probing->end_ns)
			break;
		error = measure_round(probing, round, length_ns);
		if (error)
			break;
		took_ns = clock_now_ns() - start_ns;
		longest_ns = took_ns > longest_ns ? took_ns : longest_ns;
	}
	if (error != -EINTR)
		return error;
	probing->result->complete = false;
	for (size_t i = 0; i < probing->result->count; i++)
		if (!probing->result->measures[i].rounds)
			return -EINTR;
	return 0;
}

/* ---- soak ---- */

static int soak_loop(struct load *load, struct probe_result *result,
		     int64_t start_ns)
{
	int64_t last_ns = start_ns;
	int error = 0;

	load_start(load);
	for (;;) {
		int64_t period;

		error = load_turn(load, NULL);
		if (!error)
			error = load_look(load, last_ns);
		if (error)
			return error;
		if (!load->taken)
			continue;
		last_ns = load->taken_ns;
		period = (last_ns - start_ns) / PROBE_SOAK_PERIOD_NS;
		if (period >= (int64_t)result->soak_count)
			return 0;
		result->soak_bytes_per_s[period] +=
			(double)(load->taken * load->point->bytes) * NS_PER_S /
			PROBE_SOAK_PERIOD_NS;
	}
}

static int soak(struct probing *probing)
{
	struct probe_result *result = probing->result;
	int64_t periods =
		probing->site->options->budget_ns / 2 / PROBE_SOAK_PERIOD_NS;
	struct load load;
	int error;

	if (probe_target_blocks(&probing->site->target, soak_point.bytes) <
	    soak_point.inflight) {
		fault_set(probing->site->fault, probing->site->options->path, 0,
			  "too small to soak; expected at least 32 MiB");
		return -EINVAL;
	}
	result->soak_bytes_per_s =
		calloc((size_t)periods + 1, sizeof(*result->soak_bytes_per_s));
	if (!result->soak_bytes_per_s)
		return -ENOMEM;
	result->soak_count = (size_t)periods;
	error = load_open(&load, probing->site, &soak_point);
	if (error)
		return error;
	return load_close(&load, soak_loop(&load, result, clock_now_ns()));
}

/* ---- the whole ---- */

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static double between(const double *sorted, uint32_t count, uint32_t quarters)
{
	uint32_t at = (count - 1) * quarters; /* in quarters of a place */
	double low = sorted[at / 4];
	double high = sorted[at % 4 ? at / 4 + 1 : at / 4];

	return low + (high - low) * (at % 4) / 4;
}

static void take_quartiles(struct probe_measure *measure)
{
	double sorted[PROBE_ROUNDS_MAX];

	memcpy(sorted, measure->rates, sizeof(sorted));
	qsort(sorted, measure->rounds, sizeof(sorted[0]), compare);
	measure->lower_per_s = between(sorted, measure->rounds, 1);
	measure->requests_per_s = between(sorted, measure->rounds, 2);
	measure->upper_per_s = between(sorted, measure->rounds, 3);
}

static int measure_all(struct probing *probing)
{
	const struct probe_options *options = probing->site->options;
	struct probe_result *result = probing->result;
	int error = 0;

	probing->end_ns = probing->site->start_ns + options->budget_ns;
	lay_out_points(probing);
	if (options->soak)
		error = soak(probing);
	if (!error)
		error = measure_points(probing);
	if (error)
		return error;
	for (size_t i = 0; i < result->count; i++)
		take_quartiles(&result->measures[i]);
	return 0;
}

int probe_run(const struct probe_options *options, struct probe_result *result,
	      struct fault *fault)
{
	struct probing probing = { .result = result };
	int error;

	memset(result, 0, sizeof(*result));
	result->complete = true;
	error = probe_site_open(&probing.site, options, fault);
	if (!error) {
		error = measure_all(&probing);
		result->facts = probing.site->target.facts;
		probe_site_close(probing.site);
	}
	if (!error)
		return 0;
	probe_release(result);
	if (error == -EINTR)
		fault_set(fault, options->path, 0,
			  "stopped before everything was measured once");
	return error;
}

void probe_release(struct probe_result *result)
{
	free(result->soak_bytes_per_s);
	result->soak_bytes_per_s = NULL;
	result->soak_count = 0;
}
