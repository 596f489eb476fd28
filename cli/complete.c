/* SPDX-License-Identifier: MIT */
/*
 * echosim complete: what a word of a command line could become, for the
 * scripts in completions/. The line is given word by word, the unfinished one
 * last. One answer a line: a word and, behind a tab, what it means; ":files"
 * and ":folders" stand for names in the file system. A word that ends in "="
 * or ":" goes on.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/print.h"
#include "analysis/list.h"
#include "analysis/metric.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "storage/dataset/format.h"
#include "traces/field.h"

struct line {
	FILE *out;
	char **words; /* before the unfinished one */
	size_t word_count;
	const char *word;  /* the unfinished one */
	const char *start; /* of what is sought, behind "--format=" in it */
};

static void offer(const struct line *line, const char *word, const char *tail,
		  const char *help)
{
	const char *start = line->start;
	size_t length = strlen(word);

	if (strncmp(word, start, strnlen(start, length)) ||
	    (strlen(start) > length &&
	     strncmp(start + length, tail, strlen(start) - length)))
		return;
	fprintf(line->out, "%.*s%s%s%s%s\n", (int)(line->start - line->word),
		line->word, word, tail, help[0] ? "\t" : "", help);
}

/* What a list of the catalogues names. */
static void offer_rows(const struct line *line, const char *list)
{
	struct grid grid;
	size_t i, row;

	for (i = 0; i < list_count; i++) {
		if (strcmp(list_table[i].name, list) != 0)
			continue;
		grid = list_table[i].grid();
		for (row = 0; row < grid.row_count; row++)
			offer(line, grid.cell(grid.context, row, 0).text, "",
			      "");
	}
}

static void offer_value(const struct line *line, const struct field *field)
{
	size_t i;

	if (field->kind == FIELD_BOOL) {
		offer(line, "true", "", "");
		offer(line, "false", "", "");
	}
	if (field->kind == FIELD_ENUM)
		for (i = 0; field->names[i]; i++)
			offer(line, field->names[i], "", "");
	if (!strcmp(field->key, "storage.device"))
		offer_rows(line, "devices");
	if (!strcmp(field->key, "pipeline.loader.like"))
		offer_rows(line, "loaders");
	if (!strcmp(field->key, "training.law"))
		offer_rows(line, "laws");
}

/* KEY=VALUE */
static void offer_assignment(const struct line *line)
{
	const char *equals = strchr(line->start, '=');
	char key[FIELD_KEY_MAX];
	const struct field *field;
	struct line value = *line;
	size_t i;

	if (!equals) {
		for (i = 0; i < field_count; i++)
			if (!field_is_listed(&field_table[i]))
				offer(line, field_table[i].key, "=",
				      field_table[i].help);
		return;
	}
	snprintf(key, sizeof(key), "%.*s", (int)(equals - line->start),
		 line->start);
	field = field_find(key);
	value.start = equals + 1;
	if (field)
		offer_value(&value, field);
}

/* PLACE:FACTOR */
static void offer_echoes(const struct line *line)
{
	const struct field *field = field_find("echo[].place");
	size_t i;

	for (i = 0; field->names[i]; i++)
		offer(line, field->names[i],
		      strcmp(field->names[i], "none") ? ":" : "", "");
}

static void offer_tables(const struct line *line)
{
	size_t i;

	for (i = 0; i < list_count; i++)
		offer(line, list_table[i].name, "", list_table[i].help);
}

static void offer_formats(const struct line *line)
{
	size_t i;

	for (i = 0; i < printer_count; i++)
		offer(line, printer_table[i].name, "", printer_table[i].help);
}

static void offer_layouts(const struct line *line)
{
	const struct format *const *format;

	for (format = formats; *format; format++)
		offer(line, (*format)->name, "", (*format)->help);
}

static void offer_metrics(const struct line *line)
{
	size_t i;

	for (i = 0; i < metric_count; i++)
		if (metric_table[i].kind != METRIC_PART)
			offer(line, metric_table[i].name, "",
			      metric_table[i].help);
}

static void offer_workloads(const struct line *line)
{
	offer_rows(line, "workloads");
}

static void offer_loaders(const struct line *line)
{
	offer_rows(line, "loaders");
}

static void offer_files(const struct line *line)
{
	fprintf(line->out, ":files\n");
}

