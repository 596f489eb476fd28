/* SPDX-License-Identifier: MIT */
#include "cli/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/detail.h"
#include "analysis/law/rank.h"
#include "cli/best.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/paths.h"
#include "cli/runner.h"
#include "cli/watched.h"
#include "traces/echo.h"

#define RUNS_MAX (2 * (SCENARIO_ECHOES_MAX + 1))

struct session {
	const struct options *options;
	struct session_plan plan;
	struct runner runner;
	struct echo echoes[SCENARIO_ECHOES_MAX + 1];
	uint32_t echo_count;
	struct result *runs[RUNS_MAX];
	size_t run_count;
	struct output timeline; /* of --timeline */
	bool interrupted;
};

static void choose_strategies(struct session *session)
{
	const struct scenario *scenario = &session->runner.scenario;
	bool has_none = false;
	uint32_t i;

	if (!session->plan.every_strategy) {
		session->echoes[session->echo_count++] = scenario->echoes[0];
		return;
	}
	for (i = 0; i < scenario->echo_count; i++)
		has_none |= scenario->echoes[i].place == ECHO_NONE;
	if (!has_none)
		echo_init(&session->echoes[session->echo_count++]);
	for (i = 0; i < scenario->echo_count; i++)
		session->echoes[session->echo_count++] = scenario->echoes[i];
}

/* Why it is as it is. The simulation of a live run's strategy is the run
 * before it. */
static int explain(struct session *session, struct result *result,
		   struct fault *fault)
{
	struct runner *runner = &session->runner;
	size_t count = session->run_count;

	if (!result->live)
		return runner_explain(runner, session->echo_count, result,
				      fault);
	return runner_explain_live(
		runner, session->plan.sim ? session->runs[count - 1] : NULL,
		result, fault);
}

static void release_run(struct result *result)
{
	detail_free(result->detail);
	free(result->sustained);
	free(result);
}

/* One run. What was counted is kept, also by one that failed half way. */
static int run_once(struct session *session, const struct echo *echo, bool live,
		    struct fault *fault)
{
	struct result *result = calloc(1, sizeof(*result));
	bool explains = !session->options->no_stalls &&
			!session->options->replay_path;
	int error;

	if (!result)
		return -ENOMEM;
	error = watched_run(&session->runner, session->options, echo, live,
			    &session->timeline, result, fault);
	if (error && !result->figures.run_steps) {
		release_run(result);
		return error;
	}
	if (!error && !interrupt_stop && explains)
		error = explain(session, result, fault);
	session->runs[session->run_count++] = result;
	session->interrupted = !error && interrupt_stop &&
			       (!result->figures.complete ||
				(result->burst.known && !result->sustained) ||
				(explains && !result->attribution.known));
	return error;
}

static int run_all(struct session *session, struct fault *fault)
{
	const struct echo *echo;
	int error = 0;
	uint32_t i;

	for (i = 0; i < session->echo_count; i++) {
		echo = &session->echoes[i];
		if (session->plan.sim)
			error = run_once(session, echo, false, fault);
		if (!error && !session->interrupted && session->plan.live)
			error = run_once(session, echo, true, fault);
		if (error || session->interrupted)
			break;
	}
	return error;
}

/* Is the goal met by this strategy, in every mode it was run in that has the
 * figure? The runs of one strategy stand together. */
static bool strategy_meets(const struct session *session, size_t first,
			   size_t count, const struct goal *goal)
{
	bool skip_sim = session->plan.live && goal_is_of_live_runs(goal);
	size_t i;

	for (i = first; i < first + count; i++) {
		if (skip_sim && !session->runs[i]->live)
			continue;
		if (!goal_met(goal, session->runs[i]))
			return false;
	}
	return true;
}

/* Runs of one strategy stand together. */
static size_t modes(const struct session *session)
{
	return (size_t)session->plan.sim + session->plan.live;
}

/* Some strategy must meet all the goals. */
static bool goals_met(const struct session *session)
{
	const struct options *options = session->options;
	size_t count = modes(session);
	size_t first, i;

	for (first = 0; first + count <= session->run_count; first += count) {
		for (i = 0; i < options->goal_count; i++)
			if (!strategy_meets(session, first, count,
					    &options->goals[i]))
				break;
		if (i == options->goal_count)
			return true;
	}
	return false;
}

/* Why a goal is missed beside a figure that meets it. */
static void say_burst(const struct result *result)
{
	char text[NOTE_TEXT_MAX], name[STRATEGY_TEXT_MAX];

	if (burst_judged(result) == result)
		return;
	burst_say(result, text, sizeof(text));
	if (text[0])
		say("%s %s: goals are put to what is sustained, --burst puts "
		    "them to the start: %s",
		    result->live ? "live" : "sim",
		    strategy_name(&result->echo, name, sizeof(name)), text);
}

static int judge(const struct session *session)
{
	const struct options *options = session->options;
	size_t i;

	if (session->interrupted)
		return STATUS_INTERRUPTED;
	if (!options->goal_count || goals_met(session))
		return STATUS_DONE;
	for (i = 0; i < options->goal_count; i++)
		say("--require %s: %s", options->goals[i].text,
		    session->run_count > 1 ? "no strategy meets all goals" :
					     "missed");
	for (i = 0; i < session->run_count; i++)
		say_burst(session->runs[i]);
	return STATUS_MISSED;
}

