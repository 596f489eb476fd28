/* SPDX-License-Identifier: MIT */
#include "analysis/trace/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traces/scenario.h"

#define HOSTS_MAX 4096
#define BUSY_MAX 1024
#define CHECKPOINTS 40

/* Whole numbers of examples in a request that are tried, and how near a batch
 * must then be to a whole number. */
#define IN_REQUEST_MAX 64
#define AGREED 0.01

#define NS_PER_S 1e9

/* The ends of work that is under way in a stage of one host, the first. */
struct busy {
	int64_t ends_ns[BUSY_MAX];
	uint32_t count;
	uint32_t most;
};

/* What had been counted when there were 2^n batches. */
struct checkpoint {
	uint64_t batches;
	uint64_t augmented;
	uint64_t decoded;
	uint64_t requests;
};

struct trace_fit {
	struct trace_model model;
	size_t sample_count;
	struct device_sample samples[TRACE_FIT_REQUESTS_MAX];
	struct shape request_bytes;
	struct shape block_bytes;
	struct shape example_bytes;
	struct shape step_ns;
	struct shape between_ns; /* waits for a batch */
	struct pace pace;
	struct pace pace_between;
	int64_t wait_end_ns; /* of the last one */
	bool waited;
	double read_bytes;
	struct trace_known known;
	struct shape stage_ns[STAGE_COUNT];
	struct busy busy[STAGE_COUNT];
	uint64_t works[STAGE_COUNT];
	uint64_t batches;
	struct checkpoint checkpoints[CHECKPOINTS];
	unsigned checkpoint_count;
	uint32_t accelerator_max;
	uint32_t host_max;
	uint64_t object_max;
	int64_t first_ns;
	int64_t last_ns;
};

struct trace_fit *trace_fit_open(const struct trace_known *known)
{
	struct trace_fit *fit = calloc(1, sizeof(*fit));

	if (!fit)
		return NULL;
	if (known)
		fit->known = *known;
	fit->first_ns = INT64_MAX;
	fit->last_ns = INT64_MIN;
	return fit;
}

void trace_fit_close(struct trace_fit *fit)
{
	free(fit);
}

/* ---- requests ---- */

static bool is_usable(const struct trace_event *event)
{
	return event->issue_ns != TIME_UNKNOWN &&
	       event->end_ns != TIME_UNKNOWN && !event->retries &&
	       !(event->flags & (TRACE_WRITE | TRACE_FAILED)) &&
	       event->bytes <= DEVICE_REQUEST_BYTES_MAX &&
	       event->end_ns >= event->issue_ns;
}

static void add_sample(struct trace_fit *fit, const struct trace_event *event)
{
	struct device_sample *sample = &fit->samples[fit->sample_count];
	int64_t start_ns = event->start_ns;

	if (fit->sample_count == TRACE_FIT_REQUESTS_MAX)
		return;
	if (start_ns == TIME_UNKNOWN || start_ns < event->issue_ns)
		start_ns = event->issue_ns;
	if (start_ns > event->end_ns)
		start_ns = event->end_ns;
	*sample = (struct device_sample){
		.issue_ns = event->issue_ns,
		.start_ns = start_ns,
		.end_ns = event->end_ns,
		.number = event->number,
		.bytes = event->bytes,
		.offset_bytes = event->offset_bytes,
		.object = event->object,
		.host = event->host,
	};
	fit->sample_count++;
}

static void add_request(struct trace_fit *fit, const struct trace_event *event)
{
	struct trace_model *model = &fit->model;
	uint64_t end_bytes;

	model->requests++;
	if (event->flags & TRACE_WRITE) {
		model->written_requests++;
		return;
	}
	fit->read_bytes += (double)event->bytes;
	if (event->object > fit->object_max)
		fit->object_max = event->object;
	if (!__builtin_add_overflow(event->offset_bytes, event->bytes,
				    &end_bytes) &&
	    end_bytes > model->object_bytes)
		model->object_bytes = end_bytes;
	if (event->bytes <= INT64_MAX)
		shape_add(&fit->request_bytes, (int64_t)event->bytes);
	if (event->cached_bytes > 0)
		model->cached_requests++;
	else if (is_usable(event))
		add_sample(fit, event);
	else if (event->issue_ns != TIME_UNKNOWN &&
		 event->end_ns == TIME_UNKNOWN)
		model->endless_requests++;
	else
		model->unusable_requests++;
}

