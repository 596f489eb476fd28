/* SPDX-License-Identifier: MIT */
/* echosim trace info: what a recording holds. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/document/document.h"
#include "analysis/report.h"
#include "analysis/version.h"
#include "cli/show.h"
#include "analysis/trace/table.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/trace/trace.h"
#include "traces/recording/scenario.h"

#define TEXT_MAX 256

struct info_options {
	struct trace_options trace; /* first: the children's input */
	bool scenario;
};

enum { KEY_SCENARIO = 600 };

static const struct argp_option info_options[] = {
	{ "scenario", KEY_SCENARIO, NULL, 0,
	  "Print the recorded scenario instead, as a scenario file", 0 },
	{ 0 },
};

static const struct argp_child children[] = {
	{ &output_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct info_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case KEY_SCENARIO:
		options->scenario = true;
		return 0;
	default:
		return trace_parse(key, argument, state);
	}
}

static const char doc[] =
	"Say what a recording holds: of which run, how many events from when "
	"to when, and whether it is whole. One that was cut short, by a crash "
	"or a full disk, is read up to its last whole frame."
	"\v"
	"Examples:\n"
	"  echosim trace info run.trace\n"
	"  echosim trace info run.trace --scenario\n";

const struct argp trace_info_argp = {
	.options = info_options,
	.parser = parse,
	.args_doc = "FILE",
	.doc = doc,
	.children = children,
};

/* What is counted on the way through. */
struct info {
	uint64_t counts[TRACE_KINDS];
	bool began;
	int64_t first_ns;
	int64_t last_ns;
	char name[TEXT_MAX];
	char echo[TEXT_MAX];
	char digest[24];
	char decisions[24];
};

static int count(struct recorded *recorded, struct info *info,
		 struct fault *fault)
{
	struct trace_event event;
	int got;

	while ((got = recording_next(recorded->recording, &event, fault)) > 0 &&
	       !interrupt_stop) {
		int64_t begin_ns = trace_event_begin_ns(&event);
		int64_t end_ns = trace_event_end_ns(&event);

		info->counts[event.kind]++;
		if (begin_ns != TIME_UNKNOWN &&
		    (!info->began || begin_ns < info->first_ns))
			info->first_ns = begin_ns;
		if (end_ns != TIME_UNKNOWN &&
		    (!info->began || end_ns > info->last_ns))
			info->last_ns = end_ns;
		info->began |= begin_ns != TIME_UNKNOWN;
	}
	return got < 0 ? got : 0;
}

static void add_text(struct document *document, const char *name,
		     const char *text)
{
	document_fact(document, name, METRIC_TEXT, "", value_text(text));
}

/* What a recording does not tell, or not as it should, stays empty. */
static void take_names(const struct recording_head *head, struct info *info)
{
	static struct scenario scenario;
	struct fault unread = { 0 };

	if (recording_scenario(head, "", NULL, 0, &scenario, &unread))
		return;
	snprintf(info->name, sizeof(info->name), "%s", scenario.name);
	if (!head->imported)
		strategy_name(&scenario.echoes[0], info->echo,
			      sizeof(info->echo));
}

static void add_head(const struct recorded *recorded, struct info *info,
		     struct document *document)
{
	const struct recording_head *head = recorded->head;

	take_names(head, info);
	snprintf(info->digest, sizeof(info->digest), "%016llx",
		 (unsigned long long)head->digest);
	add_text(document, "packing", byte_stream_packing(recorded->stream));
	document_fact(document, "version", METRIC_COUNT, "",
		      value_count(head->version));
	add_text(document, "mode",
		 head->native ? "live, native" :
		 head->live   ? "live" :
				"sim");
	document_fact(document, "buffered", METRIC_BOOL, "",
		      value_bool(head->buffered));
	document_fact(document, "excerpt", METRIC_BOOL, "",
		      value_bool(head->excerpt));
	add_text(document, "name", info->name[0] ? info->name : NULL);
	add_text(document, "echo", info->echo[0] ? info->echo : NULL);
	add_text(document, "scenario_digest", info->digest);
}

static void add_counts(const struct recorded *recorded, struct info *info,
		       struct document *document)
{
	const struct recording_end *end = recording_end(recorded->recording);
	static const char *const names[TRACE_KINDS] = { "requests", "work",
							"batches", "steps",
							"carried" };

	document_fact(document, "events", METRIC_COUNT, "",
		      value_count(recording_events(recorded->recording)));
	for (int i = 0; i < TRACE_KINDS; i++)
		document_fact(document, names[i], METRIC_COUNT, "",
			      value_count(info->counts[i]));
	document_fact(document, "from_s", METRIC_REAL, "s",
		      info->began ? value_real((double)info->first_ns / 1e9) :
				    value_unknown());
	document_fact(document, "to_s", METRIC_REAL, "s",
		      info->began ? value_real((double)info->last_ns / 1e9) :
				    value_unknown());
	document_fact(document, "whole", METRIC_BOOL, "", value_bool(end));
	document_fact(document, "run_s", METRIC_REAL, "s",
		      end ? value_real((double)end->run_ns / 1e9) :
			    value_unknown());
	document_fact(document, "run_complete", METRIC_BOOL, "",
		      end ? value_bool(end->complete) : value_unknown());
	/* A foreign trace tells of no decisions. */
	if (end && end->decisions)
		snprintf(info->decisions, sizeof(info->decisions), "%016llx",
			 (unsigned long long)end->decisions);
	add_text(document, "decisions_digest",
		 info->decisions[0] ? info->decisions : NULL);
}

static int write_scenario(const struct info_options *options,
			  const struct recorded *recorded, struct fault *fault)
{
	return output_text(options->trace.common.output_path,
			   recorded->head->text, recorded->head->text_bytes,
			   fault);
}

static int show_info(const struct info_options *options,
		     struct recorded *recorded, struct fault *fault)
{
	struct document *document = document_new();
	struct info info = { 0 };
	int error;

	document_name(document, "Recording", "echosim " ECHOSIM_VERSION);
	add_head(recorded, &info, document);
	error = count(recorded, &info, fault);
	if (error) {
		document_free(document);
		return error;
	}
	add_counts(recorded, &info, document);
	return show(&options->trace.common, document, fault);
}

int trace_info(int argc, char **argv)
{
	static struct info_options options;
	struct fault fault = { 0 };
	struct recorded recorded;
	int error;

	trace_options_init(&options.trace);
	argp_parse(&trace_info_argp, argc, argv, 0, NULL, &options);
	interrupt_catch();
	error = output_spares(options.trace.common.output_path,
			      options.trace.path, &fault);
	if (!error)
		error = recorded_open(&recorded, options.trace.path, &fault);
	if (error)
		return complain(error, &fault);
	error = options.scenario ? write_scenario(&options, &recorded, &fault) :
				   show_info(&options, &recorded, &fault);
	recorded_close(&recorded);
	if (error)
		return complain(error, &fault);
	return interrupt_stop ? STATUS_INTERRUPTED : STATUS_DONE;
}
