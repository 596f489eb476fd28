/* SPDX-License-Identifier: MIT */
/*
 * What may be shown to a person: names come from disks and from hostile files,
 * and a terminal obeys what it finds in them. Control characters, of ASCII and
 * of Unicode, and bytes that are no UTF-8 are shown as question marks.
 */
#ifndef SIM_PRINTABLE_H
#define SIM_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that a text begins with, 0 at its end, and whether it
 * is to be shown. */
size_t printable_next(const char *text, bool *shown);

/* Puts a question mark in the place of each character that is not. */
void printable(char *text);

#endif
