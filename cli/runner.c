/* SPDX-License-Identifier: MIT */
#include "cli/runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/stall/attribution.h"
#include "analysis/experiment.h"
#include "analysis/law/rank.h"
#include "cli/command.h"
#include "cli/database.h"
#include "cli/decompress.h"
#include "cli/interrupt.h"
#include "cli/law_file.h"
#include "cli/memory.h"
#include "cli/trace/recorder.h"
#include "cli/trace/replayed.h"
#include "sim/engine.h"
#include "traces/loader.h"
#include "traces/recording/scenario.h"

#define WORKERS_ASSUMED "pipeline.loader.workers is not given, 1 is assumed"
#define SLICE_EVENTS 200000 /* between looks at the clock and at Ctrl-C */

/* The dataset's numbers take the place of the scenario's. */
static void take_facts(struct scenario *scenario,
		       const struct dataset_facts *facts)
{
	scenario->dataset.examples = facts->examples;
	scenario->dataset.example_bytes = distribution_constant(
		(double)facts->stored_bytes / (double)facts->examples);
	scenario->dataset.compression_ratio = 1;
	if (facts->stored_bytes)
		scenario->dataset.compression_ratio =
			(double)facts->content_bytes /
			(double)facts->stored_bytes;
	scenario->dataset.block_bytes = facts->stored_bytes / facts->blocks;
	scenario->dataset.shard_examples = facts->examples / facts->shards;
}

static int open_dataset(struct runner *runner, const struct options *options,
			struct fault *fault)
{
	struct scenario *scenario = &runner->scenario;
	const struct dataset_facts *facts;
	int error;

	if (!scenario->dataset.path[0]) {
		fault_set(fault, options->scenario_path, 0,
			  "dataset.path is missing: real reads want a dataset "
			  "(echosim pack)");
		return -EINVAL;
	}
	error = dataset_open(&runner->dataset, scenario->dataset.path,
			     scenario->dataset.db[0] ? scenario->dataset.db :
						       NULL,
			     !options->buffered, fault);
	if (error) {
		database_suggest(scenario->dataset.path, scenario->dataset.db,
				 fault);
		return error;
	}
	runner->layout = dataset_layout(runner->dataset);
	facts = dataset_facts(runner->dataset);
	take_facts(scenario, facts);
	host_add_dataset(&runner->host, facts);
	if (facts->foreign)
		notes_add(&runner->notes,
			  "The dataset was not packed by echosim (%s): each "
			  "%s is taken for one example.",
			  facts->format, facts->unit);
	return scenario_check_layout(scenario, &runner->layout,
				     options->scenario_path, fault);
}

/* A live run wants the dataset; a simulated one takes it when the scenario
 * does not describe one of its own. */
static bool wants_dataset(const struct scenario *scenario, bool live)
{
	return live ||
	       (scenario->dataset.path[0] && !scenario_has_layout(scenario));
}

static int check_modes(const struct runner *runner,
		       const struct options *options, bool sim, bool live,
		       struct fault *fault)
{
	const struct scenario *scenario = &runner->scenario;

	if (sim && !live && !runner->replay_path && scenario->storage.native) {
		fault_set(fault, options->scenario_path, 0,
			  "storage.device: native is this machine's own "
			  "device, which cannot be simulated; describe one, "
			  "or use run");
		return -EINVAL;
	}
	return 0;
}

static int prepare(struct runner *runner, const struct options *options,
		   bool sim, bool live, struct fault *fault)
{
	struct scenario *scenario = &runner->scenario;
	int error;

	if (wants_dataset(scenario, live || options->recorded_packed)) {
		error = open_dataset(runner, options, fault);
		if (error)
			return error;
		if (live && !dataset_facts(runner->dataset)->direct)
			notes_add(&runner->notes,
				  "Reads went through the page cache: what was "
				  "in memory did not touch the device.");
	}
	return decompress_settle(runner, options->recorded_live, sim, live,
				 fault);
}

