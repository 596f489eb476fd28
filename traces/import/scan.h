/* SPDX-License-Identifier: MIT */
/*
 * Taking a line of a trace apart, from left to right: each call takes one
 * thing and says whether it was there. Whole and decimal numbers are exact,
 * and what does not fit is refused, not wrapped or rounded.
 */
#ifndef TRACES_SCAN_H
#define TRACES_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	const char *at; /* in text that ends with a zero byte */
};

struct scan_word {
	const char *text; /* not ended by a zero byte */
	size_t length;
};

/* Blanks and tabs, if there are any. */
void scan_blanks(struct scan *scan);

/* Just this text. */
bool scan_text(struct scan *scan, const char *text);

/* Everything up to one of these signs or the end; at least one byte. */
bool scan_until(struct scan *scan, const char *signs, struct scan_word *word);

/* Up to a blank, a tab or the end. */
bool scan_word(struct scan *scan, struct scan_word *word);

/* Decimal digits, or hexadecimal ones behind 0x. */
bool scan_whole(struct scan *scan, uint64_t *value);

/* [-]digits[.digits][e[-]digits] times ten to the power of `shift`, what is
 * beyond the point then dropped: with shift 9, seconds become nanoseconds. */
bool scan_decimal(struct scan *scan, int shift, int64_t *value);

bool scan_is(const struct scan_word *word, const char *text);

/* Nothing left but blanks? */
bool scan_end(struct scan *scan);

#endif
