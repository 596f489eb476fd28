/* SPDX-License-Identifier: MIT */
/* echosim trace verify: is a recording whole and in order? */
#include <errno.h>
#include <stdio.h>

#include "analysis/trace/check.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/trace/trace.h"

static const char doc[] =
	"Read a whole recording and check the checksum of every frame, every "
	"record, the order of events, and the counts at the end. Exit with 3 "
	"when it is damaged or cut short."
	"\v"
	"Examples:\n"
	"  echosim trace verify run.trace\n";

const struct argp trace_verify_argp = {
	.parser = trace_parse,
	.args_doc = "FILE",
	.doc = doc,
};

static int check(struct recorded *recorded, const char *path,
		 struct fault *fault)
{
	struct trace_check state = { 0 };
	struct trace_event event;
	int got = 1;

	while (got > 0 && !interrupt_stop) {
		got = recording_next(recorded->recording, &event, fault);
		if (got > 0 && !trace_check_add(&state, &event)) {
			fault_set(fault, path, 0, "is damaged: record %llu: %s",
				  (unsigned long long)recording_events(
					  recorded->recording) -
					  1,
				  state.wrong);
			return -EBADMSG;
		}
	}
	if (got < 0 || interrupt_stop)
		return got < 0 ? got : -EINTR;
	return trace_check_end(&state, recording_end(recorded->recording), path,
			       fault);
}

static int say_whole(const struct recorded *recorded, const char *path,
		     struct fault *fault)
{
	struct output output;
	int error = output_open(&output, NULL, fault);

	if (error)
		return error;
	say_product(output.stream, "%s: whole, %llu events", path,
		    (unsigned long long)recording_events(recorded->recording));
	return output_commit(&output, fault);
}

int trace_verify(int argc, char **argv)
{
	static struct trace_options options;
	struct fault fault = { 0 };
	struct recorded recorded;
	int error;

	trace_options_init(&options);
	argp_parse(&trace_verify_argp, argc, argv, 0, NULL, &options);
	interrupt_catch();
	error = recorded_open(&recorded, options.path, &fault);
	if (error)
		return complain(error, &fault);
	error = check(&recorded, options.path, &fault);
	if (!error)
		error = say_whole(&recorded, options.path, &fault);
	recorded_close(&recorded);
	return error ? complain(error, &fault) : STATUS_DONE;
}