static void note_aloud(struct runner *runner, const struct options *options,
		       const char *text)
{
	notes_add(&runner->notes, "%s.", text);
	if (!options->quiet)
		say("%s%s%s", runner->side ? runner->side : "",
		    runner->side ? ": " : "", text);
}

/* Did the loader take the place of the scenario's? */
static bool comes_later(const struct options *options)
{
	return options->loader_count ||
	       variant_gives(options->variant, "pipeline.loader");
}

static void note_left_out(struct runner *runner, const struct options *options)
{
	const struct scenario *scenario = &runner->scenario;
	bool assumed = loader_assumes_workers(scenario) &&
		       !options_varies(options, "pipeline.loader.workers");
	char said[LOADER_SAID_MAX];

	if (loader_say_left_out(scenario, said, sizeof(said))[0])
		note_aloud(runner, options, said);
	if (comes_later(options) && assumed)
		note_aloud(runner, options, WORKERS_ASSUMED);
}

int runner_open(struct runner *runner, const struct options *options, bool sim,
		bool live, struct fault *fault)
{
	struct scenario *scenario = &runner->scenario;
	uint32_t i;
	int error;

	*runner = (struct runner){ 0 };
	runner->side = options->side;
	runner->trace_path = options->trace_path;
	runner->replay_path = options->replay_path;
	runner->backend = options->backend;
	runner->by_start = options->burst;
	runner->workload = options_workload(options);
	host_init(&runner->host);
	progress_init(&runner->progress, options->progress, options->quiet);
	error = options_scenario(options, scenario, fault);
	if (error)
		return error;
	for (i = 0; i < options->echo_count; i++)
		scenario->echoes[i] = options->echoes[i];
	if (options->echo_count)
		scenario->echo_count = options->echo_count;
	note_left_out(runner, options);
	error = check_modes(runner, options, sim, live, fault);
	if (!error)
		error = law_file_open(scenario, options->scenario_path,
				      &runner->law, &runner->own_law, fault);
	if (!error)
		error = prepare(runner, options, sim, live, fault);
	if (error)
		runner_close(runner);
	return error;
}

void runner_close(struct runner *runner)
{
	if (runner->dataset)
		dataset_close(runner->dataset);
	runner->dataset = NULL;
	free(runner->own_law);
	runner->own_law = NULL;
}

static bool go_on(void *context, double done)
{
	progress_update(context, done);
	return !interrupt_stop;
}

struct experiment runner_experiment(const struct runner *runner)
{
	return (struct experiment){
		.scenario = &runner->scenario,
		.workload = runner->workload.name ? &runner->workload : NULL,
		.layout = runner->dataset ? &runner->layout : NULL,
		.law = runner->law,
		.watch = { .memory_max = memory_limit() },
		.by_start = runner->by_start,
	};
}

/* One whose progress is shown. */
static struct experiment shown_experiment(struct runner *runner)
{
	struct experiment experiment = runner_experiment(runner);

	experiment.watch.go_on = go_on;
	experiment.watch.context = &runner->progress;
	return experiment;
}

static void begin_result(const struct runner *runner, const struct echo *echo,
			 bool live, struct result *result)
{
	const struct experiment experiment = runner_experiment(runner);

	experiment_begin(&experiment, echo, result);
	result->live = live;
	result->variant = runner->side;
	result->pipeline.external_decompress = live;
}

/* An engine and its device, each in memory of its own. */
struct machine {
	void *engine_memory;
	void *tiers_memory;
	struct engine *engine;
	struct tiers tiers;
};

static void machine_release(struct machine *machine)
{
	free(machine->engine_memory);
	free(machine->tiers_memory);
}

