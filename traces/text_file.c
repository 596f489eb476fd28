/* SPDX-License-Identifier: MIT */
#include "traces/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/yaml.h"

int text_file_read(const char *path, char **text, size_t *size)
{
	return text_file_read_most(path, YAML_TEXT_BYTES_MAX, text, size);
}

int text_file_read_most(const char *path, size_t most, char **text,
			size_t *size)
{
	FILE *file = fopen(path, "re");
	int error = -ENOMEM;

	*text = NULL;
	if (!file)
		return -errno;
	*text = malloc(most + 1);
	if (!*text)
		goto close_file;
	errno = 0;
	*size = fread(*text, 1, most + 1, file);
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

char *text_file_beside(const char *from, const char *name)
{
	const char *slash = strrchr(from, '/');
	int length = slash && name[0] != '/' ? (int)(slash + 1 - from) : 0;
	char *path;

	if (asprintf(&path, "%.*s%s", length, from, name) < 0)
		return NULL;
	return path;
}
