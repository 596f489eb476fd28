/* SPDX-License-Identifier: MIT */
/*
 * What comes from a program whose traces are known and is none of them: logs
 * of other figures, or a trace written without what makes it one. Named, with
 * what to do instead, before it is taken for a format that it resembles. One
 * row of a table each.
 */
#ifndef TRACES_LOOKALIKE_H
#define TRACES_LOOKALIKE_H

#include <stdbool.h>
#include <stddef.h>

/* By the first bytes, and the file's name where only that tells ("" or NULL:
 * none). True, and the text says what it is: "is …; …". */
bool lookalike_find(const char *head, size_t size, const char *name, char *text,
		    size_t room);

#endif
