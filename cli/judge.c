/* SPDX-License-Identifier: MIT */
#include "cli/judge.h"

#include "analysis/burst.h"
#include "analysis/report.h"
#include "cli/command.h"

/* Is the goal met by this strategy, in every mode it was run in that has the
 * figure? */
static bool strategy_meets(const struct judged_runs *judged, size_t first,
			   const struct goal *goal)
{
	bool skip_sim = judged->live && goal_is_of_live_runs(goal);
	size_t i;

	for (i = first; i < first + judged->modes; i++) {
		if (skip_sim && !judged->runs[i]->live)
			continue;
		if (!goal_met(goal, judged->runs[i]))
			return false;
	}
	return true;
}

static bool goals_met(const struct judged_runs *judged)
{
	const struct options *options = judged->options;
	size_t first, i;

	for (first = 0; first + judged->modes <= judged->count;
	     first += judged->modes) {
		for (i = 0; i < options->goal_count; i++)
			if (!strategy_meets(judged, first, &options->goals[i]))
				break;
		if (i == options->goal_count)
			return true;
	}
	return false;
}

/* Why a goal is missed beside a figure that meets it. */
static void say_burst(const struct result *result)
{
	char text[NOTE_TEXT_MAX], name[RUN_TEXT_MAX];

	if (burst_judged(result) == result)
		return;
	burst_say(result, text, sizeof(text));
	if (text[0])
		say("%s %s: goals are put to what is sustained, --burst puts "
		    "them to the start: %s",
		    result->live ? "live" : "sim",
		    run_name(result, name, sizeof(name)), text);
}

int judge_runs(const struct judged_runs *judged)
{
	const struct options *options = judged->options;
	size_t i;

	if (!options->goal_count || goals_met(judged))
		return STATUS_DONE;
	for (i = 0; i < options->goal_count; i++)
		say("--require %s: %s", options->goals[i].text,
		    judged->count > 1 ? "no strategy meets all goals" :
					"missed");
	for (i = 0; i < judged->count; i++)
		say_burst(judged->runs[i]);
	return STATUS_MISSED;
}
