/* SPDX-License-Identifier: MIT */
/*
 * What did the person mean? Two words are near when few slips of a typing
 * hand (a letter wrong, missing, too many, or two swapped) lead from one to
 * the other: at most a third of the letters, and always one. Capitals are small
 * letters here, and dashes and blanks underscores.
 */
#ifndef TRACES_NEAREST_H
#define TRACES_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/embedded.h"

#define NEAREST_WORD_MAX 64

/* The search so far. Borrows the word. */
struct nearest {
	const char *word;
	size_t slips_max;
	bool found;
	size_t slips; /* of the best so far */
};

/* The number of slips between two words (restricted Damerau-Levenshtein
 * distance). Words longer than NEAREST_WORD_MAX are as far as can be. */
size_t nearest_slips(const char *one, size_t one_length, const char *other,
		     size_t other_length);

struct nearest nearest_to(const char *word);

/* Is this candidate, the first `length` bytes of it, near, and nearer than
 * all before it? */
bool nearest_take(struct nearest *nearest, const char *candidate,
		  size_t length);

/* The nearest of a NULL-terminated list of names; NULL when none is near. */
const char *nearest_name(const char *word, const char *const *names);

/* The names of a catalogue that somebody may have meant, at most three of
 * them, "aws-ebs-gp2 or aws-ebs-gp3": a part of the name is enough. "" when
 * none is near. Returns text. */
#define NEAREST_OFFERS_MAX 128 /* bytes, enough for any */
const char *nearest_offers(const char *word, const struct embedded *catalogue,
			   char *text, size_t size);

#endif
