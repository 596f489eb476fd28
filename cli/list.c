/* SPDX-License-Identifier: MIT */
/* echosim list: the tables that everything is a loop over. */
#include <stdio.h>
#include <string.h>

#include "analysis/list.h"
#include "cli/command.h"
#include "cli/help_filter.h"
#include "cli/options.h"
#include "cli/show.h"
#include "traces/nearest.h"

struct list_options {
	struct options common; /* first: the children's input */
	const struct list *list;
};

static const struct list *find(const char *name, struct argp_state *state)
{
	struct nearest nearest = nearest_to(name);
	const struct list *best = NULL;
	size_t i;

	for (i = 0; i < list_count; i++) {
		if (!strcmp(list_table[i].name, name))
			return &list_table[i];
		if (nearest_take(&nearest, list_table[i].name,
				 strlen(list_table[i].name)))
			best = &list_table[i];
	}
	if (best)
		options_refuse(state, "no table \"%s\"; did you mean \"%s\"?",
			       name, best->name);
	options_refuse(state,
		       "no table \"%s\"; `echosim list --help` names them",
		       name);
}

static const struct argp_child children[] = {
	{ &output_argp, 0, NULL, 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct list_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, children);
		return 0;
	case ARGP_KEY_ARG:
		if (options->list)
			options_refuse(state, "one table, not \"%s\" too",
				       argument);
		options->list = find(argument, state);
		return 0;
	case ARGP_KEY_NO_ARGS:
		options_refuse(state, "TABLE is missing; `echosim list --help` "
				      "names them");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void write_help(FILE *out, const char *text)
{
	size_t i;

	fputs("Tables:\n", out);
	for (i = 0; i < list_count; i++)
		fprintf(out, "  %-10s %s\n", list_table[i].name,
			list_table[i].help);
	fprintf(out, "\n%s", text);
}

static char *filter(int key, const char *text, void *input)
{
	(void)input;
	return help_filter(key, text, write_help);
}

static const char doc[] =
	"Print a table that the program runs on, with sources, kinds, defaults "
	"and ranges."
	"\v"
	"Examples:\n"
	"  echosim list devices\n"
	"  echosim list fields\n"
	"  echosim list metrics --format json\n";

const struct argp list_argp = {
	.parser = parse,
	.args_doc = "TABLE",
	.doc = doc,
	.children = children,
	.help_filter = filter,
};

int command_list(int argc, char **argv)
{
	static struct list_options options;
	struct fault fault = { 0 };
	struct grid grid;
	int error;

	options_init(&options.common);
	argp_parse(&list_argp, argc, argv, 0, NULL, &options);
	grid = options.list->grid();
	error = show(&options.common, grid_document(&grid), &fault);
	return error ? complain(error, &fault) : STATUS_DONE;
}
