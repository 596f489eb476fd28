/* SPDX-License-Identifier: MIT */
#include "storage/live/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/virtual.h"
#include "storage/clock.h"
#include "storage/dataset/files.h"
#include "storage/file.h"
#include "storage/live/state.h"

#define MILLISECOND INT64_C(1000000)

/* A timer wakes some tens of microseconds late. So the loop sleeps until this
 * long before a held completion is due and spins the rest; for the engine's
 * own events it need not be so exact, for what they start is stamped with
 * their time, not with the clock's. */
#define SPIN_NS INT64_C(60000)

/* The longest sleep: *stop is looked at, progress told. */
#define SLEEP_NS_MAX (100 * MILLISECOND)
#define PROGRESS_NS (100 * MILLISECOND)
#define PATIENCE_NS (30000 * MILLISECOND)

/* Between two looks for completions. */
#define TURN_TASKS 64
#define TURN_EVENTS 4096

/* A native run that is looked at so much later than it meant to be was held up
 * from outside: a turn takes a fraction of this. */
#define PAUSE_NS_MIN (50 * MILLISECOND)

#define REAP_BATCH 64

static int64_t now(const struct live *live)
{
	return clock_now_ns() - live->start_ns;
}

/* --- What the engine asks for ------------------------------------------- */

static int open_fault(struct live *live, const struct engine_task *task,
		      int error)
{
	char name[DATASET_NAME_BYTES];

	fault_set(live->fault, NULL, 0, "%s: block %llu: cannot be opened: %s",
		  dataset_file_name(live->dataset, task->shard, name),
		  (unsigned long long)task->block, strerror(-error));
	return file_lost(error);
}

static void start_read(struct live *live, const struct engine_task *task)
{
	uint32_t slot = task->host * live->reads_per_host + task->read;
	uint32_t buffer = task->host * live->buffers + task->buffer;
	uint64_t file_bytes = dataset_file_bytes(live->dataset, task->shard);
	struct live_read *read = &live->reads[slot];
	struct reader_request request = {
		.slot = slot,
		.file = task->shard,
		.buffer = live->memory + buffer * live->slot_bytes +
			  task->buffer_offset_bytes,
		.offset_bytes = task->offset_bytes,
		.bytes = task->bytes,
	};
	struct tiers_request modelled = virtual_request(task);

	CHECK(task->buffer < live->buffers &&
	      task->read < live->reads_per_host);
	CHECK(!read->active && task->offset_bytes < file_bytes);
	if (live->opens_each) {
		int fd = dataset_take_fd(live->dataset, task->shard);

		live->files[slot] = fd;
		request.file = slot;
		if (fd < 0) {
			live->failure = open_fault(live, task, fd);
			return;
		}
	}
	/* A widened read may reach over the end of its file. */
	request.needed_bytes = file_bytes - task->offset_bytes;
	if (request.needed_bytes > task->bytes)
		request.needed_bytes = task->bytes;
	read->task = *task;
	read->active = true;
	read->issue_ns = engine_now_ns(live->engine);
	read->modelled = (struct completion){ .at_ns = read->issue_ns,
					      .start_ns = read->issue_ns };
	if (live->tiers)
		read->modelled =
			tiers_submit(live->tiers, read->issue_ns, &modelled);
	read->cached = read->modelled.cached_bytes == task->bytes;
	live->cached_reads += read->cached;
	reader_submit(live->reader, &request);
}

static void start_job(struct live *live, const struct engine_task *task)
{
	uint32_t slot = task->host * live->buffers + task->buffer;
	CHECK(task->buffer < live->buffers);
	CHECK(task->offset_bytes <= live->slot_bytes);
	CHECK(task->bytes <= live->slot_bytes - task->offset_bytes);
	live_jobs_put(&live->jobs, task,
		      live->memory + slot * live->slot_bytes +
			      task->offset_bytes,
		      engine_now_ns(live->engine));
}

static void start_task(struct live *live, const struct engine_task *task)
{
	if (!live->awaited++)
		live->heard_ns = now(live);
	if (task->kind == TASK_READ)
		start_read(live, task);
	else
		start_job(live, task);
}

