/* SPDX-License-Identifier: MIT */
#include "traces/text_file.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/yaml.h"

/* A list that only grows: simulations on several threads read device files. */
struct seen {
	const struct seen *next;
	dev_t device;
	ino_t inode;
};

static const struct seen *_Atomic seen_files;

bool text_file_was_read(const struct stat *status)
{
	const struct seen *seen = atomic_load(&seen_files);

	while (seen && (seen->device != status->st_dev ||
			seen->inode != status->st_ino))
		seen = seen->next;
	return seen;
}

/* What can be read again and again, a pipe or a terminal, is not lost. */
static int note_seen(FILE *file)
{
	struct stat status;
	struct seen *seen;

	if (fstat(fileno(file), &status))
		return -errno;
	if (!S_ISREG(status.st_mode) || text_file_was_read(&status))
		return 0;
	seen = malloc(sizeof(*seen));
	if (!seen)
		return -ENOMEM;
	seen->device = status.st_dev;
	seen->inode = status.st_ino;
	seen->next = atomic_load(&seen_files);
	while (!atomic_compare_exchange_weak(&seen_files, &seen->next, seen))
		;
	return 0;
}

/* Into memory that grows with what there is, not with what there may be. */
static int read_most(FILE *file, size_t most, char **text, size_t *size)
{
	size_t room = 0, got;
	char *grown;

	*size = 0;
	do {
		room = 2 * room + BUFSIZ;
		if (room > most + 1)
			room = most + 1;
		grown = realloc(*text, room);
		if (!grown)
			return -ENOMEM;
		*text = grown;
		errno = 0;
		got = fread(*text + *size, 1, room - *size, file);
		*size += got;
	} while (*size == room && room <= most);
	if (ferror(file))
		return errno ? -errno : -EIO;
	return 0;
}

int text_file_read(const char *path, char **text, size_t *size)
{
	return text_file_read_most(path, YAML_TEXT_BYTES_MAX, text, size);
}

int text_file_read_most(const char *path, size_t most, char **text,
			size_t *size)
{
	FILE *file = fopen(path, "re");
	int error;

	*text = NULL;
	if (!file)
		return -errno;
	error = note_seen(file);
	if (!error)
		error = read_most(file, most, text, size);
	if (error) {
		free(*text);
		*text = NULL;
	}
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
