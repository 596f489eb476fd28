/* SPDX-License-Identifier: MIT */
#include "traces/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "traces/yaml.h"

int text_file_read(const char *path, char **text, size_t *size)
{
	FILE *file = fopen(path, "re");
	int error = -ENOMEM;

	*text = NULL;
	if (!file)
		return -errno;
	*text = malloc(YAML_TEXT_BYTES_MAX + 1);
	if (!*text)
		goto close_file;
	errno = 0;
	*size = fread(*text, 1, YAML_TEXT_BYTES_MAX + 1, file);
	error = 0;
	if (ferror(file)) {
		error = errno ? -errno : -EIO;
		free(*text);
		*text = NULL;
	}
close_file:
	fclose(file);
	return error;
}