/* When the first of the cached reads is due; INT64_MAX: none is under way. */
static int64_t cached_due_ns(const struct live *live)
{
	int64_t due_ns = INT64_MAX;
	uint32_t i;

	for (i = 0; live->cached_reads && i < live->slots; i++) {
		const struct live_read *read = &live->reads[i];

		if (read->active && read->cached &&
		    read->modelled.at_ns < due_ns)
			due_ns = read->modelled.at_ns;
	}
	return due_ns;
}

/* How far the engine may proceed: to the clock, but not past a block that is
 * being decompressed yet and might be done in the model, nor past a read that
 * the model's cache would have answered: this host's disk is no match for
 * that, and need not be. The engine catches up when they are in. A native run
 * has no model that could be kept in time: the clock is all. */
static int64_t limit_ns(const struct live *live, int64_t now_ns)
{
	int64_t block_ns;
	int64_t read_ns;

	if (!live->tiers)
		return now_ns;
	block_ns = live_jobs_horizon_ns(&live->jobs);
	read_ns = cached_due_ns(live);
	if (read_ns < block_ns)
		block_ns = read_ns;
	return block_ns < now_ns ? block_ns : now_ns;
}

/* Lets the engine proceed to now_ns, starting what it asks for; returns early
 * when completions should be looked for. False once the run is over. */
static bool proceed(struct live *live, int64_t now_ns)
{
	struct engine_task task;
	uint32_t started = 0;
	bool on;

	do {
		on = engine_advance(live->engine, limit_ns(live, now_ns),
				    TURN_EVENTS);
		while (engine_take_task(live->engine, &task)) {
			start_task(live, &task);
			started++;
		}
	} while (on && started && started < TURN_TASKS &&
		 engine_next_ns(live->engine) <= limit_ns(live, now_ns));
	return on;
}

/* --- What comes back ---------------------------------------------------- */

/* A time, or the first one that the engine has not reached yet. */
static int64_t unreached(const struct live *live, int64_t at_ns)
{
	int64_t next_ns = engine_now_ns(live->engine) + 1;

	return at_ns > next_ns ? at_ns : next_ns;
}

static void complete(struct live *live, const struct engine_task *task,
		     const struct completion *completion)
{
	const struct live_options *options = live->options;
	struct live_completion done = { *task, *completion };

	if (options->observe)
		options->observe(options->observe_context, &done);
	engine_complete(live->engine, task, completion);
	live->awaited--;
}

static int read_fault(struct live *live, const struct engine_task *task,
		      int error)
{
	char name[DATASET_NAME_BYTES];

	fault_set(live->fault, NULL, 0,
		  "%s: shard %u, block %llu, offset %llu: reading %llu bytes: "
		  "%s",
		  dataset_file_name(live->dataset, task->shard, name),
		  task->shard, (unsigned long long)task->block,
		  (unsigned long long)task->offset_bytes,
		  (unsigned long long)task->bytes,
		  error == -ENODATA ? "the file is shorter than when it was "
				      "opened" :
				      strerror(-error));
	return error;
}

static int read_done(struct live *live, const struct reader_done *done)
{
	struct live_read *read = &live->reads[done->slot];
	int64_t seen_ns = unreached(live, done->at_ns - live->start_ns);
	struct completion completion = read->modelled;

	CHECK(read->active);
	read->active = false;
	if (live->opens_each)
		live_close_file(live, done->slot);
	if (done->error)
		return read_fault(live, &read->task, done->error);
	live->cached_reads -= read->cached;
	if (read->cached) /* it was waited for */
		seen_ns = unreached(live, read->modelled.at_ns);
	completion.at_ns = throttle_stamp(&live->report->throttle,
					  read->issue_ns, read->modelled.at_ns,
					  seen_ns);
	if (live->tiers && completion.at_ns == read->modelled.at_ns)
		held_put(&live->held, completion.at_ns);
	if (live->tiers)
		completion.late_ns = completion.at_ns - read->modelled.at_ns;
	complete(live, &read->task, &completion);
	return 0;
}

