/* SPDX-License-Identifier: MIT */
#include "cli/trace/reissue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/document/document.h"
#include "analysis/version.h"
#include "cli/show.h"
#include "analysis/trace/requests.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/memory.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/trace/recorded.h"
#include "storage/dataset/dataset.h"
#include "storage/dataset/files.h"
#include "storage/probe/target.h"
#include "storage/replay.h"
#include "traces/scenario.h"

#define ALIGNMENT_BYTES 4096

struct reissue {
	const struct options *options;
	struct scenario scenario;
	struct requests requests;
	struct dataset *dataset;
	struct probe_target probed;
	int *files;	 /* of the dataset */
	uint64_t *bytes; /* of the dataset */
	uint32_t file_count;
	struct io_replay_target target;
	const char *target_name;
	bool direct;
	struct device device;
	void *device_memory;
	struct io_replay_report report;
	struct progress progress;
	struct fault fault;
};

static int load(struct reissue *reissue)
{
	const char *path = reissue->options->replay_path;
	struct requests *requests = &reissue->requests;
	struct recorded recorded;
	struct trace_event event;
	int error = recorded_open(&recorded, path, &reissue->fault);
	int got = 1;

	if (error)
		return error;
	while (got > 0 && !error) {
		got = recording_next(recorded.recording, &event,
				     &reissue->fault);
		if (got > 0)
			error = requests_add(requests, &event);
	}
	recorded_close(&recorded);
	if (error)
		fault_set(&reissue->fault, path, 0,
			  "there is not enough memory for its requests (%llu "
			  "so far)",
			  (unsigned long long)requests->count);
	if (error || got < 0)
		return error ? error : got;
	requests_finish(requests);
	if (requests->count)
		return 0;
	fault_set(&reissue->fault, path, 0,
		  "has no read with a time: there is nothing to replay");
	return -EINVAL;
}

/* All files of a dataset; of small ones, which are many, the first. */
static int take_files(struct reissue *reissue,
		      const struct dataset_facts *facts)
{
	uint64_t count = facts->shards;

	if (facts->opens_each && count > PROBE_FILES_MAX) {
		say("%s: of its %llu files the first %u are read; requests to "
		    "others are moved to these",
		    reissue->target_name, (unsigned long long)count,
		    PROBE_FILES_MAX);
		count = PROBE_FILES_MAX;
	}
	reissue->files = calloc(count, sizeof(*reissue->files));
	reissue->bytes = calloc(count, sizeof(*reissue->bytes));
	if (!reissue->files || !reissue->bytes)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		int fd = dataset_take_fd(reissue->dataset, i);
		char name[DATASET_NAME_BYTES];

		if (fd < 0) {
			fault_set(&reissue->fault, NULL, 0,
				  "%s: cannot be opened: %s",
				  dataset_file_name(reissue->dataset, i, name),
				  strerror(-fd));
			return fd;
		}
		reissue->files[reissue->file_count++] = fd;
		reissue->bytes[i] = dataset_file_bytes(reissue->dataset, i);
	}
	return 0;
}

static int open_dataset(struct reissue *reissue)
{
	const struct dataset_facts *facts;
	int error;

	error = dataset_open(&reissue->dataset, reissue->target_name,
			     reissue->scenario.dataset.db[0] ?
				     reissue->scenario.dataset.db :
				     NULL,
			     !reissue->options->buffered, &reissue->fault);
	if (error)
		return error;
	facts = dataset_facts(reissue->dataset);
	error = take_files(reissue, facts);
	if (error)
		return error;
	reissue->direct = facts->direct;
	reissue->target = (struct io_replay_target){
		.files = reissue->files,
		.bytes = reissue->bytes,
		.count = reissue->file_count,
		.alignment_bytes = facts->alignment_bytes,
	};
	return 0;
}

static bool go_on(void *context, const char *what, double done)
{
	(void)context, (void)what, (void)done;
	return !interrupt_stop;
}