static int machine_init(struct machine *machine, const struct runner *runner,
			const struct pipeline *pipeline, struct fault *fault)
{
	uint32_t hosts = pipeline->accelerators.hosts;
	size_t size = engine_memory_bytes(pipeline);
	struct tiers_profile profile;
	size_t tiers_size;

	scenario_tiers(&runner->scenario, &profile);
	tiers_size = tiers_memory_bytes(&profile, &pipeline->layout, hosts);

	*machine = (struct machine){
		.engine_memory = memory_take(size),
		.tiers_memory = memory_take(tiers_size),
	};
	if (!machine->engine_memory || !machine->tiers_memory) {
		machine_release(machine);
		experiment_refuse_memory(size, fault);
		return -ENOMEM;
	}
	machine->engine = engine_init(machine->engine_memory, pipeline);
	tiers_init(&machine->tiers, &profile, &pipeline->layout, hosts,
		   pipeline->seed, machine->tiers_memory);
	return 0;
}

static void start_progress(struct runner *runner, const struct echo *echo,
			   const char *mode)
{
	char label[96 + VARIANT_NAME_MAX], name[STRATEGY_TEXT_MAX];

	snprintf(label, sizeof(label), "%s %s%s%s", mode,
		 runner->side ? runner->side : "", runner->side ? ", " : "",
		 strategy_name(echo, name, sizeof(name)));
	progress_start(&runner->progress, label);
}

/* Begins to record, where that is wanted; *watcher is NULL elsewhere. */
static int start_recording(const struct runner *runner, const struct echo *echo,
			   bool live, struct recorder *recorder,
			   const struct watcher **watcher, struct fault *fault)
{
	struct recording_head head = {
		.version = RECORDING_VERSION,
		.live = live,
		.native = live && runner->scenario.storage.native,
		.buffered = live && !dataset_facts(runner->dataset)->direct,
		.layout_digest =
			runner->dataset ? recording_layout(&runner->layout) : 0,
	};
	char *text;
	int error;

	*watcher = NULL;
	if (!runner->trace_path)
		return 0;
	text = recording_describe(&runner->scenario, echo, &head.text_bytes);
	if (!text)
		return -ENOMEM;
	head.text = text;
	error = recorder_open(recorder, runner->trace_path, &head, fault);
	if (!error)
		*watcher = &recorder->watcher;
	free(text);
	return error;
}

/* Ends what start_recording() began; the first error is the one that
 * counts. */
static int end_recording(struct runner *runner, struct recorder *recorder,
			 const struct watcher *watcher,
			 const struct figures *figures, int first,
			 struct fault *fault)
{
	struct fault late = { 0 };
	int error;

	if (!watcher)
		return first;
	error = recorder_close(recorder, figures, &late);
	if (recorder->waits && runner->live_ran)
		notes_add(&runner->notes,
			  "The run waited %llu times for its recording to be "
			  "written: its times are not those of a run that is "
			  "not recorded.",
			  (unsigned long long)recorder->waits);
	if (first || !error)
		return first;
	*fault = late;
	return error;
}

/* What is left of a result when the device's credit is gone. */
static int sustain(struct runner *runner, struct result *result,
		   struct fault *fault)
{
	const struct experiment experiment = shown_experiment(runner);
	int error;

	start_progress(runner, &result->echo, "sustained");
	error = experiment_sustain(&experiment, result, fault);
	progress_stop(&runner->progress);
	return error;
}

int runner_sim(struct runner *runner, const struct echo *echo,
	       struct result *result, struct fault *fault)
{
	struct experiment experiment = shown_experiment(runner);
	const struct replay_request replay = { &experiment, runner->replay_path,
					       &runner->progress,
					       &runner->notes };
	struct recorder recorder;
	int error;

	if (replay.path)
		return replayed_run(&replay, echo, result, fault);
	experiment.watch.timeline = runner->timeline;
	begin_result(runner, echo, false, result);
	error = start_recording(runner, echo, false, &recorder,
				&experiment.watch.watcher, fault);
	if (error)
		return error;
	start_progress(runner, echo, "sim");
	error = experiment_run(&experiment, result, fault);
	progress_stop(&runner->progress);
	error = end_recording(runner, &recorder, experiment.watch.watcher,
			      &result->figures, error, fault);
	return error ? error : sustain(runner, result, fault);
}

