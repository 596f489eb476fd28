/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/burst.h"
#include "analysis/metric.h"
#include "analysis/report.h"
#include "analysis/stall/stall.h"
#include "traces/units.h"

#define POINT 0.01 /* of a fraction */

void notes_add(struct notes *notes, const char *format, ...)
{
	char *text = notes->text[notes->count];
	va_list arguments;
	size_t i;

	if (notes->count == NOTES_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(text, NOTE_TEXT_MAX, format, arguments);
	va_end(arguments);
	for (i = 0; i < notes->count; i++)
		if (!strcmp(notes->text[i], text))
			return;
	notes->count++;
}

const char *strategy_name(const struct echo *echo, char *text, size_t size)
{
	const char *place = echo_place_name(echo->place);

	if (echo->place == ECHO_NONE)
		snprintf(text, size, "%s", place);
	else if (echo->policy == ECHO_WHEN_STARVED)
		snprintf(text, size, "%s:%s:%u", place,
			 echo_policy_name(echo->policy), echo->max_factor);
	else
		snprintf(text, size, "%s:%.15g", place, echo->factor);
	return text;
}

const char *run_name(const struct result *result, char *text, size_t size)
{
	int used = 0;

	if (result->variant)
		used = snprintf(text, size, "%s, ", result->variant);
	if (used >= 0 && (size_t)used < size)
		strategy_name(&result->echo, text + used, size - (size_t)used);
	return text;
}

/* What one kind of note says about one run: "" when nothing. */
typedef void (*remark)(const struct result *result, char *text, size_t size);

static void remark_interrupted(const struct result *result, char *text,
			       size_t size)
{
	if (!result->figures.complete)
		snprintf(text, size, "after %llu steps",
			 (unsigned long long)result->figures.run_steps);
}

static void remark_short(const struct result *result, char *text, size_t size)
{
	struct metric_value au = metric_get("au", result);
	struct metric_value steady = metric_get("au_steady", result);

	if (au.known && steady.known && fabs(au.real - steady.real) > POINT)
		snprintf(text, size, "%.1f, steady %.1f", au.real / POINT,
			 steady.real / POINT);
}

static void remark_not_held(const struct result *result, char *text,
			    size_t size)
{
	const struct throttle *throttle = &result->throttle;
	struct metric_value late = metric_get("throttle.late_fraction", result);
	struct metric_value most =
		metric_get("throttle.lateness_s.max", result);
	struct metric_value sum = metric_get("throttle.overtaken_s", result);
	char number[VALUE_TEXT_MAX];
	int used;

	if (!result->live || throttle->native || throttle_held(throttle))
		return;
	used = snprintf(text, size, "%.1f %% of the time",
			throttle_disturbed(throttle) / POINT);
	if (throttle->late)
		used += snprintf(text + used, size - (size_t)used,
				 "; %.1f %% of reads late, at most %s",
				 late.real / POINT,
				 value_human(METRIC_REAL, "s", most, number,
					     sizeof(number)));
	if (throttle->lag_ns > throttle->disturbed_ns)
		used += snprintf(text + used, size - (size_t)used,
				 "; %.0f ms behind the clock at the end",
				 (double)throttle->lag_ns / 1e6);
	if (throttle->overtaken)
		snprintf(text + used, size - (size_t)used,
			 "; %llu of %llu blocks late, %s in all",
			 (unsigned long long)throttle->overtaken,
			 (unsigned long long)throttle->blocks,
			 value_human(METRIC_REAL, "s", sum, number,
				     sizeof(number)));
}

static void remark_paused(const struct result *result, char *text, size_t size)
{
	const struct throttle *throttle = &result->throttle;

	if (result->live && throttle->native && !throttle_held(throttle))
		snprintf(text, size, "%.1f s in all",
			 (double)throttle->disturbed_ns / 1e9);
}

static void remark_no_steps(const struct result *result, char *text,
			    size_t size)
{
	if (result->figures.complete && !result->figures.steps)
		snprintf(text, size, "%llu steps in all",
			 (unsigned long long)result->figures.run_steps);
}

static void remark_data_ended(const struct result *result, char *text,
			      size_t size)
{
	const struct run_limit *limit = &result->pipeline.limit;

	if (result->figures.data_ended && limit->steps)
		snprintf(text, size, "%llu of %llu steps",
			 (unsigned long long)result->figures.run_steps,
			 (unsigned long long)limit->steps);
}

static void remark_small(const struct result *result, char *text, size_t size)
{
	const struct pipeline *pipeline = &result->pipeline;
	const struct accelerators *accelerators = &pipeline->accelerators;
	uint64_t step = pipeline->batch_size;

	if (accelerators->sync == SYNC_BARRIER)
		step *= (uint64_t)accelerators->count * accelerators->hosts;
	if (pipeline->layout.examples < step)
		snprintf(text, size, "%llu of %llu",
			 (unsigned long long)pipeline->layout.examples,
			 (unsigned long long)step);
}

#define FACTOR_SLACK 0.02

static void remark_factor(const struct result *result, char *text, size_t size)
{
	struct metric_value factor = metric_get("mean_factor", result);

	if (result->echo.place == ECHO_NONE ||
	    result->echo.policy != ECHO_FIXED || !factor.known ||
	    fabs(factor.real / result->echo.factor - 1) <= FACTOR_SLACK)
		return;
	snprintf(text, size, "%.3f of %.15g", factor.real, result->echo.factor);
}

static void remark_law(const struct result *result, char *text, size_t size)
{
	snprintf(text, size, "%s", result->law.warning);
}

/* Also when nobody set a time: the simulated clock ends after a century. */
static void remark_time_ended(const struct result *result, char *text,
			      size_t size)
{
	const struct run_limit *limit = &result->pipeline.limit;
	const struct figures *figures = &result->figures;

	if (figures->complete && !figures->data_ended &&
	    figures->run_steps < limit->steps)
		snprintf(text, size, "%llu of %llu steps in %.15g s",
			 (unsigned long long)figures->run_steps,
			 (unsigned long long)limit->steps,
			 (double)figures->run_ns / 1e9);
}

static const struct {
	const char *sentence;
	remark remark;
} kinds[] = {
	{ "Interrupted; the figures cover what was done:", remark_interrupted },
	{ "Nothing was measured, the run is no longer than its warm-up:",
	  remark_no_steps },
	{ "The data ended before the steps did:", remark_data_ended },
	{ "An epoch has fewer examples than one step takes; a loader that "
	  "drops what fills no step, as DLIO does, trains nothing. Examples:",
	  remark_small },
	{ "Time ended before the steps did:", remark_time_ended },
	{ "Burst credit: this is the device's start, not what it sustains:",
	  burst_say },
	{ "Short run: the AU of the measured window and that of its steady "
	  "part "
	  "differ by more than a point, so start-up still weighs; give it more "
	  "steps. AU %:",
	  remark_short },
	{ "The realised factor is not the one asked for: the run is short, or "
	  "the shuffle behind the echo still fills up with copies; give it "
	  "more steps or warm-up. Factors:",
	  remark_factor },
	{ "The law of training was asked beyond what was measured:",
	  remark_law },
	{ "The throttle did not hold: this host was behind the device it "
	  "plays, "
	  "or its decompress workers were behind theirs, so live is not that "
	  "device:",
	  remark_not_held },
	{ "echosim did not run for a while, stopped or without a processor, "
	  "and the clock went on, so live is not this host's storage alone:",
	  remark_paused },
};

#define MORE_TEXT_MAX 24 /* "; 12 more." */

/* One sentence, then every run it is true of, or how many more. */
static void add_kind(const struct report *report, size_t kind,
		     struct notes *notes)
{
	char line[NOTE_TEXT_MAX], name[RUN_TEXT_MAX];
	char about[LAW_WARNING_MAX];
	const struct result *result;
	size_t room = NOTE_TEXT_MAX - strlen(kinds[kind].sentence);
	size_t used = 0, more = 0, i;

	for (i = 0; i < report->run_count; i++) {
		result = report->runs[i];
		about[0] = '\0';
		kinds[kind].remark(result, about, sizeof(about));
		if (!about[0])
			continue;
		run_name(result, name, sizeof(name));
		if (used &&
		    used + strlen(name) + strlen(about) + MORE_TEXT_MAX > room)
			more++;
		if (more)
			continue;
		used += (size_t)snprintf(line + used, sizeof(line) - used,
					 "%s %s %s (%s)", used ? ";" : "",
					 result->live ? "live" : "sim", name,
					 about);
	}
	if (used && more)
		notes_add(notes, "%s%s; %zu more.", kinds[kind].sentence, line,
			  more);
	else if (used)
		notes_add(notes, "%s%s.", kinds[kind].sentence, line);
}

/* One run is worth advice; several have their table. */
static void add_advice(const struct report *report, struct notes *notes)
{
	char text[NOTE_TEXT_MAX];

	if (report->run_count != 1)
		return;
	stall_advice(report->runs[0], text, sizeof(text));
	if (text[0])
		notes_add(notes, "%s", text);
}

/* Why a disk may be faster than the list of devices says. */
static void add_span(const struct scenario *scenario, const char *variant,
		     struct notes *notes)
{
	const struct device_seek *seek = &scenario->storage.profile.seek;
	char span[32], capacity[32];

	if (!seek->span_bytes || seek->span_bytes == seek->capacity_bytes)
		return;
	notes_add(notes,
		  "%s%sThe data lies over %s of the disk's %s "
		  "(storage.device.seek.span), so seeks are shorter than "
		  "between random places of all of it.",
		  variant ? variant : "", variant ? ": " : "",
		  units_print(UNITS_BYTES, seek->span_bytes, span,
			      sizeof(span)),
		  units_print(UNITS_BYTES, seek->capacity_bytes, capacity,
			      sizeof(capacity)));
}

void report_notes(const struct report *report, struct notes *notes)
{
	size_t kind, i;

	add_advice(report, notes);
	if (!report->variant_count)
		add_span(report->scenario, NULL, notes);
	for (i = 0; i < report->variant_count; i++)
		add_span(report->variants[i].scenario, report->variants[i].name,
			 notes);
	for (kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++)
		add_kind(report, kind, notes);
}
