/* SPDX-License-Identifier: MIT */
#include "analysis/law/head.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *law_shown(const char *text, char *copy)
{
	size_t i;

	for (i = 0; text[i] && i < LAW_SHOWN_MAX - 1; i++)
		copy[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
	copy[i] = '\0';
	return copy;
}

char *law_trim(char *text)
{
	size_t length;

	while (*text == ' ' || *text == '\t')
		text++;
	length = strlen(text);
	while (length && strchr(" \t\r", text[length - 1]))
		text[--length] = '\0';
	return text;
}

static const struct {
	const char *name;
	size_t offset;
} model_parameters[] = {
	{ "batch_half", offsetof(struct law_model, batch_half) },
	{ "lag_half", offsetof(struct law_model, lag_half) },
	{ "value_max", offsetof(struct law_model, value_max) },
	{ "value_max_after", offsetof(struct law_model, value_max_after) },
	{ "power", offsetof(struct law_model, power) },
	{ "power_batch", offsetof(struct law_model, power_batch) },
	{ "reuse_limit", offsetof(struct law_model, reuse_limit) },
};

static int read_parameter(struct law *law, const struct law_line *at,
			  const char *text)
{
	size_t count = sizeof(model_parameters) / sizeof(model_parameters[0]);
	const char *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : 0;
	char copy[LAW_SHOWN_MAX], *end;
	double value;
	size_t i;

	for (i = 0; equals && i < count; i++) {
		if (strlen(model_parameters[i].name) != length ||
		    strncmp(text, model_parameters[i].name, length) != 0)
			continue;
		value = strtod(equals + 1, &end);
		if (end == equals + 1 || *end || !(value >= 0 && value < 1e12))
			break;
		memcpy((char *)&law->model + model_parameters[i].offset, &value,
		       sizeof(value));
		return 0;
	}
	law_refuse(at,
		   "model: found \"%s\"; expected one of batch_half, lag_half, "
		   "value_max, value_max_after, power, power_batch, "
		   "reuse_limit and a number such as power=1.5",
		   law_shown(text, copy));
	return -EINVAL;
}

static int read_model(struct law *law, const struct law_line *at, char *text)
{
	char *word, *rest = text;
	int error = 0;

	snprintf(law->parameters, sizeof(law->parameters), "%s", text);
	while (!error && (word = strsep(&rest, " ")) != NULL)
		if (*word)
			error = read_parameter(law, at, word);
	return error;
}

static int read_kind(struct law *law, const struct law_line *at,
		     const char *text)
{
	static const char *const names[] = { "published", "envelope", "user",
					     "measured", NULL };
	char copy[LAW_SHOWN_MAX];
	int i;

	for (i = 0; names[i]; i++) {
		if (strcmp(names[i], text) != 0)
			continue;
		law->kind = (enum law_kind)i;
		return 0;
	}
	law_refuse(at,
		   "kind: found \"%s\"; expected published, envelope, user or "
		   "measured",
		   law_shown(text, copy));
	return -EINVAL;
}

int law_read_head(struct law *law, const struct law_line *at, char *text)
{
	char *value = strchr(text, ':');

	if (!value)
		return 0;
	*value++ = '\0';
	text = law_trim(text);
	value = law_trim(value);
	if (!strcmp(text, "name"))
		snprintf(law->name, sizeof(law->name), "%s", value);
	else if (!strcmp(text, "source"))
		snprintf(law->source, sizeof(law->source), "%s", value);
	else if (!strcmp(text, "conditions"))
		snprintf(law->conditions, sizeof(law->conditions), "%s", value);
	else if (!strcmp(text, "augmentation"))
		law->plain = !strcmp(value, "none");
	else if (!strcmp(text, "kind"))
		return read_kind(law, at, value);
	else if (!strcmp(text, "model"))
		return read_model(law, at, value);
	return 0;
}