/* Some twenty runs of so many examples take ten seconds at most. */
#define EXPLAIN_EXAMPLES ((uint64_t)1 << 22)

int runner_explain(struct runner *runner, uint32_t share, struct result *result,
		   struct fault *fault)
{
	const struct experiment experiment = shown_experiment(runner);
	int error;

	start_progress(runner, &result->echo, "what limits");
	error = experiment_explain(&experiment, EXPLAIN_EXAMPLES / share,
				   result, fault);
	progress_stop(&runner->progress);
	return error;
}

/* The simulation of a live run's strategy: for its explanation alone, so it is
 * neither recorded nor anyone's timeline. */
static int simulate_twin(struct runner *runner, const struct echo *echo,
			 struct result *twin, struct fault *fault)
{
	const struct experiment experiment = shown_experiment(runner);
	int error;

	begin_result(runner, echo, false, twin);
	start_progress(runner, echo, "sim");
	error = experiment_run(&experiment, twin, fault);
	progress_stop(&runner->progress);
	return error;
}

int runner_explain_live(struct runner *runner, const struct result *twin,
			struct result *result, struct fault *fault)
{
	struct result *own = NULL;
	int error = 0;

	if (runner->scenario.storage.native || !result->figures.complete)
		return 0;
	if (!twin) {
		own = calloc(1, sizeof(*own));
		if (!own)
			return -ENOMEM;
		error = simulate_twin(runner, &result->echo, own, fault);
		if (!error)
			error = runner_explain(runner, 1, own, fault);
		twin = own;
	}
	result->attribution = twin->attribution;
	attribution_adopt(&result->attribution, &result->figures);
	if (own)
		free(own->sustained);
	free(own);
	return error;
}

static void show_progress(void *context, double done, int64_t elapsed_ns)
{
	(void)elapsed_ns;
	progress_update(context, done);
}

int runner_live(struct runner *runner, const struct echo *echo,
		struct result *result, struct fault *fault)
{
	const struct live_options options = {
		.backend = runner->backend,
		.stop = &interrupt_stop,
		.progress = show_progress,
		.progress_context = &runner->progress,
	};
	bool native = runner->scenario.storage.native;
	const struct watcher *watcher;
	struct recorder recorder;
	struct machine machine;
	int refused;
	int error;

	begin_result(runner, echo, true, result);
	error = machine_init(&machine, runner, &result->pipeline, fault);
	if (error)
		return error;
	error = start_recording(runner, echo, true, &recorder, &watcher, fault);
	if (error) {
		machine_release(&machine);
		return error;
	}
	engine_watch(machine.engine, watcher);
	start_progress(runner, echo, "live");
	if (runner->timeline)
		timeline_begin(runner->timeline, machine.engine, watcher);
	error = live_run(machine.engine, &result->pipeline,
			 native ? NULL : &machine.tiers, runner->dataset,
			 &options, &runner->live, fault);
	progress_stop(&runner->progress);
	result->throttle = runner->live.throttle;
	result->device_bytes = runner->live.device_bytes;
	runner->live_ran = true;
	engine_figures(machine.engine, &result->figures);
	burst_find(machine.tiers.devices,
		   tiers_volumes(&machine.tiers.profile,
				 result->pipeline.accelerators.hosts),
		   result);
	if (runner->timeline)
		timeline_end(runner->timeline);
	machine_release(&machine);
	error = end_recording(runner, &recorder, watcher, &result->figures,
			      error, fault);
	refused = experiment_judge(&result->figures,
				   &machine.tiers.profile.device, fault);
	rank_judge(runner->law, result);
	if (!error)
		error = refused;
	return error || native ? error : sustain(runner, result, fault);
}

void runner_finish(struct runner *runner)
{
	if (runner->live_ran)
		host_add_live(&runner->host, &runner->live);
	host_finish(&runner->host);
}
