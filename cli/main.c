/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analysis/version.h"
#include "cli/command.h"
#include "cli/help_filter.h"
#include "sim/check.h"
#include "sim/printable.h"
#include "traces/nearest.h"

/* Room for the longest path and what is said of it. */
#define LINE_MAX_BYTES 8192
/* Of the main thread; it takes a quarter of this. */
#define STACK_BYTES (1u << 20)

const struct command commands[] = {
	{ "compare", "every echo strategy of a scenario side by side",
	  command_compare, &compare_argp },
	{ "sim", "one strategy, modelled, in virtual time", command_sim,
	  &sim_argp },
	{ "run", "one strategy against real storage", command_run, &run_argp },
	{ "sweep", "a grid over scenario keys, and where more stops paying",
	  command_sweep, &sweep_argp },
	{ "plan", "the least change that meets a goal, and what it costs",
	  command_plan, &plan_argp },
	{ "pack", "make a dataset from files or from nothing", command_pack,
	  &pack_argp },
	{ "verify", "read a dataset back and check it", command_verify,
	  &verify_argp },
	{ "probe", "a device profile from measuring real storage",
	  command_probe, &probe_argp },
	{ "learn", "what a repeat is worth, measured by training",
	  command_learn, &learn_argp },
	{ "import-workload", "a scenario from a DLIO or MLPerf Storage file",
	  command_import_workload, &import_workload_argp },
	{ "trace", "recordings: look, fit, import, export", command_trace,
	  &trace_argp },
	{ "report", "a result as a page to look at", command_report,
	  &report_argp },
	{ "list", "tables: devices, workloads, loaders, laws, fields, metrics",
	  command_list, &list_argp },
	{ "manual", "the man page", command_manual, &manual_argp },
	{ "complete", NULL, command_complete, &complete_argp },
};

const size_t command_count = sizeof(commands) / sizeof(commands[0]);

const struct exit_meaning exit_meanings[] = {
	{ STATUS_DONE, "done" },
	{ STATUS_MISSED, "a goal of --require was missed" },
	{ STATUS_PERSON, "a mistake in the command or the scenario" },
	{ STATUS_WORLD, "trouble with storage, memory or permissions" },
	{ STATUS_INTERRUPTED, "interrupted" },
};

const size_t exit_meaning_count =
	sizeof(exit_meanings) / sizeof(exit_meanings[0]);

_Noreturn void sim_panic(const char *claim, const char *file, int line)
{
	fprintf(stderr,
		"echosim: %s:%d: CHECK(%s) is false; this is a defect of "
		"echosim, please report it\n",
		file, line, claim);
	abort();
}

/* One line, whatever names are in it. */
static void write_line(FILE *out, const char *who, const char *format,
		       va_list arguments)
{
	char line[LINE_MAX_BYTES];

	vsnprintf(line, sizeof(line), format, arguments);
	printable(line);
	fprintf(out, "%s%s%s\n", who, *who ? ": " : "", line);
}

void say_words(const char *who, const char *format, va_list arguments)
{
	write_line(stderr, who, format, arguments);
}

void say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_words("echosim", format, arguments);
	va_end(arguments);
}

void say_product(FILE *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	write_line(out, "", format, arguments);
	va_end(arguments);
}

int complain(int error, const struct fault *fault)
{
	const char *text = fault->text;

	if (!text[0])
		text = strerror(-error);
	if (fault->file && fault->line)
		say("%s:%d: %s", fault->file, fault->line, text);
	else if (fault->file)
		say("%s: %s", fault->file, text);
	else
		say("%s", text);
	switch (-error) {
	case EINVAL:
	case ERANGE:
	case ENOENT:
	case ENOTDIR:
	case EISDIR:
	case EEXIST:
	case ENAMETOOLONG:
	case ELOOP:
		return STATUS_PERSON;
	case EINTR:
		return STATUS_INTERRUPTED;
	default:
		return STATUS_WORLD;
	}
}

struct front {
	int argc; /* of the subcommand, its name first */
	char **argv;
};