static int job_done(struct live *live, const struct live_job *job)
{
	struct live_report *report = live->report;
	struct completion completion = { .busy_ns = job->cpu_ns };
	int64_t due_ns;

	report->decompress_busy_ns += job->wall_ns;
	if (job->error) {
		fault_set(live->fault, NULL, 0, "%s", job->fault.text);
		return job->error;
	}
	report->decompress_content_bytes += job->content_bytes;
	due_ns = live->tiers ? live_jobs_stamp(&live->jobs, job) :
			       job->done_ns - live->start_ns;
	completion.at_ns = unreached(live, due_ns);
	throttle_block(&report->throttle, due_ns, completion.at_ns);
	complete(live, &job->task, &completion);
	return 0;
}

/* Waits, at most timeout_ns, and tells the engine of all that finished. */
static int collect(struct live *live, int64_t timeout_ns)
{
	struct reader_done done[REAP_BATCH];
	uint32_t before = live->awaited;
	const struct live_job *job;
	uint32_t count;
	uint32_t i;
	int error;

	error = reader_wait(live->reader, timeout_ns);
	if (error) {
		fault_set(live->fault, NULL, 0, "%s: waiting for reads: %s",
			  reader_facts(live->reader)->backend,
			  strerror(-error));
		return error;
	}
	do {
		count = reader_reap(live->reader, done, REAP_BATCH);
		for (i = 0; i < count && !error; i++)
			error = read_done(live, &done[i]);
	} while (count == REAP_BATCH && !error);
	while (!error && (job = live_jobs_take(&live->jobs)))
		error = job_done(live, job);
	if (live->awaited != before)
		live->heard_ns = now(live);
	return error;
}

/* --- The loop ----------------------------------------------------------- */

static void measure_release(struct live *live, int64_t now_ns)
{
	int64_t due_ns;

	while (held_take(&live->held, engine_now_ns(live->engine), &due_ns))
		histogram_add(&live->report->throttle.release_ns,
			      now_ns - due_ns);
}

static void report_progress(struct live *live, int64_t now_ns)
{
	const struct live_options *options = live->options;

	if (!options->progress || now_ns - live->progress_ns < PROGRESS_NS)
		return;
	live->progress_ns = now_ns;
	options->progress(options->progress_context,
			  engine_progress(live->engine), now_ns);
}

static int awaited_fault(struct live *live)
{
	int64_t seconds = live->patience_ns / 1000000000;
	const struct engine_task *task;
	char name[DATASET_NAME_BYTES];
	uint32_t i;

	for (i = 0; i < live->slots; i++) {
		task = &live->reads[i].task;
		if (!live->reads[i].active)
			continue;
		fault_set(live->fault, NULL, 0,
			  "%s: shard %u, block %llu, offset %llu: nothing was "
			  "read in %lld s",
			  dataset_file_name(live->dataset, task->shard, name),
			  task->shard, (unsigned long long)task->block,
			  (unsigned long long)task->offset_bytes,
			  (long long)seconds);
	}
	for (i = 0; i < live->jobs.count; i++) {
		task = &live->jobs.jobs[i].task;
		if (live->jobs.jobs[i].active)
			fault_set(live->fault, NULL, 0,
				  "shard %u, block %llu: not decompressed in "
				  "%lld s",
				  task->shard, (unsigned long long)task->block,
				  (long long)seconds);
	}
	return -ETIMEDOUT;
}

/* Never a hang: what is awaited must come some day, and something must be
 * awaited while the run goes on. */
static int check_alive(struct live *live, int64_t now_ns)
{
	if (live->awaited)
		return now_ns - live->heard_ns < live->patience_ns ?
			       0 :
			       awaited_fault(live);
	if (engine_next_ns(live->engine) != INT64_MAX)
		return 0;
	fault_set(live->fault, NULL, 0,
		  "the pipeline stands still at %.3f s: nothing is being read "
		  "or worked on",
		  (double)now_ns / 1e9);
	return -EDEADLK;
}

/* The time of an event for which to wake; INT64_MAX where that would be in
 * vain, for the engine waits for a block before. */
static int64_t wake_ns(int64_t at_ns, int64_t limit_ns, int64_t now_ns)
{
	return at_ns > limit_ns && limit_ns < now_ns ? INT64_MAX : at_ns;
}