static int open_path(struct reissue *reissue)
{
	const struct probe_options options = {
		.path = reissue->target_name,
		.cache = reissue->options->buffered ? PROBE_BUFFERED :
						      PROBE_DIRECT_OR_NOT,
		.progress = go_on,
	};
	int error;

	error = probe_target_open(&reissue->probed, &options, &reissue->fault);
	if (error)
		return error;
	reissue->direct = reissue->probed.facts.direct;
	reissue->target = (struct io_replay_target){
		.files = reissue->probed.fds,
		.bytes = reissue->probed.bytes,
		.count = reissue->probed.facts.files,
		.alignment_bytes = ALIGNMENT_BYTES,
	};
	return 0;
}

static int open_target(struct reissue *reissue)
{
	const char *path = reissue->options->target_path;

	reissue->target_name = path ? path : reissue->scenario.dataset.path;
	if (path)
		return open_path(reissue);
	if (reissue->target_name[0])
		return open_dataset(reissue);
	fault_set(&reissue->fault, reissue->options->scenario_path, 0,
		  "dataset.path is missing: give it, or --target PATH, to say "
		  "what to read");
	return -EINVAL;
}

static int make_device(struct reissue *reissue)
{
	const struct device_profile *profile =
		&reissue->scenario.storage.profile;

	if (reissue->scenario.storage.native)
		return 0;
	reissue->device_memory = memory_take(device_memory_bytes(profile) + 1);
	if (!reissue->device_memory)
		return -ENOMEM;
	device_init(&reissue->device, profile, reissue->scenario.seed,
		    reissue->device_memory);
	return 0;
}

static void show_progress(void *context, double done)
{
	progress_update(context, done);
}

