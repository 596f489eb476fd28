/* SPDX-License-Identifier: MIT */
/*
 * The document of runs: the answer first, then the strategies side by side,
 * why they idle, what a repeat is worth, and every figure there is.
 */
#include "analysis/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/burst.h"
#include "analysis/hosts.h"
#include "analysis/metric.h"
#include "analysis/part.h"
#include "analysis/report_views.h"
#include "analysis/run_data.h"
#include "analysis/scenario_data.h"
#include "analysis/version.h"

static const struct result *run_at(const struct subject *subject, size_t run)
{
	return subject->report->runs[run];
}

static bool settings_differ(const struct report *report)
{
	char first[HOSTS_TEXT_MAX], other[HOSTS_TEXT_MAX];
	size_t i;

	hosts_say(report->scenario, first, sizeof(first));
	for (i = 0; i < report->variant_count; i++) {
		hosts_say(report->variants[i].scenario, other, sizeof(other));
		if (strcmp(first, other) != 0)
			return true;
	}
	return false;
}

static void look_at(struct subject *subject)
{
	bool sim = false, live = false;
	size_t i;

	for (i = subject->report->run_count; i-- > 0;) {
		const struct result *result = run_at(subject, i);

		if (result->rank == RANK_BEST)
			subject->lead = i;
		if (result->live)
			live = true;
		else
			sim = true;
		subject->judged |= result->law.gain > 0;
		subject->explained |= result->attribution.known;
		subject->burst |= burst_matters(result);
	}
	subject->both = sim && live;
	subject->varied = subject->report->variant_count;
	subject->settings_differ = settings_differ(subject->report);
}

/* ---- data ---- */

/* What tells the runs of a document apart; of variants, within each. */
static const char *label_of(const struct subject *subject,
			    const struct result *result, const char *name)
{
	return document_text(subject->document, "%s%s%s", name,
			     subject->both ? ", " : "",
			     !subject->both ? "" :
			     result->live   ? "live" :
					      "sim");
}

static void set_variant(const struct subject *subject, struct node *item,
			const struct result *result, bool with_mode)
{
	struct document *document = subject->document;
	char name[STRATEGY_TEXT_MAX];
	const char *label = strategy_name(&result->echo, name, sizeof(name));

	if (!result->variant)
		return;
	if (with_mode)
		label = label_of(subject, result, label);
	document_set(document, item, "variant", METRIC_TEXT,
		     value_text(result->variant));
	document_set(document, item, "label", METRIC_TEXT, value_text(label));
}

static void add_runs(struct subject *subject)
{
	struct document *document = subject->document;
	char name[RUN_TEXT_MAX];
	struct node *item;
	size_t i;

	subject->runs =
		document_list(document, document_data(document), "runs");
	for (i = 0; i < subject->report->run_count; i++) {
		const struct result *result = run_at(subject, i);

		item = document_item(document, subject->runs);
		set_variant(subject, item, result, true);
		run_name(result, name, sizeof(name));
		run_data(document, item, label_of(subject, result, name),
			 result);
	}
}

/* The figures of a live run that stand beside those of its simulation. */
static const char *const live_figures[] = {
	"steps_per_s",
	"fresh_examples_per_s",
	"mean_factor",
	"throttle.verdict",
};

static void set_figure(struct document *document, struct node *item,
		       const char *path, const struct metric *metric,
		       const struct result *result)
{
	document_set(document, item, path, metric->kind, metric->get(result));
}

/* What a run adds to the row of its strategy. */
static void add_to_pair(struct document *document, struct node *item,
			const struct result *result)
{
	const struct metric *metric;
	size_t i;

	set_figure(document, item, result->live ? "au.live" : "au.sim",
		   metric_find("au"), result);
	for (i = 0;
	     result->live && i < sizeof(live_figures) / sizeof(live_figures[0]);
	     i++) {
		metric = metric_find(live_figures[i]);
		set_figure(document, item, metric->name, metric, result);
	}
}

static bool same_echo(const struct echo *a, const struct echo *b)
{
	return a->place == b->place && a->policy == b->policy &&
	       a->factor == b->factor && a->max_factor == b->max_factor &&
	       a->repeat_cost_ns == b->repeat_cost_ns &&
	       a->shuffle_batches == b->shuffle_batches;
}

/* Both modes of a strategy in one row: a live run follows its simulation. */
static void add_pairs(struct subject *subject)
{
	struct document *document = subject->document;
	struct node *list, *item = NULL;
	const struct result *result, *sim = NULL;
	char name[RUN_TEXT_MAX];
	size_t i;

	list = document_list(document, document_data(document), "pairs");
	for (i = 0; i < subject->report->run_count; i++) {
		result = run_at(subject, i);
		run_name(result, name, sizeof(name));
		if (sim && !(result->live && sim->variant == result->variant &&
			     same_echo(&sim->echo, &result->echo)))
			sim = NULL;
		if (!sim) {
			item = document_item(document, list);
			document_set(document, item, "name", METRIC_TEXT,
				     value_text(name));
			set_variant(subject, item, result, false);
		}
		add_to_pair(document, item, result);
		if (sim && result->live)
			document_set(document, item, "au.difference",
				     METRIC_REAL,
				     value_real(metric_get("au", result).real -
						metric_get("au", sim).real));
		sim = result->live ? NULL : result;
	}
}