static void abandon(struct session *session, struct output *output)
{
	output_abandon(output);
	if (session->options->timeline_path)
		output_abandon(&session->timeline);
}

static int write_report(struct session *session, struct output *output,
			struct fault *fault)
{
	const struct runner *runner = &session->runner;
	const struct report report = {
		.scenario = &runner->scenario,
		.runs = (const struct result *const *)session->runs,
		.run_count = session->run_count,
		.host = runner->host.facts,
		.host_count = runner->host.fact_count,
		.notes = &runner->notes,
	};
	int error = show_in(output, session->options, report_document(&report),
			    fault);

	if (!session->options->timeline_path)
		return error;
	if (!error)
		return output_commit(&session->timeline, fault);
	output_abandon(&session->timeline);
	return error;
}

/* Marks a result that lacks what its last run does not say itself. */
static void note_interrupted(struct session *session)
{
	size_t all = session->echo_count * modes(session);
	const struct result *last;

	if (!session->interrupted || !session->run_count)
		return;
	last = session->runs[session->run_count - 1];
	if (session->run_count < all)
		notes_add(&session->runner.notes,
			  "Interrupted; not complete: %zu of %zu runs were "
			  "begun.",
			  session->run_count, all);
	else if (last->figures.complete)
		notes_add(&session->runner.notes,
			  "Interrupted; not complete: what limits the last run "
			  "was not found out.");
}

static void say_reader(const struct session *session)
{
	const struct live_report *live = &session->runner.live;

	if (!session->runner.live_ran || !live->backend ||
	    session->options->quiet)
		return;
	say("reader: %s%s%s", live->backend, live->notes[0] ? "; " : "",
	    live->notes);
}

/* Runs, and writes what came of it; the first failure is the one that
 * counts. */
static int carry_out(struct session *session, struct output *output)
{
	struct fault run_fault = { 0 }, write_fault = { 0 };
	int run_error = 0, write_error = 0, status;

	if (session->plan.best)
		run_error = best_find(&session->runner, session->echoes,
				      &session->echo_count, &run_fault);
	else
		choose_strategies(session);
	if (!run_error)
		run_error = run_all(session, &run_fault);
	note_interrupted(session);
	rank_runs(session->runs, session->run_count, modes(session));
	runner_finish(&session->runner);
	say_reader(session);
	if (session->run_count)
		write_error = write_report(session, output, &write_fault);
	else
		abandon(session, output);
	status = judge(session);
	if (write_error)
		status = complain(write_error, &write_fault);
	if (run_error)
		status = complain(run_error, &run_fault);
	return status;
}

/* Options that would have no effect are mistakes. */
static const char *idle_option(const struct options *options,
			       const struct session_plan *plan)
{
	if (!plan->every_strategy && options->echo_count > 1)
		return "--echo: one strategy at a time; compare takes several";
	if (plan->best && options->echo_count)
		return "--echo: --best looks for the strategies itself";
	if (!plan->live && options->buffered && !options->recorded_live)
		return "--buffered: nothing is read without --live";
	if (!plan->live && options->reader)
		return "--reader: nothing is read without --live";
	return watched_idle_option(options);
}

/* Before anything is run: what cannot be written is said at once. */
static int open_outputs(struct session *session, struct output *output,
			struct fault *fault)
{
	const struct options *options = session->options;
	int error = paths_check(options, &session->runner.scenario, fault);

	if (!error)
		error = output_open(output, options->output_path, fault);
	if (error || !options->timeline_path)
		return error;
	error = output_open(&session->timeline, options->timeline_path, fault);
	if (error)
		output_abandon(output);
	return error;
}

int session_run(const struct options *options, const struct session_plan *plan)
{
	struct session *session;
	struct fault fault = { 0 };
	const char *mistake = idle_option(options, plan);
	struct output output;
	int error, status;

	if (mistake) {
		say("%s", mistake);
		return STATUS_PERSON;
	}
	session = calloc(1, sizeof(*session));
	if (!session)
		return complain(-ENOMEM, &fault);
	session->options = options;
	session->plan = *plan;
	interrupt_catch();
	error = runner_open(&session->runner, options, plan->sim, plan->live,
			    &fault);
	if (error) {
		status = complain(error, &fault);
		goto free_session;
	}
	if (plan->best && !session->runner.law) {
		say("--best: the scenario names no training.law, so no time "
		    "to target is known; `echosim list laws` shows some");
		status = STATUS_PERSON;
		goto close_runner;
	}
	/* The device as it is has no model. */
	if (session->runner.scenario.storage.native && plan->live)
		session->plan.sim = false;
	error = open_outputs(session, &output, &fault);
	if (error) {
		status = complain(error, &fault);
		goto close_runner;
	}
	status = carry_out(session, &output);
	while (session->run_count)
		release_run(session->runs[--session->run_count]);
close_runner:
	runner_close(&session->runner);
free_session:
	free(session);
	return status;
}