static int64_t sleep_ns(const struct live *live, int64_t now_ns)
{
	int64_t limit = limit_ns(live, now_ns);
	int64_t until_ns = wake_ns(engine_next_ns(live->engine), limit, now_ns);
	int64_t held_ns = wake_ns(held_next_ns(&live->held), limit, now_ns);

	if (held_ns - SPIN_NS < until_ns)
		until_ns = held_ns - SPIN_NS;
	if (until_ns <= now_ns)
		return 0;
	return until_ns - now_ns < SLEEP_NS_MAX ? until_ns - now_ns :
						  SLEEP_NS_MAX;
}

/* The time, which was to be at most expected_ns. */
static int64_t note_pause(struct live *live, int64_t expected_ns)
{
	int64_t now_ns = now(live);

	if (!live->tiers && now_ns - expected_ns >= PAUSE_NS_MIN)
		throttle_pause(&live->report->throttle, expected_ns, now_ns);
	return now_ns;
}

static int run(struct live *live)
{
	const atomic_bool *stop = live->options->stop;
	int64_t timeout_ns = 0;
	int64_t now_ns = 0;
	int error;

	live->start_ns = clock_now_ns();
	for (;;) {
		error = collect(live, timeout_ns);
		if (error)
			return error;
		now_ns = note_pause(live, now_ns + timeout_ns);
		live->ended = !proceed(live, now_ns);
		if (live->ended)
			return live->failure;
		if (live->failure)
			return live->failure;
		measure_release(live, now_ns);
		if (stop && *stop)
			return 0;
		error = check_alive(live, now_ns);
		if (error)
			return error;
		report_progress(live, now_ns);
		priority_pause(&live->priority, now_ns + live->start_ns);
		timeout_ns = 0;
		if (!live_jobs_start(&live->jobs))
			timeout_ns = sleep_ns(live, now_ns);
	}
}

/* How far the engine is behind the clock. One that was stopped is only when
 * there was something to do: an event, or a block that it waits for. */
static int64_t lag_ns(const struct live *live)
{
	int64_t now_ns = now(live);
	int64_t due_ns = engine_now_ns(live->engine);
	int64_t next_ns = engine_next_ns(live->engine);
	int64_t limit = limit_ns(live, now_ns);

	if (!live->tiers)
		return 0;
	if (!live->ended) {
		next_ns = next_ns < limit ? next_ns : limit;
		due_ns = next_ns > due_ns ? next_ns : due_ns;
	}
	return due_ns < now_ns ? now_ns - due_ns : 0;
}

/* What the throttle is judged by: the window that the run's figures are of,
 * and how far the run ended behind the clock. */
static void report_time(struct live *live)
{
	struct throttle *throttle = &live->report->throttle;
	struct figures figures;

	engine_figures(live->engine, &figures);
	throttle->elapsed_ns = figures.elapsed_ns ? figures.elapsed_ns :
						    figures.run_ns;
	throttle->lag_ns = lag_ns(live);
}

int live_run(struct engine *engine, const struct pipeline *pipeline,
	     struct tiers *tiers, struct dataset *dataset,
	     const struct live_options *options, struct live_report *report,
	     struct fault *fault)
{
	struct live *live;
	int closed;
	int error;

	CHECK(pipeline->external_decompress);
	memset(report, 0, sizeof(*report));
	report->throttle.native = !tiers;
	live = calloc(1, sizeof(*live));
	if (!live) {
		fault_set(fault, NULL, 0, "no memory for the live run");
		return -ENOMEM;
	}
	live->engine = engine;
	live->pipeline = pipeline;
	live->tiers = tiers;
	live->dataset = dataset;
	live->options = options;
	live->report = report;
	live->fault = fault;
	live->patience_ns = options->patience_ns ? options->patience_ns :
						   PATIENCE_NS;
	error = live_open(live);
	if (!error) {
		report->realtime =
			priority_raise(&live->priority, PRIORITY_DRIVER);
		if (tiers) /* a bounded load, unlike a native run's */
			workers_raise(live->jobs.workers);
		error = run(live);
		report_time(live);
		priority_restore(&live->priority);
	}
	closed = live_close(live);
	if (closed)
		fault_set(fault, NULL, 0,
			  "the kernel does not give request buffers back");
	return error ? error : closed;
}
