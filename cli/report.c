/* SPDX-License-Identifier: MIT */
/* echosim report: a result that was written as JSON, as a page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/document/document.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/show.h"
#include "traces/text_file.h"

struct report_options {
	const char *result_path;
	const char *output_path;
};

static const struct argp_option option_list[] = {
	{ "output", 'o', "FILE", 0, "Write to FILE instead of stdout", 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct report_options *options = state->input;

	switch (key) {
	case 'o':
		options->output_path = argument;
		return 0;
	case ARGP_KEY_ARG:
		if (options->result_path)
			options_refuse(state, "one RESULT, not \"%s\" too",
				       argument);
		options->result_path = argument;
		return 0;
	case ARGP_KEY_NO_ARGS:
		options_refuse(state, "RESULT is missing: the path of a file "
				      "that --format json wrote");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char doc[] =
	"Make a page of a result: one HTML file that needs nothing else and "
	"fetches nothing, to look at, print and pass on."
	"\v"
	"A result with --detail also has the timeline and the levels of "
	"queues.\n"
	"\n"
	"Examples:\n"
	"  echosim compare train.yaml --detail --format json -o result.json\n"
	"  echosim report result.json -o page.html\n";

const struct argp report_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "RESULT",
	.doc = doc,
};

/* The document of a file that --format json wrote. */
static int read_document(struct document **document, const char *path,
			 struct fault *fault)
{
	char *text;
	size_t size;
	int error = text_file_read_most(path, DOCUMENT_BYTES_MAX, &text, &size);

	fault->file = path;
	if (error) {
		fault_set(fault, path, 0, "cannot read: %s", strerror(-error));
		return error;
	}
	if (size > DOCUMENT_BYTES_MAX) {
		fault_set(fault, path, 0,
			  "larger than %zu MiB; expected the result of a run",
			  DOCUMENT_BYTES_MAX >> 20);
		error = -EINVAL;
	} else {
		error = document_parse(document, text, size, fault);
	}
	free(text);
	return error;
}

int command_report(int argc, char **argv)
{
	struct report_options options = { 0 };
	struct options page = { .printer = printer_find("html") };
	struct document *document;
	struct fault fault = { 0 };
	int error;

	argp_parse(&report_argp, argc, argv, 0, NULL, &options);
	page.output_path = options.output_path;
	error = output_spares(options.output_path, options.result_path, &fault);
	if (!error)
		error = read_document(&document, options.result_path, &fault);
	if (!error)
		error = show(&page, document, &fault);
	return error ? complain(error, &fault) : STATUS_DONE;
}