static void offer_folders(const struct line *line)
{
	fprintf(line->out, ":folders\n");
}

/* What stands for an argument in --help says what it may be. */
static const struct {
	const char *name;
	void (*offer)(const struct line *line);
} arguments[] = {
	{ "DIR", offer_folders },	  { "FILE", offer_files },
	{ "FORMAT", offer_formats },	  { "KEY=", offer_assignment },
	{ "LAYOUT", offer_layouts },	  { "LOADER", offer_loaders },
	{ "METRIC", offer_metrics },	  { "PATH", offer_files },
	{ "PLACE:FACTOR", offer_echoes }, { "RESULT", offer_files },
	{ "SCENARIO", offer_files },	  { "SOURCE", offer_files },
	{ "TABLE", offer_tables },	  { "WORKLOAD", offer_workloads },
};

/* "auto|always|never" */
static void offer_alternatives(const struct line *line, const char *words)
{
	char word[64];
	size_t length;

	for (; *words; words += length + (words[length] == '|')) {
		length = strcspn(words, "|");
		snprintf(word, sizeof(word), "%.*s", (int)length, words);
		offer(line, word, "", "");
	}
}

static void offer_argument(const struct line *line, const char *name)
{
	size_t i;

	if (islower((unsigned char)name[0]) && strchr(name, '|') &&
	    !strpbrk(name, " =[")) {
		offer_alternatives(line, name);
		return;
	}
	for (i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
		if (!strncmp(name, arguments[i].name,
			     strlen(arguments[i].name)))
			arguments[i].offer(line);
}

static void offer_options(const struct line *line, const struct usage *usage)
{
	const struct argp_option *option;
	char word[64];
	size_t i;

	for (i = 0; i < usage->option_count; i++) {
		option = usage->options[i];
		snprintf(word, sizeof(word), "--%s", option->name);
		offer(line, word, option->arg ? "=" : "", option->doc);
	}
	offer(line, "--help", "", "Give this help list");
}

static void offer_commands(const struct line *line)
{
	size_t i;

	for (i = 0; i < command_count; i++)
		if (commands[i].help)
			offer(line, commands[i].name, "", commands[i].help);
	if (line->start[0] == '-') {
		offer(line, "--help", "", "Give this help list");
		offer(line, "--version", "", "Print program version");
	}
}

/* The option whose argument comes next: "--format" or "-o", but not
 * "--format=json". */
static const struct argp_option *pending(const struct usage *usage,
					 const char *word)
{
	const struct argp_option *option = usage_find(usage, word);

	return option && option->arg && !strchr(word, '=') ? option : NULL;
}

static void complete_command(struct line *line, const struct usage *usage)
{
	const struct argp_option *option = NULL;
	const char *equals = strchr(line->start, '=');

	if (line->word_count > 1)
		option = pending(usage, line->words[line->word_count - 1]);
	if (!option && equals && !strncmp(line->start, "--", 2)) {
		option = usage_find(usage, line->start);
		line->start = equals + 1;
		if (!option || !option->arg)
			return;
	}
	if (option)
		offer_argument(line, option->arg);
	else if (line->start[0] == '-')
		offer_options(line, usage);
	else
		offer_argument(line, usage->arguments);
}

static void complete(struct line *line)
{
	const struct command *command;
	struct usage usage;

	if (!line->word_count) {
		offer_commands(line);
		return;
	}
	command = command_find(line->words[0]);
	if (!command)
		return;
	usage_of(&usage, command->argp);
	complete_command(line, &usage);
}

const struct argp complete_argp = {
	.args_doc = "WORD...",
	.doc = "Print what the last WORD of a command line could become.",
};

/* Its arguments are another command's, whatever they look like. */
int command_complete(int argc, char **argv)
{
	struct fault fault = { 0 };
	struct output output;
	struct line line;
	int error;

	error = output_open(&output, NULL, &fault);
	if (error)
		return complain(error, &fault);
	line = (struct line){
		.out = output.stream,
		.words = argv + 1,
		.word_count = argc > 2 ? (size_t)argc - 2 : 0,
		.word = argc > 1 ? argv[argc - 1] : "",
	};
	line.start = line.word;
	complete(&line);
	error = output_commit(&output, &fault);
	return error ? complain(error, &fault) : STATUS_DONE;
}
