/* SPDX-License-Identifier: MIT */
#include "traces/sequence.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A list that only grows: simulations on several threads read scenarios. */
struct sequence {
	const struct sequence *next;
	uint32_t count;
	double values[];
};

static const struct sequence *_Atomic sequences;

const double *sequence_keep(const double *values, uint32_t count)
{
	const struct sequence *kept = atomic_load(&sequences);
	size_t size = count * sizeof(*values);
	struct sequence *sequence;

	while (kept && (kept->count != count ||
			memcmp(kept->values, values, size) != 0))
		kept = kept->next;
	if (kept)
		return kept->values;
	sequence = malloc(sizeof(*sequence) + size);
	if (!sequence)
		return NULL;
	sequence->count = count;
	memcpy(sequence->values, values, size);
	sequence->next = atomic_load(&sequences);
	while (!atomic_compare_exchange_weak(&sequences, &sequence->next,
					     sequence))
		;
	return sequence->values;
}
