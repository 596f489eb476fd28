/* SPDX-License-Identifier: MIT */
#include "cli/watched.h"

#include "analysis/detail.h"
#include "analysis/trace/timeline_json.h"

static bool wants_detail(const struct options *options)
{
	return options->detail || options->printer->detailed;
}

const char *watched_idle_option(const struct options *options)
{
	if (options->replay_path && (options->timeline_path || options->detail))
		return "--replay: a recording is one already; --timeline and "
		       "--detail are of runs that are made";
	if (options->detail && !options->printer->takes_detail)
		return "--detail: only --format json and html have room for it";
	if (options->timeline_steps && !options->timeline_path &&
	    !wants_detail(options))
		return "--timeline-steps: no timeline is made without "
		       "--timeline, --detail or --format html";
	return NULL;
}

static int run(struct runner *runner, const struct echo *echo, bool live,
	       struct result *result, struct fault *fault)
{
	return live ? runner_live(runner, echo, result, fault) :
		      runner_sim(runner, echo, result, fault);
}

int watched_run(struct runner *runner, const struct options *options,
		const struct echo *echo, bool live, struct output *output,
		struct result *result, struct fault *fault)
{
	struct timeline *timeline;
	int error, made = 0;

	if (!wants_detail(options) && !options->timeline_path)
		return run(runner, echo, live, result, fault);
	error = timeline_open(&timeline, options->timeline_steps ?
						 options->timeline_steps :
						 TIMELINE_STEPS);
	if (error)
		return error;
	runner->timeline = timeline;
	error = run(runner, echo, live, result, fault);
	runner->timeline = NULL;
	if (wants_detail(options) && result->figures.run_steps)
		made = detail_make(&result->detail, timeline,
				   &result->pipeline);
	if (options->timeline_path && !made)
		made = timeline_write(output->stream, timeline,
				      &result->pipeline);
	timeline_close(timeline);
	return error ? error : made;
}