/* Each variant as it was understood, and the AU of its runs. */
static void add_variants(struct subject *subject)
{
	struct document *document = subject->document;
	const struct report *report = subject->report;
	const struct report_variant *variant;
	char text[HOSTS_TEXT_MAX];
	struct node *list, *item, *au;
	size_t i, run;

	list = document_list(document, document_data(document), "variants");
	for (i = 0; i < report->variant_count; i++) {
		variant = &report->variants[i];
		item = document_item(document, list);
		document_set(document, item, "name", METRIC_TEXT,
			     value_text(variant->name));
		document_set(document, item, "changes", METRIC_TEXT,
			     value_text(variant->changes));
		document_set(document, item, "setting", METRIC_TEXT,
			     value_text(hosts_say(variant->scenario, text,
						  sizeof(text))));
		au = document_object(document, item, "au");
		for (run = 0; run < report->run_count; run++)
			if (run_at(subject, run)->variant == variant->name)
				document_set_member(
					document, au,
					node_text(node_item(subject->runs, run),
						  "label"),
					METRIC_REAL,
					metric_get("au", run_at(subject, run)));
		scenario_data(document,
			      document_object(document, item, "scenario"),
			      variant->scenario);
	}
}

/* How many requests were answered within a time: a point for each quantile. */
static const struct {
	const char *metric;
	double share;
} quantiles[] = {
	{ "storage.latency_s.p50", 0.5 },  { "storage.latency_s.p90", 0.9 },
	{ "storage.latency_s.p99", 0.99 }, { "storage.latency_s.p999", 0.999 },
	{ "storage.latency_s.max", 1 },
};

static void add_quantile(struct subject *subject, struct node *list, size_t run,
			 double share, struct metric_value time_s)
{
	struct document *document = subject->document;
	struct node *item;

	if (!time_s.known)
		return;
	item = document_item(document, list);
	document_set(
		document, item, "run", METRIC_TEXT,
		value_text(node_text(node_item(subject->runs, run), "name")));
	document_set(document, item, "latency_s", METRIC_REAL, time_s);
	document_set(document, item, "share", METRIC_REAL, value_real(share));
}

/* With its details a run has many more. */
static void add_latencies(struct subject *subject)
{
	static const double shares[] = { 0.01, 0.05, 0.1, 0.2,	0.3,  0.4,
					 0.6,  0.7,  0.8, 0.95, 0.98, 0.995 };
	const struct result *result;
	struct node *list = document_list(
		subject->document, document_data(subject->document), "latency");
	size_t run, i;

	for (run = 0; run < subject->report->run_count; run++) {
		result = run_at(subject, run);
		for (i = 0;
		     i < sizeof(shares) / sizeof(shares[0]) && result->detail;
		     i++)
			add_quantile(
				subject, list, run, shares[i],
				value_quantile_s(
					&result->figures.storage.latency_ns,
					shares[i]));
		for (i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
			add_quantile(subject, list, run, quantiles[i].share,
				     metric_get(quantiles[i].metric, result));
	}
}

void host_data(struct document *document, const struct host_fact *facts,
	       size_t count, const struct notes *notes)
{
	struct node *host =
		document_object(document, document_data(document), "host");
	struct node *list;
	size_t i;

	for (i = 0; i < count; i++)
		document_set(document, host, facts[i].name, facts[i].kind,
			     facts[i].value);
	list = document_list(document, host, "notes");
	for (i = 0; i < notes->count; i++)
		document_append(document, list, METRIC_TEXT,
				value_text(notes->text[i]));
}

static void add_remarks(struct subject *subject)
{
	struct document *document = subject->document;
	struct notes *notes = calloc(1, sizeof(*notes));
	size_t i;

	document_list(document, document_data(document), "notes");
	if (notes)
		report_notes(subject->report, notes);
	for (i = 0; notes && i < notes->count; i++)
		document_note(document, "notes", "%s", notes->text[i]);
	free(notes);
}

struct document *report_document(const struct report *report)
{
	struct subject subject = { .document = document_new(),
				   .report = report };
	struct document *document = subject.document;
	const char *name = report->scenario->name;
	char setting[HOSTS_TEXT_MAX];

	look_at(&subject);
	hosts_say(report->scenario, setting, sizeof(setting));
	if (subject.settings_differ)
		snprintf(setting, sizeof(setting),
			 "%zu variants, with settings of their own",
			 report->variant_count);
	document_name(document, name[0] ? name : "echosim",
		      document_text(document,
				    "%zu %s, %s · echosim " ECHOSIM_VERSION
				    " · %s",
				    report->run_count,
				    report->run_count == 1 ? "run" : "runs",
				    subject.both ? "simulated and live" :
				    run_at(&subject, 0)->live ? "live" :
								"simulated",
				    setting));
	scenario_data(document,
		      document_object(document, document_data(document),
				      "scenario"),
		      report->scenario);
	document_set(document, document_data(document), "setting", METRIC_TEXT,
		     value_text(setting));
	add_runs(&subject);
	if (subject.both)
		add_pairs(&subject);
	if (subject.varied)
		add_variants(&subject);
	add_latencies(&subject);
	add_remarks(&subject);
	host_data(document, report->host, report->host_count, report->notes);
	report_views(&subject);
	return document;
}