static int issue(struct reissue *reissue)
{
	const struct options *options = reissue->options;
	const struct io_replay_options how = {
		.speed = options->speed > 0 ? options->speed : 1,
		.closed = options->closed_loop,
		.backend = options->backend,
		.device = reissue->device_memory ? &reissue->device : NULL,
		.stop = &interrupt_stop,
		.progress = show_progress,
		.context = &reissue->progress,
	};
	int error;

	progress_init(&reissue->progress, options->progress, options->quiet);
	progress_start(&reissue->progress, "replay");
	error = io_replay_run(reissue->requests.rows, reissue->requests.count,
			      &reissue->target, &how, &reissue->report,
			      &reissue->fault);
	progress_stop(&reissue->progress);
	return error;
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

static void add_text(struct document *document, const char *name,
		     const char *text)
{
	document_fact(document, name, METRIC_TEXT, "", value_text(text));
}

static void add_how(const struct reissue *reissue, struct document *document)
{
	const struct options *options = reissue->options;

	add_text(document, "target", reissue->target_name);
	document_fact(document, "direct", METRIC_BOOL, "",
		      value_bool(reissue->direct));
	add_text(document, "backend", reissue->report.backend);
	add_text(document, "throttle",
		 reissue->scenario.storage.native ? "native" : "device model");
	add_text(document, "loop", options->closed_loop ? "closed" : "open");
	add_real(document, "speed", "",
		 options->closed_loop ? value_unknown() :
		 options->speed > 0   ? value_real(options->speed) :
					value_real(1));
	document_fact(document, "complete", METRIC_BOOL, "",
		      value_bool(reissue->report.complete));
}

static void add_done(const struct reissue *reissue, struct document *document)
{
	const struct io_replay_report *report = &reissue->report;
	double elapsed_ns = (double)report->elapsed_ns;

	add_count(document, "requests", "", report->requests);
	add_count(document, "bytes", "B", report->bytes);
	add_count(document, "writes_left_out", "", reissue->requests.writes);
	add_count(document, "untimed_left_out", "", reissue->requests.untimed);
	add_count(document, "moved", "", report->moved);
	add_count(document, "cut", "", report->cut);
	add_real(document, "elapsed_s", "s", value_real(elapsed_ns / 1e9));
	add_real(document, "requests_per_s", "1/s",
		 value_ratio((double)report->requests * 1e9, elapsed_ns));
	add_real(document, "bytes_per_s", "B/s",
		 value_ratio((double)report->bytes * 1e9, elapsed_ns));
	add_count(document, "queue_depth_max", "", report->inflight_max);
}

static void add_times(struct document *document, const char *const names[3],
		      const struct histogram *times_ns)
{
	add_real(document, names[0], "s", value_quantile_s(times_ns, 0.5));
	add_real(document, names[1], "s", value_quantile_s(times_ns, 0.99));
	add_real(document, names[2], "s", value_max_s(times_ns));
}

static void add_schedule(const struct reissue *reissue,
			 struct document *document)
{
	static const char *const latency[] = { "latency_s.p50", "latency_s.p99",
					       "latency_s.max" };
	static const char *const recorded[] = { "recorded_latency_s.p50",
						"recorded_latency_s.p99",
						"recorded_latency_s.max" };
	static const char *const lateness[] = { "lateness_s.p50",
						"lateness_s.p99",
						"lateness_s.max" };
	const struct io_replay_report *report = &reissue->report;
	bool open = !reissue->options->closed_loop;

	add_times(document, latency, &report->latency_ns);
	add_times(document, recorded, &reissue->requests.latency_ns);
	add_real(document, "schedule_s", "s",
		 open ? value_real((double)report->schedule_ns / 1e9) :
			value_unknown());
	add_times(document, lateness, &report->lateness_ns);
	add_count(document, "waited", "", report->waited);
	add_real(document, "behind_fraction", "%",
		 open ? value_ratio((double)report->behind,
				    (double)report->requests) :
			value_unknown());
	add_text(document, "verdict", io_replay_verdict(report, !open));
}

static int show_report(struct reissue *reissue)
{
	struct document *document = document_new();

	document_name(document, "Replay", "echosim " ECHOSIM_VERSION);
	add_how(reissue, document);
	add_done(reissue, document);
	add_schedule(reissue, document);
	return show(reissue->options, document, &reissue->fault);
}

/* Options that would have no effect are mistakes. */
static const char *idle_option(const struct options *options)
{
	if (options->echo_count)
		return "--echo: --replay issues requests, and runs no strategy";
	if (options->goal_count)
		return "--require: --replay issues requests, and has no such "
		       "metrics";
	if (options->no_stalls)
		return "--no-stalls: --replay looks for none";
	return NULL;
}

static void release(struct reissue *reissue)
{
	requests_release(&reissue->requests);
	probe_target_close(&reissue->probed);
	while (reissue->file_count)
		dataset_release_fd(reissue->dataset,
				   reissue->files[--reissue->file_count]);
	if (reissue->dataset)
		dataset_close(reissue->dataset);
	free(reissue->device_memory);
	free(reissue->files);
	free(reissue->bytes);
	free(reissue);
}

int reissue_run(const struct options *options)
{
	struct reissue *reissue = calloc(1, sizeof(*reissue));
	const char *mistake = idle_option(options);
	int error, status;

	if (!reissue || mistake) {
		free(reissue);
		say("%s", mistake ? mistake : "no memory");
		return mistake ? STATUS_PERSON : STATUS_WORLD;
	}
	reissue->options = options;
	interrupt_catch();
	error = options_scenario(options, &reissue->scenario, &reissue->fault);
	if (!error)
		error = paths_check(options, &reissue->scenario,
				    &reissue->fault);
	if (!error)
		error = load(reissue);
	if (!error)
		error = open_target(reissue);
	if (!error)
		error = make_device(reissue);
	if (!error)
		error = issue(reissue);
	if (!error)
		error = show_report(reissue);
	status = error ? complain(error, &reissue->fault) : STATUS_DONE;
	if (!error && !reissue->report.complete)
		status = STATUS_INTERRUPTED;
	release(reissue);
	return status;
}
