/* SPDX-License-Identifier: MIT */
/*
 * echosim manual: the man page. Nothing in it is written for it alone but a
 * few paragraphs: the rest are the tables that the program itself runs on.
 */
#include <ctype.h>
#include <string.h>

#include "analysis/print/print.h"
#include "analysis/list.h"
#include "analysis/version.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/troff.h"
#include "cli/usage.h"
#include "storage/dataset/format.h"

#define TEXT_MAX 4096

/* Text that is put together. */
struct sentence {
	char text[TEXT_MAX];
	size_t length;
};

static void add(struct sentence *sentence, const char *text)
{
	size_t room = sizeof(sentence->text) - sentence->length - 1;
	size_t length = strnlen(text, room);

	memcpy(sentence->text + sentence->length, text, length);
	sentence->length += length;
	sentence->text[sentence->length] = '\0';
}

/* The prose, by heading. */
static const struct {
	const char *heading;
	const char *text;
} prose[] = {
	{ "SCENARIOS",
	  "A scenario is one YAML file. Units are part of every value (`64 "
	  "KiB`, `150 MB/s`, `8 ms`); an unknown key, a wrong unit or a value "
	  "out of range is an error with file, line and the nearest known key, "
	  "and nothing runs. `--set a.b=c` overrides any key, with the same "
	  "checks.\n"
	  "\n"
	  "A strategy of data echoing is PLACE:FACTOR: `batch:2` uses every "
	  "batch twice, `example-after-augment:1.5` every second augmented "
	  "example once more, `batch:when-starved:4` the last batch up to four "
	  "times, as long as the accelerator would otherwise idle. `none` is "
	  "no "
	  "echo.\n"
	  "\n"
	  "Options may be abbreviated as long as they stay unique. What is not "
	  "known is `-` in tables, null in JSON and empty in CSV, never zero. "
	  "Values in JSON and CSV are in SI base units: seconds, bytes, per "
	  "second." },
	{ "ENVIRONMENT",
	  "`NO_COLOR`, when set and not empty, turns colour off, as does "
	  "`TERM` "
	  "when it is dumb or not set; `--color` has the last word. `COLUMNS` "
	  "is the width of text on a terminal that does not tell its own; into "
	  "files and pipes it is 80 always." },
	{ "NOTES",
	  "Results go to standard output, everything else to standard error. A "
	  "file of `-o` is written beside its name and renamed when it is "
	  "whole. Equal simulations print equal bytes on every machine, but "
	  "for "
	  "what is under `host` in JSON.\n"
	  "\n"
	  "The first Ctrl-C ends a run in order: what was measured is written, "
	  "marked as incomplete. The second ends the program." },
};

static const char see_also[] =
	"`fio`(1), `zstd`(1), `mdb_stat`(1), `io_uring`(7)\n"
	"\n"
	"D. Choi, A. Passos, C. J. Shallue, G. E. Dahl, Faster Neural Network "
	"Training with Data Echoing, arXiv 1907.05550.";

static void write_text(FILE *out, const char *text)
{
	troff_text(out, text, strlen(text));
}

static void write_synopsis(FILE *out)
{
	struct usage usage;
	size_t i;

	troff_heading(out, "SH", "SYNOPSIS");
	for (i = 0; i < command_count; i++) {
		if (!commands[i].help)
			continue;
		usage_of(&usage, commands[i].argp);
		fprintf(out, "%s.B echosim %s\n%s%s%s\n", i ? ".br\n" : "",
			commands[i].name, "[\\fIOPTION\\fR...]",
			usage.arguments[0] ? " " : "", usage.arguments);
	}
}

static void write_option(FILE *out, const struct argp_option *option)
{
	char term[128], argument[128] = "";
	const char *equals = option->arg ? "=" : "";

	if (usage_has_letter(option))
		snprintf(term, sizeof(term), "-%c, --%s%s", option->key,
			 option->name, equals);
	else
		snprintf(term, sizeof(term), "--%s%s", option->name, equals);
	if (option->arg)
		snprintf(argument, sizeof(argument), "%s", option->arg);
	troff_option(out, term, argument, option->doc);
}

static void write_commands(FILE *out)
{
	struct usage usage;
	size_t i, k;

	troff_heading(out, "SH", "SUBCOMMANDS");
	for (i = 0; i < command_count; i++) {
		if (!commands[i].help)
			continue;
		usage_of(&usage, commands[i].argp);
		troff_heading(out, "SS", commands[i].name);
		troff_text(out, usage.about, usage.about_length);
		for (k = 0; k < usage.option_count; k++)
			write_option(out, usage.options[k]);
		fputs(".PP\n", out);
		write_text(out, usage.more);
	}
}

