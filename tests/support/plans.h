/* SPDX-License-Identifier: MIT */
/* A plan for tests: a scenario's text, a goal and knobs, and what they make. */
#ifndef TESTS_SUPPORT_PLANS_H
#define TESTS_SUPPORT_PLANS_H

#include "analysis/plan/plan.h"

/* Nothing but the device holds this up. Ten examples of a megabyte in a step of
 * ten milliseconds: 1 GB/s an accelerator. */
#define PLANS_IDEAL_DEMAND 1e9
#define PLANS_IDEAL                                                            \
	"dataset: {examples: 10000, example_bytes: 1 MB, block_bytes: 1 MB}\n" \
	"pipeline: {batch_size: 10}\n"                                         \
	"run: {steps: 1000, warmup_steps: 100}\n"                              \
	"accelerator: {step_time: 10 ms}\n"

struct plans {
	struct scenario scenario;
	struct experiment experiment;
	struct vary knobs[PLAN_KNOBS_MAX];
	struct goal goal;
	struct plan plan;
	struct fault fault;
};

extern struct plans plans;

/* Fails the test when the texts are wrong. */
void plans_begin(const char *scenario, const char *goal);

/* One more knob, in the form of --vary. */
void plans_knob(const char *text);

/* Releases the knobs; also a cmocka teardown. */
int plans_finish(void **state);

#endif