/* Everything from the first word on belongs to the subcommand. */
static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct front *front = state->input;

	(void)argument;
	switch (key) {
	case ARGP_KEY_ARG:
		front->argc = state->argc - state->next + 1;
		front->argv = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void write_help(FILE *out, const char *text)
{
	size_t i;

	fputs("Subcommands:\n", out);
	for (i = 0; i < command_count; i++)
		if (commands[i].help)
			fprintf(out, "  %-16s%s\n", commands[i].name,
				commands[i].help);
	fprintf(out, "\n%s\nExit status: ", text);
	for (i = 0; i < exit_meaning_count; i++)
		fprintf(out, "%s%d %s", i ? "; " : "", exit_meanings[i].status,
			exit_meanings[i].meaning);
	fputc('.', out);
}

static char *filter(int key, const char *text, void *input)
{
	(void)input;
	return help_filter(key, text, write_help);
}

static const char doc[] =
	"Will accelerators idle on this storage, and what would data echoing "
	"change? Simulates an input pipeline in virtual time, or runs it "
	"against real storage."
	"\v"
	"Examples:\n"
	"  cp traces/examples/quickstart.yaml train.yaml\n"
	"  echosim compare train.yaml\n"
	"  echosim sim train.yaml --echo batch:2\n"
	"  echosim pack photos -o mine\n"
	"  echosim list fields\n"
	"\n"
	"`echosim SUBCOMMAND --help` says more, `echosim manual | man -l -` "
	"all of it.";

const struct argp echosim_argp = {
	.parser = parse,
	.args_doc = "SUBCOMMAND [ARGUMENT...]",
	.doc = doc,
	.help_filter = filter,
};

const struct command *command_find(const char *name)
{
	size_t i;

	for (i = 0; i < command_count; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	struct nearest nearest = nearest_to(name);
	const char *best = NULL;
	size_t i;

	for (i = 0; i < command_count; i++)
		if (commands[i].help && nearest_take(&nearest, commands[i].name,
						     strlen(commands[i].name)))
			best = commands[i].name;
	if (best)
		say("unknown subcommand \"%s\"; did you mean \"%s\"?", name,
		    best);
	else
		say("unknown subcommand \"%s\"; `echosim --help` lists them",
		    name);
	return STATUS_PERSON;
}

/* A standard stream that the caller closed would become the next file that is
 * opened, and messages would be written into a dataset. Held open for reading
 * alone: writing to it is refused as before. */
static void hold_streams(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* A file that would grow too large is an error of the write, not the end. */
static void refuse_large_files(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigemptyset(&ignore.sa_mask);
	sigaction(SIGXFSZ, &ignore, NULL);
}

/* The stack grows as far as the limit is when it does. True: there is room, or
 * now there is. */
static bool make_stack_room(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit))
		return true;
	if (limit.rlim_cur >= STACK_BYTES)
		return true;
	limit.rlim_cur = STACK_BYTES;
	if (limit.rlim_max < STACK_BYTES)
		limit.rlim_max = STACK_BYTES;
	return !setrlimit(RLIMIT_STACK, &limit);
}

/* What the C library prints itself, help and version, is a product too. */
static void check_stdout(int status, void *unused)
{
	(void)unused;
	errno = 0;
	if (status != STATUS_DONE || (!fflush(stdout) && !ferror(stdout)))
		return;
	say("stdout: cannot write: %s", strerror(errno ? errno : EIO));
	_exit(STATUS_WORLD);
}

int main(int argc, char **argv)
{
	const struct command *command;
	struct front front = { 0 };
	char name[64];

	hold_streams();
	refuse_large_files();
	on_exit(check_stdout, NULL);
	if (!make_stack_room()) {
		say("the limit of the stack is too low; at least %u KiB are "
		    "needed (ulimit -s)",
		    STACK_BYTES >> 10);
		return STATUS_WORLD;
	}
	argp_err_exit_status = STATUS_PERSON;
	argp_program_version = "echosim " ECHOSIM_VERSION;
	argv[0] = (char *)"echosim";
	argp_parse(&echosim_argp, argc, argv, ARGP_IN_ORDER, NULL, &front);
	if (!front.argc) {
		say("SUBCOMMAND is missing; `echosim --help` lists them");
		return STATUS_PERSON;
	}
	command = command_find(front.argv[0]);
	if (!command)
		return unknown_command(front.argv[0]);
	snprintf(name, sizeof(name), "echosim %s", command->name);
	front.argv[0] = name;
	return command->run(front.argc, front.argv);
}