static void write_formats(FILE *out)
{
	const struct format *const *format;
	size_t i;

	troff_heading(out, "SH", "FORMATS");
	troff_heading(out, "SS", "Of results");
	for (i = 0; i < printer_count; i++)
		troff_entry(out, printer_table[i].name, printer_table[i].help);
	troff_heading(out, "SS", "Of datasets");
	for (format = formats; *format; format++)
		troff_entry(out, (*format)->name, (*format)->help);
}

/* A row: its name, then column by column what is known; the sentence about it
 * comes last. */
static void write_row(FILE *out, const struct grid *grid, size_t row)
{
	struct sentence facts = { 0 };
	char number[VALUE_TEXT_MAX], term[VALUE_TEXT_MAX + 96];
	const struct view_column *column;
	struct metric_value value;
	const char *text, *help = "";
	size_t i;

	snprintf(term, sizeof(term), "%s",
		 grid->cell(grid->context, row, 0).text);
	for (i = 1; i < grid->column_count; i++) {
		column = &grid->columns[i];
		value = grid->cell(grid->context, row, i);
		if (column->audience == SEEN_IN_CSV || !value.known)
			continue;
		text = value_human(column->kind, column->unit, value, number,
				   sizeof(number));
		if (!strcmp(column->path, "help"))
			help = text;
		if (!strcmp(column->path, "help") || !text[0])
			continue;
		add(&facts, facts.length ? "; " : "");
		add(&facts, column->path);
		add(&facts, " ");
		add(&facts, text);
	}
	if (help[0]) {
		add(&facts, facts.length ? ". " : "");
		add(&facts, help);
	}
	troff_entry(out, term, facts.text);
}

static void write_lists(FILE *out)
{
	char title[64];
	struct grid grid;
	size_t i, k;

	for (i = 0; i < list_count; i++) {
		snprintf(title, sizeof(title), "%s", list_table[i].name);
		for (k = 0; title[k]; k++)
			title[k] = (char)toupper((unsigned char)title[k]);
		troff_heading(out, "SH", title);
		fprintf(out, "What `echosim list %s` prints: %s.\n",
			list_table[i].name, list_table[i].help);
		grid = list_table[i].grid();
		for (k = 0; k < grid.row_count; k++)
			write_row(out, &grid, k);
	}
}

static void write_statuses(FILE *out)
{
	char number[16];
	size_t i;

	troff_heading(out, "SH", "EXIT STATUS");
	for (i = 0; i < exit_meaning_count; i++) {
		snprintf(number, sizeof(number), "%d", exit_meanings[i].status);
		troff_entry(out, number, exit_meanings[i].meaning);
	}
}

static void write_manual(FILE *out)
{
	struct usage usage;
	size_t i;

	usage_of(&usage, &echosim_argp);
	fputs(".\\\" made by `echosim manual`\n"
	      ".TH ECHOSIM 1 \"\" \"echosim " ECHOSIM_VERSION "\" "
	      "\"User Commands\"\n.nh\n.ad l\n",
	      out);
	troff_heading(out, "SH", "NAME");
	fputs("echosim \\- will storage starve accelerators, and what would "
	      "data echoing change?\n",
	      out);
	write_synopsis(out);
	troff_heading(out, "SH", "DESCRIPTION");
	troff_text(out, usage.about, usage.about_length);
	write_commands(out);
	for (i = 0; i < sizeof(prose) / sizeof(prose[0]); i++) {
		troff_heading(out, "SH", prose[i].heading);
		write_text(out, prose[i].text);
	}
	write_formats(out);
	write_lists(out);
	write_statuses(out);
	troff_heading(out, "SH", "SEE ALSO");
	write_text(out, see_also);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	options_refuse(state, "no arguments, not \"%s\"", argument);
}

static const char doc[] = "Print the man page: every subcommand with its "
			  "options, every table, every exit status."
			  "\v"
			  "Examples:\n"
			  "  echosim manual | man -l -\n"
			  "  echosim manual >echosim.1\n";

const struct argp manual_argp = {
	.parser = parse,
	.doc = doc,
};

int command_manual(int argc, char **argv)
{
	struct fault fault = { 0 };
	struct output output;
	int error;

	argp_parse(&manual_argp, argc, argv, 0, NULL, NULL);
	error = output_open(&output, NULL, &fault);
	if (error)
		return complain(error, &fault);
	write_manual(output.stream);
	error = output_commit(&output, &fault);
	return error ? complain(error, &fault) : STATUS_DONE;
}
