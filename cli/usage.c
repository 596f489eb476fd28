/* SPDX-License-Identifier: MIT */
#include "cli/usage.h"

#include <string.h>

#include "sim/check.h"

/* By name, wherever it was declared. */
static void insert(struct usage *usage, const struct argp_option *option)
{
	size_t at = usage->option_count++;

	CHECK(at < USAGE_OPTIONS_MAX);
	for (; at && strcmp(usage->options[at - 1]->name, option->name) > 0;
	     at--)
		usage->options[at] = usage->options[at - 1];
	usage->options[at] = option;
}

static void collect(struct usage *usage, const struct argp *argp)
{
	const struct argp_option *option = argp->options;
	const struct argp_child *child = argp->children;

	for (; option && (option->name || option->key); option++)
		if (option->name && !(option->flags & OPTION_HIDDEN))
			insert(usage, option);
	for (; child && child->argp; child++)
		collect(usage, child->argp);
}

void usage_of(struct usage *usage, const struct argp *argp)
{
	const char *doc = argp->doc ? argp->doc : "";
	size_t length = strcspn(doc, "\v");

	*usage = (struct usage){
		.arguments = argp->args_doc ? argp->args_doc : "",
		.about = doc,
		.about_length = length,
		.more = doc + length + (doc[length] == '\v'),
	};
	collect(usage, argp);
}

bool usage_has_letter(const struct argp_option *option)
{
	return option->key > ' ' && option->key < 127;
}

const struct argp_option *usage_find(const struct usage *usage,
				     const char *word)
{
	const struct argp_option *option;
	size_t length, i;

	for (i = 0; i < usage->option_count; i++) {
		option = usage->options[i];
		if (word[0] == '-' && usage_has_letter(option) &&
		    word[1] == option->key && !word[2])
			return option;
		length = strlen(option->name);
		if (!strncmp(word, "--", 2) &&
		    !strncmp(word + 2, option->name, length) &&
		    (word[2 + length] == '=' || !word[2 + length]))
			return option;
	}
	return NULL;
}
