/* SPDX-License-Identifier: MIT */
/*
 * A file of text, as far as anybody is ready to parse one. Every one that is
 * read is remembered, whoever named it (a scenario, a device that extends
 * another, an axis of a sweep), so that no product is written over it.
 */
#ifndef TRACES_TEXT_FILE_H
#define TRACES_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Reads a file into memory that the caller frees, at most one byte more than
 * YAML_TEXT_BYTES_MAX: enough to see that it is too long. 0 or negative
 * errno, and then *text is NULL. */
int text_file_read(const char *path, char **text, size_t *size)
	__attribute__((warn_unused_result));

/* The same with a limit of one's own. */
int text_file_read_most(const char *path, size_t most, char **text,
			size_t *size) __attribute__((warn_unused_result));

/* Has this process read the file of that device and inode here? */
bool text_file_was_read(const struct stat *status);

/* The path of a file that is named in the file `from`: it lies beside that,
 * unless its path is absolute. The caller frees it; NULL: no memory. */
char *text_file_beside(const char *from, const char *name);

#endif
