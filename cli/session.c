/* SPDX-License-Identifier: MIT */
#include "cli/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/detail.h"
#include "analysis/law/rank.h"
#include "cli/best.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/judge.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/paths.h"
#include "cli/runner.h"
#include "cli/watched.h"
#include "traces/echo.h"

#define RUNS_MAX (2 * (SCENARIO_ECHOES_MAX + 1))

/* One of what is compared, or all there is. */
struct contest {
	struct runner runner;
	struct echo echoes[SCENARIO_ECHOES_MAX + 1];
	uint32_t echo_count;
};

struct session {
	const struct options *options;
	struct session_plan plan;
	struct sides sides;
	struct contest *contests; /* one of each side */
	uint32_t open_count;	  /* of them */
	struct result **runs;
	size_t run_count;
	struct notes notes;
	struct output timeline; /* of --timeline */
	bool interrupted;
};

static void choose_strategies(struct contest *contest, bool every)
{
	const struct scenario *scenario = &contest->runner.scenario;
	bool has_none = false;
	uint32_t i;

	if (!every) {
		contest->echoes[contest->echo_count++] = scenario->echoes[0];
		return;
	}
	for (i = 0; i < scenario->echo_count; i++)
		has_none |= scenario->echoes[i].place == ECHO_NONE;
	if (!has_none)
		echo_init(&contest->echoes[contest->echo_count++]);
	for (i = 0; i < scenario->echo_count; i++)
		contest->echoes[contest->echo_count++] = scenario->echoes[i];
}

/* Why it is as it is. The simulation of a live run's strategy is the run
 * before it. */
static int explain(struct session *session, struct contest *contest,
		   struct result *result, struct fault *fault)
{
	struct runner *runner = &contest->runner;
	size_t count = session->run_count;

	if (!result->live)
		return runner_explain(
			runner, contest->echo_count * session->sides.count,
			result, fault);
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
static int run_once(struct session *session, struct contest *contest,
		    const struct echo *echo, bool live, struct fault *fault)
{
	struct result *result = calloc(1, sizeof(*result));
	bool explains = !session->options->no_stalls &&
			!session->options->replay_path;
	int error;

	if (!result)
		return -ENOMEM;
	error = watched_run(&contest->runner, session->options, echo, live,
			    &session->timeline, result, fault);
	if (error && !result->figures.run_steps) {
		release_run(result);
		return error;
	}
	if (!error && !interrupt_stop && explains)
		error = explain(session, contest, result, fault);
	session->runs[session->run_count++] = result;
	session->interrupted = !error && interrupt_stop &&
			       (!result->figures.complete ||
				(result->burst.known && !result->sustained) ||
				(explains && !result->attribution.known));
	return error;
}

/* Every strategy of a side. */
static int run_side(struct session *session, struct contest *contest,
		    struct fault *fault)
{
	const struct echo *echo;
	int error = 0;
	uint32_t i;

