/* SPDX-License-Identifier: MIT */
#include "traces/nearest.h"

#include <stdio.h>
#include <string.h>

#define OFFERS_MAX 3
#define PART_MIN 2 /* letters that tell one name from another */

/* Capitals, dashes and blanks are no slips: AU, batch-size. */
static char fold(char letter)
{
	if (letter >= 'A' && letter <= 'Z')
		return (char)(letter - 'A' + 'a');
	return letter == '-' || letter == ' ' ? '_' : letter;
}

static size_t smaller(size_t one, size_t other)
{
	return one < other ? one : other;
}

/* The slips that end in one[row - 1] and other[column - 1], from the results
 * of the two rows above. */
static size_t cell(const char *one, const char *other, size_t row,
		   size_t column, size_t rows[3][NEAREST_WORD_MAX + 1])
{
	const size_t *above = rows[(row - 1) % 3];
	bool differ = fold(one[row - 1]) != fold(other[column - 1]);
	size_t slips = above[column - 1] + differ;

	slips = smaller(slips, above[column] + 1);
	slips = smaller(slips, rows[row % 3][column - 1] + 1);
	if (row > 1 && column > 1 && one[row - 1] == other[column - 2] &&
	    one[row - 2] == other[column - 1])
		slips = smaller(slips, rows[(row - 2) % 3][column - 2] + 1);
	return slips;
}

size_t nearest_slips(const char *one, size_t one_length, const char *other,
		     size_t other_length)
{
	size_t rows[3][NEAREST_WORD_MAX + 1];
	size_t row, column;

	if (one_length > NEAREST_WORD_MAX || other_length > NEAREST_WORD_MAX)
		return NEAREST_WORD_MAX + 1;
	for (column = 0; column <= other_length; column++)
		rows[0][column] = column;
	for (row = 1; row <= one_length; row++) {
		rows[row % 3][0] = row;
		for (column = 1; column <= other_length; column++)
			rows[row % 3][column] =
				cell(one, other, row, column, rows);
	}
	return rows[one_length % 3][other_length];
}

struct nearest nearest_to(const char *word)
{
	size_t third = strlen(word) / 3;

	return (struct nearest){
		.word = word,
		.slips_max = third ? third : 1,
	};
}

bool nearest_take(struct nearest *nearest, const char *candidate, size_t length)
{
	size_t word_length = strlen(nearest->word);
	size_t slips =
		nearest_slips(nearest->word, word_length, candidate, length);

	/* A word that was cut off is as near as the farthest slip. */
	if (slips > nearest->slips_max && word_length > PART_MIN &&
	    word_length < length &&
	    !memcmp(candidate, nearest->word, word_length))
		slips = nearest->slips_max;
	if (slips > nearest->slips_max)
		return false;
	if (nearest->found && slips >= nearest->slips)
		return false;
	nearest->found = true;
	nearest->slips = slips;
	return true;
}

const char *nearest_name(const char *word, const char *const *names)
{
	struct nearest nearest = nearest_to(word);
	const char *best = NULL;

	for (; *names; names++)
		if (nearest_take(&nearest, *names, strlen(*names)))
			best = *names;
	return best;
}

/* Slips from the word to a name or to the end of it that follows a dash. */
static size_t slips_to(const char *word, const char *name)
{
	size_t length = strlen(word);
	size_t least = nearest_slips(word, length, name, strlen(name));
	const char *dash = strchr(name, '-');
	size_t slips;

	if (length >= PART_MIN && strstr(name, word))
		return 0;
	for (; dash; dash = strchr(dash + 1, '-')) {
		slips = nearest_slips(word, length, dash + 1, strlen(dash + 1));
		least = slips < least ? slips : least;
	}
	return least;
}

const char *nearest_offers(const char *word, const struct embedded *catalogue,
			   char *text, size_t size)
{
	const char *offers[OFFERS_MAX];
	size_t least = nearest_to(word).slips_max;
	size_t count = 0, used = 0, i, slips;

	for (i = 0; i < catalogue->count; i++) {
		slips = slips_to(word, catalogue->files[i].name);
		if (slips > least || (slips == least && count == OFFERS_MAX))
			continue;
		if (slips < least)
			count = 0;
		least = slips;
		offers[count++] = catalogue->files[i].name;
	}
	text[0] = '\0';
	for (i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 offers[i],
					 i + 2 < count	? ", " :
					 i + 2 == count ? " or " :
							  "");
	return text;
}
