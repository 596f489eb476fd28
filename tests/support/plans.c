/* SPDX-License-Identifier: MIT */
#include "tests/support/plans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct plans plans;

void plans_begin(const char *scenario, const char *goal)
{
	struct fault *fault = &plans.fault;

	memset(fault, 0, sizeof(*fault));
	if (scenario_parse(&plans.scenario, "a.yaml", scenario,
			   strlen(scenario), NULL, 0, fault))
		fail_msg("%s:%d: %s", fault->file, fault->line, fault->text);
	if (goal_parse(&plans.goal, goal, fault))
		fail_msg("%s", fault->text);
	plans.experiment = (struct experiment){
		.scenario = &plans.scenario,
		.watch = { .memory_max = (size_t)1 << 30 },
	};
	plans.plan = (struct plan){
		.experiment = &plans.experiment,
		.goals = &plans.goal,
		.goal_count = 1,
		.knobs = plans.knobs,
	};
}

void plans_knob(const char *text)
{
	struct vary *knob = &plans.knobs[plans.plan.knob_count++];

	if (vary_parse(knob, text, &plans.fault))
		fail_msg("%s", plans.fault.text);
}

int plans_finish(void **state)
{
	(void)state;
	while (plans.plan.knob_count)
		vary_release(&plans.knobs[--plans.plan.knob_count]);
	return 0;
}
