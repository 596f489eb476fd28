/* SPDX-License-Identifier: MIT */
#include "cli/law_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_path(const char *law)
{
	size_t length = strlen(law);

	return strchr(law, '/') ||
	       (length > 4 && !strcmp(law + length - 4, ".csv"));
}

/* At most one byte more than a law file may have. */
static int read_text(const char *path, char *text, size_t *size)
{
	FILE *file = fopen(path, "re");
	int error = 0;

	if (!file)
		return -errno;
	errno = 0;
	*size = fread(text, 1, LAW_FILE_BYTES_MAX + 1, file);
	if (ferror(file))
		error = errno ? -errno : -EIO;
	fclose(file);
	return error;
}

static int parse_file(const char *path, char *text, struct law *law,
		      struct fault *fault)
{
	size_t size = 0;
	int error = read_text(path, text, &size);

	if (error) {
		fault_set(fault, path, 0, "cannot be read: %s",
			  strerror(-error));
		return error;
	}
	if (size > LAW_FILE_BYTES_MAX) {
		fault_set(fault, path, 0,
			  "longer than %u bytes; expected a "
			  "law file",
			  LAW_FILE_BYTES_MAX);
		return -EINVAL;
	}
	return law_parse(law, path, text, size, fault);
}

static int open_file(const char *path, struct law **own, struct fault *fault)
{
	struct law *law = malloc(sizeof(*law));
	char *text = malloc(LAW_FILE_BYTES_MAX + 1);
	int error = -ENOMEM;

	if (law && text)
		error = parse_file(path, text, law, fault);
	free(text);
	if (error)
		free(law);
	else
		*own = law;
	return error;
}

int law_file_open(const struct scenario *scenario, const char *path,
		  const struct law **law, struct law **own, struct fault *fault)
{
	const char *file = scenario->law_file;
	const char *near;
	int error;

	*law = *own = NULL;
	if (!file[0] && is_path(scenario->law))
		file = scenario->law;
	if (file[0]) {
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
