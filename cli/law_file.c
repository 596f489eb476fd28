/* SPDX-License-Identifier: MIT */
#include "cli/law_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/text_file.h"

static bool is_path(const char *law)
{
	size_t length = strlen(law);

	return strchr(law, '/') ||
	       (length > 4 && !strcmp(law + length - 4, ".csv"));
}

static int parse_text(const char *path, const char *text, size_t size,
		      struct law **own, struct fault *fault)
{
	struct law *law;
	int error;

	if (size > LAW_FILE_BYTES_MAX) {
		fault_set(fault, path, 0,
			  "longer than %u bytes; expected a "
			  "law file",
			  LAW_FILE_BYTES_MAX);
		return -EINVAL;
	}
	law = malloc(sizeof(*law));
	if (!law)
		return -ENOMEM;
	error = law_parse(law, path, text, size, fault);
	if (error)
		free(law);
	else
		*own = law;
	return error;
}

static int open_file(const char *path, struct law **own, struct fault *fault)
{
	char *text;
	size_t size = 0;
	int error = text_file_read_most(path, LAW_FILE_BYTES_MAX, &text, &size);

	if (error)
		fault_set(fault, path, 0, "cannot be read: %s",
			  strerror(-error));
	else
		error = parse_text(path, text, size, own, fault);
	free(text);
	return error;
}

const char *law_file_path(const struct scenario *scenario)
{
	if (scenario->law_file[0])
		return scenario->law_file;
	return is_path(scenario->law) ? scenario->law : NULL;
}

int law_file_open(const struct scenario *scenario, const char *path,
		  const struct law **law, struct law **own, struct fault *fault)
{
	const char *file = law_file_path(scenario);
	const char *near;
	int error;

	*law = *own = NULL;
	if (file) {
		error = open_file(file, own, fault);
		*law = *own;
		return error;
	}
	if (!scenario->law[0])
		return 0;
	*law = law_find(scenario->law);
	if (*law)
		return 0;
	near = law_nearest(scenario->law);
	fault_set(fault, path, 0, "training.law: unknown law \"%s\"%s%s%s",
		  scenario->law, near ? "; did you mean \"" : "",
		  near ? near :
			 "; `echosim list laws` shows them, a path of "
			 "one's own ends in .csv",
		  near ? "\"?" : "");
	return -EINVAL;
}
