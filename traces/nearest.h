/* SPDX-License-Identifier: MIT */
/*
 * What did the person mean? Two words are near when few slips of a typing
 * hand (a letter wrong, missing, too many, or two swapped) lead from one to
 * the other: at most a third of the letters, and always one.
 */
#ifndef TRACES_NEAREST_H
#define TRACES_NEAREST_H

#include <stddef.h>

#define NEAREST_WORD_MAX 64

/* The search so far. Borrows the words. */
struct nearest {
	const char *word;
	size_t slips_max;
	const char *best; /* NULL: nothing near yet */
	size_t best_length;
	size_t best_slips;
};

/* The number of slips between two words (restricted Damerau-Levenshtein
 * distance). Words longer than NEAREST_WORD_MAX are as far as can be. */
size_t nearest_slips(const char *one, size_t one_length, const char *other,
		     size_t other_length);

struct nearest nearest_to(const char *word);

/* Considers a candidate, the first `length` bytes of it. The first of equally
 * near ones wins. */
void nearest_offer(struct nearest *nearest, const char *candidate,
		   size_t length);

#endif
