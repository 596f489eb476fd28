/* SPDX-License-Identifier: MIT */
#include "analysis/nearest.h"

#include <stdint.h>
#include <string.h>

#define LETTERS_MAX 64

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edits between two names, by rows of the usual table; longer names are not
 * compared, for nobody mistypes one. */
static size_t edits_between(const char *a, const char *b)
{
	size_t rows[3][LETTERS_MAX + 1];
	size_t *row = rows[0], *above = rows[1], *above2 = rows[2];
	size_t a_size = strlen(a), b_size = strlen(b);
	size_t i, j;

	if (a_size > LETTERS_MAX || b_size > LETTERS_MAX)
		return SIZE_MAX;
	for (j = 0; j <= b_size; j++)
		row[j] = j;
	for (i = 1; i <= a_size; i++) {
		size_t *recycled = above2;

		above2 = above;
		above = row;
		row = recycled;
		row[0] = i;
		for (j = 1; j <= b_size; j++) {
			row[j] = above[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = smaller(row[j], above[j] + 1);
			row[j] = smaller(row[j], row[j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = smaller(row[j], above2[j - 2] + 1);
		}
	}
	return row[b_size];
}

struct nearest nearest_to(const char *wanted)
{
	return (struct nearest){ .wanted = wanted, .edits = SIZE_MAX };
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
	size_t edits = edits_between(nearest->wanted, candidate);

	if (edits < nearest->edits) {
		nearest->best = candidate;
		nearest->edits = edits;
	}
}

const char *nearest_name(const struct nearest *nearest)
{
	if (!nearest->best || nearest->edits * 3 > strlen(nearest->best))
		return NULL;
	return nearest->best;
}
