/* SPDX-License-Identifier: MIT */
#include "storage/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/permutation.h"
#include "sim/random.h"
#include "storage/clock.h"
#include "storage/probe_target.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define NS_PER_S 1000000000

/* All requests of a point together. */
#define BUFFER_BYTES (64 * MIB)
#define BUFFER_ALIGNMENT 4096
#define INFLIGHT_MAX 64
#define REAP_BATCH 64

/* A point is measured this often within the time there is, and over at least
 * so many completions. */
#define ROUNDS 5
#define COMPLETIONS_MIN 16

/* The first part of a window is left out: queues fill. */
#define WARM_UP_SHARE 8

#define PATIENCE_NS (INT64_C(30) * NS_PER_S)
#define WAIT_NS (INT64_C(200) * 1000000)

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
	const struct probe_options *options;
	struct probe_result *result;
	struct fault *fault;
	struct probe_target target;
	struct random_stream places;
	uint64_t place;	     /* drawn so far */
	uint64_t next_block; /* of sequential reading */
	unsigned char *buffer;
	struct reader_wake wake;
	bool stuck; /* the kernel keeps the buffer, the files and the wake */
	int64_t start_ns;
	int64_t end_ns; /* of the budget */
};

/* ---- so many requests in flight, all the time ---- */

struct load {
	struct probing *probing;
	const struct probe_point *point;
	struct reader *reader;
	uint64_t blocks;
	uint32_t inflight;
	int64_t submitted_ns[INFLIGHT_MAX];
	/* Of the completions taken last. */
	uint32_t taken;
	int64_t taken_ns;
};

static int complain(struct probing *probing, int error, const char *what)
{
	fault_set(probing->fault, probing->options->path, 0, "%s: %s", what,
		  strerror(-error));
	return error;
}

static void note_reader(struct probing *probing, const struct reader *reader)
{
	struct probe_facts *facts = &probing->target.facts;
	const struct reader_facts *granted = reader_facts(reader);

	facts->backend = granted->backend;
	if (granted->notes[0] && !strstr(facts->notes, "not registered"))
		probe_note(facts, "%s", granted->notes);
}

static int load_open(struct load *load, struct probing *probing,
		     const struct probe_point *point)
{
	struct reader_setup setup = {
		.files = probing->target.fds,
		.file_count = probing->target.facts.files,
		.memory = probing->buffer,
		.slot_bytes = point->bytes,
		.slot_count = point->inflight,
		.inflight_max = point->inflight,
		.alignment_bytes = BUFFER_ALIGNMENT,
		.wake = &probing->wake,
	};
	int error;

	CHECK(point->inflight <= INFLIGHT_MAX);
	CHECK(point->inflight * point->bytes <= BUFFER_BYTES);
	memset(load, 0, sizeof(*load));
	load->probing = probing;
	load->point = point;
	load->blocks = probe_target_blocks(&probing->target, point->bytes);
	if (!probing->target.facts.direct)
		probe_target_forget(&probing->target);
	if (probing->options->kind)
		error = reader_open_kind(&load->reader, probing->options->kind,
					 &setup, probing->fault);
	else
		error = reader_open(&load->reader, READER_ANY, &setup,
				    probing->fault);
	if (!error)
		note_reader(probing, load->reader);
	return error;
}

static void load_submit(struct load *load, uint32_t slot)
{
	struct probing *probing = load->probing;
	struct probe_place place;
	struct reader_request request;
	uint64_t number;

	if (load->point->sequential)
		number = probing->next_block++ % load->blocks;
	else
		number = random_below(random_bits(probing->places,
						  probing->place++),
				      load->blocks);
	place = probe_target_find(&probing->target, load->point->bytes, number);
	request = (struct reader_request){
		.slot = slot,
		.file = place.file,
		.offset_bytes = place.offset_bytes,
		.bytes = load->point->bytes,
		.needed_bytes = load->point->bytes,
	};
	load->submitted_ns[slot] = clock_now_ns();
	reader_submit(load->reader, &request);
	load->inflight++;
}

static void load_start(struct load *load)
{
	for (uint32_t slot = 0; slot < load->point->inflight; slot++)
		load_submit(load, slot);
}

/* Waits for completions, once; submits as many again if `refill`. */
static int load_turn(struct load *load, bool refill, struct histogram *latency)
{
	struct reader_done done[REAP_BATCH];
	struct probing *probing = load->probing;
	int error;

	error = reader_wait(load->reader, WAIT_NS);
	if (error)
		return complain(probing, error, "waiting for reads failed");
	load->taken = reader_reap(load->reader, done, REAP_BATCH);
	for (uint32_t i = 0; i < load->taken; i++) {
		load->inflight--;
		load->taken_ns = done[i].at_ns;
		if (done[i].error)
			return complain(probing, done[i].error,
					"a read failed");
		if (latency)
			histogram_add(latency,
				      done[i].at_ns -
					      load->submitted_ns[done[i].slot]);
		if (refill)
			load_submit(load, done[i].slot);
	}
	return 0;
}