/* ---- work ---- */

static void count_busy(struct busy *busy, int64_t start_ns, int64_t end_ns)
{
	uint32_t kept = 0, i;

	for (i = 0; i < busy->count; i++)
		if (busy->ends_ns[i] > start_ns)
			busy->ends_ns[kept++] = busy->ends_ns[i];
	busy->count = kept;
	if (busy->count < BUSY_MAX)
		busy->ends_ns[busy->count++] = end_ns;
	if (busy->count > busy->most)
		busy->most = busy->count;
}

static void add_work(struct trace_fit *fit, const struct trace_event *event)
{
	unsigned stage = event->stage;

	if (stage >= STAGE_COUNT || event->start_ns == TIME_UNKNOWN ||
	    event->end_ns < event->start_ns)
		return;
	fit->works[stage]++;
	shape_add(&fit->stage_ns[stage], event->end_ns - event->start_ns);
	if (event->host == 0 && event->end_ns > event->start_ns)
		count_busy(&fit->busy[stage], event->start_ns, event->end_ns);
	if (stage == STAGE_DECOMPRESS && event->bytes > 0)
		shape_add(&fit->block_bytes, (int64_t)event->bytes);
	if (stage == STAGE_DECODE && event->bytes > 0)
		shape_add(&fit->example_bytes, (int64_t)event->bytes);
}

static struct checkpoint count_now(const struct trace_fit *fit)
{
	return (struct checkpoint){
		.batches = fit->batches,
		.augmented = fit->works[STAGE_AUGMENT],
		.decoded = fit->works[STAGE_DECODE],
		.requests = fit->model.requests,
	};
}

/* A foreign trace may say when the job began to wait: between two waits it
 * computed. */
static void add_wait(struct trace_fit *fit, const struct trace_event *event)
{
	if (event->start_ns == TIME_UNKNOWN || event->end_ns < event->start_ns)
		return;
	if (fit->waited && event->start_ns >= fit->wait_end_ns) {
		shape_add(&fit->between_ns, event->start_ns - fit->wait_end_ns);
		pace_add(&fit->pace_between, 0, fit->wait_end_ns,
			 event->start_ns);
	}
	fit->waited = true;
	fit->wait_end_ns = event->end_ns;
}

static void add_batch(struct trace_fit *fit, const struct trace_event *event)
{
	add_wait(fit, event);
	fit->batches++;
	if (fit->batches == UINT64_C(1) << fit->checkpoint_count &&
	    fit->checkpoint_count < CHECKPOINTS)
		fit->checkpoints[fit->checkpoint_count++] = count_now(fit);
}

static void add_step(struct trace_fit *fit, const struct trace_event *event)
{
	if (event->start_ns == TIME_UNKNOWN || event->end_ns < event->start_ns)
		return;
	shape_add(&fit->step_ns, event->end_ns - event->start_ns);
	/* In foreign traces hosts tell them apart. */
	pace_add(&fit->pace,
		 event->object > event->host ? event->object : event->host,
		 event->start_ns, event->end_ns);
	if (event->object > fit->accelerator_max && event->object < UINT16_MAX)
		fit->accelerator_max = event->object;
}

static void add_time(struct trace_fit *fit, int64_t time_ns)
{
	if (time_ns == TIME_UNKNOWN)
		return;
	fit->first_ns = time_ns < fit->first_ns ? time_ns : fit->first_ns;
	fit->last_ns = time_ns > fit->last_ns ? time_ns : fit->last_ns;
}

void trace_fit_add(struct trace_fit *fit, const struct trace_event *event)
{
	fit->model.events++;
	if (event->host > fit->host_max && event->host < HOSTS_MAX)
		fit->host_max = event->host;
	add_time(fit, event->issue_ns);
	add_time(fit, event->end_ns);
	if (event->kind == TRACE_REQUEST)
		add_request(fit, event);
	else if (event->kind == TRACE_WORK)
		add_work(fit, event);
	else if (event->kind == TRACE_BATCH)
		add_batch(fit, event);
	else if (event->kind == TRACE_STEP)
		add_step(fit, event);
}

/* ---- the model ---- */

/* Examples in a request and in a batch, as few as agree with how many requests
 * a batch takes. */