	if (session->plan.best)
		error = best_find(&contest->runner, contest->echoes,
				  &contest->echo_count, fault);
	else
		choose_strategies(contest, session->plan.every_strategy);
	for (i = 0; i < contest->echo_count && !error; i++) {
		echo = &contest->echoes[i];
		if (session->plan.sim)
			error = run_once(session, contest, echo, false, fault);
		if (!error && !session->interrupted && session->plan.live)
			error = run_once(session, contest, echo, true, fault);
		if (session->interrupted)
			break;
	}
	return error;
}

static int run_all(struct session *session, struct fault *fault)
{
	int error = 0;
	uint32_t i;

	for (i = 0; i < session->sides.count; i++) {
		error = run_side(session, &session->contests[i], fault);
		if (error || session->interrupted)
			break;
	}
	return error;
}

/* Runs of one strategy stand together. */
static size_t modes(const struct session *session)
{
	return (size_t)session->plan.sim + session->plan.live;
}

static void abandon(struct session *session, struct output *output)
{
	output_abandon(output);
	if (session->options->timeline_path)
		output_abandon(&session->timeline);
}

/* As the report has them: none of a side without a name. */
static size_t list_variants(const struct session *session,
			    struct report_variant *variants,
			    char changes[VARIANTS_MAX][CHANGES_TEXT_MAX])
{
	const struct sides *sides = &session->sides;
	uint32_t i;

	if (!sides->items[0].side)
		return 0;
	for (i = 0; i < sides->count; i++)
		variants[i] = (struct report_variant){
			.name = sides->items[i].side,
			.changes = sides_say(&sides->items[i], changes[i],
					     CHANGES_TEXT_MAX),
			.scenario = &session->contests[i].runner.scenario,
		};
	return sides->count;
}

static int write_report(struct session *session, struct output *output,
			struct fault *fault)
{
	char changes[VARIANTS_MAX][CHANGES_TEXT_MAX];
	struct report_variant variants[VARIANTS_MAX];
	const struct runner *runner = &session->contests[0].runner;
	const struct report report = {
		.scenario = &runner->scenario,
		.variants = variants,
		.variant_count = list_variants(session, variants, changes),
		.runs = (const struct result *const *)session->runs,
		.run_count = session->run_count,
		.host = runner->host.facts,
		.host_count = runner->host.fact_count,
		.notes = &session->notes,
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

/* How many a side has, or will have. */
static size_t strategies(const struct session *session, uint32_t side)
{
	struct contest *contest = &session->contests[side];

	if (!contest->echo_count)
		choose_strategies(contest, session->plan.every_strategy);
	return contest->echo_count;
}

/* Does every side say the same? Then it is nobody's in particular. */
static bool all_say(const struct session *session, const char *text)
{
	const struct notes *notes;
	uint32_t i, k;

	for (i = 0; i < session->sides.count; i++) {
		notes = &session->contests[i].runner.notes;
		for (k = 0; k < notes->count; k++)
			if (!strcmp(notes->text[k], text))
				break;
		if (k == notes->count)
			return false;
	}
	return true;
}

static void gather_notes(struct session *session)
{
	const char *text, *name;
	const struct notes *notes;
	uint32_t i, k;

	for (i = 0; i < session->sides.count; i++) {
		notes = &session->contests[i].runner.notes;
		name = session->sides.items[i].side;
		for (k = 0; k < notes->count; k++) {
			text = notes->text[k];
			if (all_say(session, text))
				notes_add(&session->notes, "%s", text);
			else
				notes_add(&session->notes, "%s: %s", name,
					  text);
		}
	}
}

/* Marks a result that lacks what its last run does not say itself. */
static void note_interrupted(struct session *session)
{
	const struct result *last;
	size_t all = 0;
	uint32_t i;

	for (i = 0; i < session->sides.count; i++)
		all += strategies(session, i) * modes(session);
	if (!session->interrupted || !session->run_count)
		return;
	last = session->runs[session->run_count - 1];
	if (session->run_count < all)
		notes_add(&session->notes,
			  "Interrupted; not complete: %zu of %zu runs were "
			  "begun.",
			  session->run_count, all);
	else if (last->figures.complete)
		notes_add(&session->notes,
			  "Interrupted; not complete: what limits the last run "
			  "was not found out.");
}

static void say_reader(const struct session *session)
{
	const struct runner *runner = &session->contests[0].runner;
	const struct live_report *live = &runner->live;

	if (!runner->live_ran || !live->backend || session->options->quiet)
		return;
	say("reader: %s%s%s", live->backend, live->notes[0] ? "; " : "",
	    live->notes);
}

static int judge(const struct session *session)
{
	const struct judged_runs judged = {
		.options = session->options,
		.runs = (const struct result *const *)session->runs,
		.count = session->run_count,
		.modes = modes(session),
		.live = session->plan.live,
	};

	return judge_runs(&judged);
}

/* Runs, and writes what came of it; the first failure is the one that
 * counts. */
static int carry_out(struct session *session, struct output *output)
{
	struct fault run_fault = { 0 }, write_fault = { 0 };
	int run_error, write_error = 0, status;

	run_error = run_all(session, &run_fault);
	gather_notes(session);
	note_interrupted(session);
	rank_runs(session->runs, session->run_count, modes(session));
	runner_finish(&session->contests[0].runner);
	say_reader(session);
	if (session->run_count)
		write_error = write_report(session, output, &write_fault);
	else
		abandon(session, output);
	status = session->interrupted ? STATUS_INTERRUPTED : judge(session);
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
	int error = 0;
	uint32_t i;

	for (i = 0; i < session->sides.count && !error; i++)
		error = paths_check(
			options, &session->contests[i].runner.scenario, fault);
	if (!error)
		error = output_open(output, options->output_path, fault);
	if (error || !options->timeline_path)
		return error;
	error = output_open(&session->timeline, options->timeline_path, fault);
	if (error)
		output_abandon(output);
	return error;
}

/* A mistake within a variant says which one it is in, but for one that has a
 * line. */
static void name_side(const struct options *side, struct fault *fault)
{
	char text[sizeof(fault->text)];

	if (!side->variant || !fault->text[0] || fault->line)
		return;
	memcpy(text, fault->text, sizeof(text));
	snprintf(fault->text, sizeof(fault->text), "%s: %.*s", side->side,
		 (int)(sizeof(text) - VARIANT_NAME_MAX - 2), text);
}

static int open_sides(struct session *session, struct fault *fault)
{
	const struct session_plan *plan = &session->plan;
	const struct options *side;
	uint32_t i;
	int error;

	error = sides_open(&session->sides, session->options, plan->sides,
			   fault);
	if (error)
		return error;
	session->contests =
		calloc(session->sides.count, sizeof(*session->contests));
	session->runs = calloc((size_t)session->sides.count * RUNS_MAX,
			       sizeof(*session->runs));
	if (!session->contests || !session->runs)
		return -ENOMEM;
	for (i = 0; i < session->sides.count; i++) {
		side = &session->sides.items[i];
		error = runner_open(&session->contests[i].runner, side,
				    plan->sim, plan->live, fault);
		if (error) {
			name_side(side, fault);
			return error;
		}
		session->open_count++;
	}
	return 0;
}

/* What sides must have alike to stand beside each other. */
static int check_sides(const struct session *session, struct fault *fault)
{
	const struct scenario *first = &session->contests[0].runner.scenario;
	const struct scenario *scenario;
	uint32_t i;

	for (i = 0; i < session->sides.count; i++) {
		scenario = &session->contests[i].runner.scenario;
		if (session->plan.best && !session->contests[i].runner.law) {
			fault_set(fault, "--best", 0,
				  "the scenario names no training.law, so no "
				  "time to target is known; `echosim list "
				  "laws` shows some");
			return -EINVAL;
		}
		if (strcmp(scenario->law, first->law) != 0 ||
		    strcmp(scenario->law_file, first->law_file) != 0) {
			fault_set(fault, session->sides.items[i].side, 0,
				  "its training.law is not that of %s: times "
				  "to different targets cannot be compared; "
				  "--set training.law=NAME gives all the same",
				  session->sides.items[0].side);
			return -EINVAL;
		}
		if (scenario->storage.native != first->storage.native) {
			fault_set(
				fault, session->sides.items[i].side, 0,
				"storage.device: native in some only; it is "
				"not simulated, so nothing else stands beside "
				"it");
			return -EINVAL;
		}
	}
	return 0;
}

static void close_session(struct session *session)
{
	while (session->run_count)
		release_run(session->runs[--session->run_count]);
	while (session->open_count)
		runner_close(&session->contests[--session->open_count].runner);
	free(session->contests);
	free(session->runs);
	sides_close(&session->sides);
	free(session);
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
	error = open_sides(session, &fault);
	if (!error)
		error = check_sides(session, &fault);
	if (!error) {
		/* The device as it is has no model. */
		if (session->contests[0].runner.scenario.storage.native &&
		    plan->live)
			session->plan.sim = false;
		error = open_outputs(session, &output, &fault);
	}
	status = error ? complain(error, &fault) : carry_out(session, &output);
	close_session(session);
	return status;
}