/* Silence for too long is a fault. */
static int load_patience(const struct load *load, int64_t last_ns)
{
	if (clock_now_ns() - last_ns < PATIENCE_NS)
		return 0;
	return complain(load->probing, -ETIMEDOUT,
			"the storage does not answer");
}

/* Where the kernel still holds buffers they stay as they are, for good. */
static int load_close(struct load *load, int error)
{
	struct probing *probing = load->probing;

	if (reader_close(load->reader, PATIENCE_NS) == 0)
		return error;
	probing->stuck = true;
	return error ? error :
		       complain(probing, -ETIMEDOUT,
				"reads do not come to an end");
}

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
		error = load_turn(load, true, latency);
		over = window_take(window, load);
		if (!error)
			error = load_patience(load, window->last_ns);
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
	error = load_open(&load, probing, point);
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

static bool go_on(const struct probing *probing, const char *what)
{
	const struct probe_options *options = probing->options;
	double total = (double)options->budget_ns;
	double done = (double)(clock_now_ns() - probing->start_ns) / total;

	return options->progress(options->context, what, done < 1 ? done : 1);
}

/* Points that the storage has room for: not everything in flight may be one
 * and the same block. */
static void lay_out_points(struct probing *probing)
{
	struct probe_result *result = probing->result;

	for (size_t i = 0; i < sizeof(plan) / sizeof(plan[0]); i++) {
		if (probe_target_blocks(&probing->target, plan[i].bytes) < 4)
			continue;
		result->measures[result->count++].point = plan[i];
	}
	if (result->count < sizeof(plan) / sizeof(plan[0]))
		probe_note(&probing->target.facts,
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
		random_substream(probing->places, UINT64_C(1) + round));
	int error = 0;

	for (size_t i = 0; i < result->count && !error; i++) {
		if (!go_on(probing, "probe"))
			return -EINTR;
		error = measure(probing,
				&result->measures[permutation_at(&order, i)],
				length_ns);
	}
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

static int soak_loop(struct load *load, int64_t start_ns)
{
	struct probe_result *result = load->probing->result;
	int64_t last_ns = start_ns;
	int error = 0;

	load_start(load);
	for (;;) {
		int64_t period;

		error = load_turn(load, true, NULL);
		if (!error)
			error = load_patience(load, last_ns);
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
		if (!go_on(load->probing, "soak"))
			return -EINTR;
	}
}

static int soak(struct probing *probing)
{
	struct probe_result *result = probing->result;
	int64_t periods =
		probing->options->budget_ns / 2 / PROBE_SOAK_PERIOD_NS;
	struct load load;
	int error;

	if (probe_target_blocks(&probing->target, soak_point.bytes) <
	    soak_point.inflight) {
		fault_set(probing->fault, probing->options->path, 0,
			  "too small to soak; expected at least 32 MiB");
		return -EINVAL;
	}
	result->soak_bytes_per_s =
		calloc((size_t)periods + 1, sizeof(*result->soak_bytes_per_s));
	if (!result->soak_bytes_per_s)
		return -ENOMEM;
	result->soak_count = (size_t)periods;
	error = load_open(&load, probing, &soak_point);
	if (error)
		return error;
	return load_close(&load, soak_loop(&load, clock_now_ns()));
}

/* ---- the whole ---- */

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static void take_median(struct probe_measure *measure)
{
	double sorted[PROBE_ROUNDS_MAX];
	uint32_t half = measure->rounds / 2;

	memcpy(sorted, measure->rates, sizeof(sorted));
	qsort(sorted, measure->rounds, sizeof(sorted[0]), compare);
	measure->requests_per_s = measure->rounds % 2 ?
					  sorted[half] :
					  (sorted[half - 1] + sorted[half]) / 2;
}

static int measure_all(struct probing *probing)
{
	const struct probe_options *options = probing->options;
	struct probe_result *result = probing->result;
	int error = 0;

	probing->start_ns = clock_now_ns();
	probing->end_ns = probing->start_ns + options->budget_ns;
	lay_out_points(probing);
	if (options->soak)
		error = soak(probing);
	if (!error)
		error = measure_points(probing);
	if (error)
		return error;
	for (size_t i = 0; i < result->count; i++)
		take_median(&result->measures[i]);
	return 0;
}

int probe_run(const struct probe_options *options, struct probe_result *result,
	      struct fault *fault)
{
	struct probing probing = {
		.options = options,
		.result = result,
		.fault = fault,
		.places = random_stream(options->seed, RANDOM_PROBE),
	};
	int error;

	memset(result, 0, sizeof(*result));
	result->complete = true;
	error = probe_target_open(&probing.target, options, fault);
	if (error)
		goto release_result;
	error = reader_wake_init(&probing.wake);
	if (error)
		goto close_target;
	probing.buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_BYTES);
	error = probing.buffer ? measure_all(&probing) : -ENOMEM;
	result->facts = probing.target.facts;
	if (!probing.stuck) {
		free(probing.buffer);
		reader_wake_release(&probing.wake);
	}
close_target:
	if (!probing.stuck)
		probe_target_close(&probing.target);
release_result:
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
