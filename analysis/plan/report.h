/* SPDX-License-Identifier: MIT */
/* What came of a plan, for people and programs. */
#ifndef ANALYSIS_PLAN_REPORT_H
#define ANALYSIS_PLAN_REPORT_H

#include <stdbool.h>

#include "analysis/document/document.h"
#include "analysis/plan/plan.h"
#include "analysis/report.h"

#define PLAN_ANSWERS_MAX (2 * PLAN_KNOBS_MAX + 1)
#define PLAN_ADVICE_MAX 400
#define PLAN_BURST_MAX 400

enum plan_way {
	PLAN_ALONE,
	PLAN_MOST,
	PLAN_TOGETHER, /* all knobs of its plan */
	PLAN_MEASURED, /* what explains a measured figure */
};

struct plan_result {
	enum plan_way way;
	const struct plan *plan;
	size_t knob; /* of plan->knobs; of PLAN_TOGETHER any */
	struct plan_answer answer;
};

struct plan_report {
	const struct plan *plan; /* for the goals and the experiment */
	struct plan_trial now;
	struct plan_trial start; /* while credit lasts, when now is drained */
	struct plan_result results[PLAN_ANSWERS_MAX];
	size_t result_count;
	bool measured; /* all are PLAN_MEASURED */
	bool unpriced; /* no combination was looked for: nothing costs more */
	bool complete; /* false: it was interrupted */
	struct notes notes; /* of whoever made it */
};

/* Does the answer give the knob, of its plan, another value than it has? */
bool plan_changes(const struct plan_result *result, size_t knob);

/* Of the accelerators in a host, where there are several hosts: how many that
 * makes in all. NAN: of other knobs, of one host. */
double plan_in_all(const struct plan_result *result, size_t knob, double value);

/* The knob's value for people: "264.5 MB/s", "4 per host, 16 in all". Returns
 * text; "" for NAN. */
const char *plan_value(const struct plan_result *result, size_t knob,
		       double value, char *text, size_t size);

/* Is there an answer that meets the goal? */
bool plan_is_reached(const struct plan_report *report);

/* The cheapest change that meets it, without prices the smallest; NULL: none
 * does, or none was asked for. */
const struct plan_result *plan_best(const struct plan_report *report);

/* Why the figures are not those that a short run shows: burst credit. Returns
 * text, "" where there is none. */
const char *plan_burst(const struct plan_report *report, char *text,
		       size_t size);

/* One line: what to change, or why nothing helps. */
void plan_advice(const struct plan_report *report, char *text, size_t size);

/* The document of it. */
struct document *plan_document(const struct plan_report *report);

#endif
