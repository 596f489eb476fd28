/* SPDX-License-Identifier: MIT */
#include "analysis/trace/sequence.h"

#include <errno.h>
#include <stdlib.h>

/* A share above which accesses have an order, and pairs that tell of one. */
#define ORDERLY 0.5
#define PAIRS_MIN 8

/* One that is widened to the device's alignment may begin with what the last
 * one ended with. */
static bool goes_on(const struct device_sample *last,
		    const struct device_sample *sample)
{
	return sample->offset_bytes > last->offset_bytes &&
	       sample->offset_bytes <= last->offset_bytes + last->bytes;
}

static int by_object(const void *a, const void *b, void *samples)
{
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
	const struct device_sample *x = (struct device_sample *)samples + first;
	const struct device_sample *y =
		(struct device_sample *)samples + second;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return first < second ? -1 : first > second;
}

/* A request that begins where its object was begun with begins anew: that
 * tells of epochs. */
static void look_within(struct sequence *sequence,
			const struct device_sample *samples,
			const uint32_t *by_number, size_t count)
{
	const struct device_sample *first = NULL, *last = NULL;
	uint64_t follow = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct device_sample *sample = &samples[by_number[i]];

		if (!first || first->object != sample->object) {
			first = sample;
		} else if (sample->offset_bytes != first->offset_bytes) {
			sequence->pairs++;
			follow += goes_on(last, sample);
		}
		last = sample;
	}
	if (sequence->pairs)
		sequence->sequential = (double)follow / (double)sequence->pairs;
}

/* Returns how many objects there are. */
static uint64_t look_between(struct sequence *sequence,
			     const struct device_sample *samples, size_t count,
			     bool numbered)
{
	const struct device_sample *last = NULL;
	uint64_t objects = 0, ascend = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct device_sample *sample = &samples[i];
		bool is_new = sample->object >= objects;

		if (sample->host != 0)
			continue;
		if (last && last->object != sample->object &&
		    (numbered || !is_new)) {
			bool wraps = !sample->object &&
				     last->object + UINT64_C(1) == objects;

			sequence->switches++;
			ascend += wraps || sample->object == last->object + 1;
		}
		if (is_new)
			objects = sample->object + UINT64_C(1);
		last = sample;
	}
	if (sequence->switches)
		sequence->ascending =
			(double)ascend / (double)sequence->switches;
	return objects;
}

int sequence_find(struct sequence *sequence,
		  const struct device_sample *samples, size_t count,
		  bool numbered, uint64_t request_examples)
{
	uint32_t *by_number = calloc(count + 1, sizeof(*by_number));
	uint64_t objects;
	size_t kept = 0, i;

	*sequence = (struct sequence){ .order = ORDER_SHUFFLED_SHARDS };
	if (!by_number)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		if (samples[i].host == 0)
			by_number[kept++] = (uint32_t)i;
	qsort_r(by_number, kept, sizeof(*by_number), by_object,
		(void *)samples);
	look_within(sequence, samples, by_number, kept);
	free(by_number);
	objects = look_between(sequence, samples, count, numbered);
	if (sequence->pairs >= PAIRS_MIN && sequence->sequential <= ORDERLY)
		sequence->order = request_examples > 1 ? ORDER_SHUFFLED_BLOCKS :
							 ORDER_RANDOM;
	else if (objects == 1 || (sequence->switches >= PAIRS_MIN &&
				  sequence->ascending > ORDERLY))
		sequence->order = ORDER_SEQUENTIAL;
	else
		sequence->assumed = sequence->switches < PAIRS_MIN;
	return 0;
}