static void guess_examples(struct trace_model *model, double requests)
{
	uint64_t in_request;

	model->batch_size = 1;
	if (!(requests > 0))
		return;
	for (in_request = 1; in_request <= IN_REQUEST_MAX; in_request++) {
		double examples = requests * (double)in_request;
		double whole = (double)(uint64_t)(examples + 0.5);

		model->request_examples = in_request;
		model->batch_size = whole < 1 ? 1 : (uint64_t)whole;
		if (whole >= 1 && examples > whole * (1 - AGREED) &&
		    examples < whole * (1 + AGREED))
			return;
	}
}

/* What went into a batch, between two moments far behind the start, when
 * queues no longer fill: examples, as the last stage that worked on them saw
 * them, and requests. */
static void find_batch(const struct trace_fit *fit, struct trace_model *model)
{
	struct checkpoint from = { 0 }, now = count_now(fit);
	uint64_t batches, examples = 0;
	double requests;
	unsigned i;

	model->request_examples = 1;
	for (i = 0; i < fit->checkpoint_count; i++)
		if (fit->checkpoints[i].batches * 2 <= fit->batches)
			from = fit->checkpoints[i];
	batches = now.batches - from.batches;
	if (!batches)
		return;
	if (now.augmented)
		examples = now.augmented - from.augmented;
	else if (now.decoded)
		examples = now.decoded - from.decoded;
	requests = (double)(now.requests - from.requests) / (double)batches;
	model->batch_size = fit->known.batch_size ?
				    fit->known.batch_size :
				    (examples + batches / 2) / batches;
	model->batch_guessed = !model->batch_size;
	if (model->batch_guessed)
		guess_examples(model, requests);
	else if (requests > 0 && (double)model->batch_size > requests)
		model->request_examples =
			(uint64_t)((double)model->batch_size / requests + 0.5);
}

/* The order and what tells it; as recorded where that is known. */
static int find_order(struct trace_fit *fit, struct trace_model *model)
{
	const struct trace_known *known = &fit->known;
	int error = sequence_find(&model->sequence, fit->samples,
				  fit->sample_count, known->numbered,
				  model->request_examples);

	if (known->order[0]) {
		model->sequence.assumed = false;
		for (int i = 0; i <= ORDER_RANDOM; i++)
			if (!strcmp(read_order_name((enum read_order)i),
				    known->order))
				model->sequence.order = (enum read_order)i;
	}
	return error;
}

/* Steps that nobody told of lie between the waits. */
static void find_steps(const struct trace_fit *fit, struct trace_model *model)
{
	uint64_t accelerators = fit->accelerator_max + UINT64_C(1);

	model->between_waits = !fit->step_ns.count;
	shape_make(model->between_waits ? &fit->between_ns : &fit->step_ns,
		   &model->step_ns);
	model->between_waits &= model->step_ns.known;
	pace_make(model->between_waits ? &fit->pace_between : &fit->pace,
		  &model->own);
	model->own.bytes_per_s = model->seconds > 0 && model->requests ?
					 fit->read_bytes / model->seconds :
					 NAN;
	if (!model->step_ns.known)
		return;
	if (accelerators < model->hosts)
		accelerators = model->hosts;
	model->accelerators =
		(uint32_t)((accelerators + model->hosts - 1) / model->hosts);
	model->steps = model->step_ns.count /
		       ((uint64_t)model->accelerators * model->hosts);
}

int trace_fit_finish(struct trace_fit *fit, struct trace_model *model)
{
	int error = device_fit_make(&fit->model.device, fit->samples,
				    fit->sample_count);
	int stage;

	if (error)
		return error;
	fit->model.objects = fit->model.requests ? fit->object_max + 1 : 0;
	find_batch(fit, &fit->model);
	error = find_order(fit, &fit->model);
	if (error)
		return error;
	*model = fit->model;
	model->known = fit->known;
	shape_make(&fit->request_bytes, &model->request_bytes);
	shape_make(&fit->block_bytes, &model->block_bytes);
	shape_make(&fit->example_bytes, &model->example_bytes);
	for (stage = 0; stage < STAGE_COUNT; stage++) {
		shape_make(&fit->stage_ns[stage],
			   &model->stages[stage].time_ns);
		model->stages[stage].workers =
			fit->busy[stage].most ? fit->busy[stage].most : 1;
	}
	model->hosts = fit->host_max + 1;
	if (fit->last_ns > fit->first_ns)
		model->seconds =
			((double)fit->last_ns - (double)fit->first_ns) /
			NS_PER_S;
	find_steps(fit, model);
	return 0;
}
