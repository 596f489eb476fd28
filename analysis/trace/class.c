/* SPDX-License-Identifier: MIT */
/* Times of requests by their size and by how many were in flight. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/trace/device.h"

#define NS_PER_S 1e9

struct classed {
	uint32_t size_bits;
	uint32_t depth_bits;
	int64_t time_ns;
};

static int by_class(const void *a, const void *b)
{
	const struct classed *left = a, *right = b;

	if (left->size_bits != right->size_bits)
		return left->size_bits < right->size_bits ? -1 : 1;
	if (left->depth_bits != right->depth_bits)
		return left->depth_bits < right->depth_bits ? -1 : 1;
	return (left->time_ns > right->time_ns) -
	       (left->time_ns < right->time_ns);
}

static int by_time(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

static uint32_t bits_of(uint64_t value)
{
	return value ? 63 - (uint32_t)__builtin_clzll(value) : 0;
}

/* Samples in order of issue: how many are in flight when each comes. */
static uint32_t classify(const struct device_sample *samples, size_t count,
			 int64_t *ends_ns, struct classed *all)
{
	size_t ended = 0, most = 0, i;

	for (i = 0; i < count; i++)
		ends_ns[i] = samples[i].end_ns;
	qsort(ends_ns, count, sizeof(*ends_ns), by_time);
	for (i = 0; i < count; i++) {
		while (ended < i && ends_ns[ended] <= samples[i].issue_ns)
			ended++;
		most = i + 1 - ended > most ? i + 1 - ended : most;
		all[i] = (struct classed){
			.size_bits = bits_of(samples[i].bytes),
			.depth_bits = bits_of(i + 1 - ended),
			.time_ns = samples[i].end_ns - samples[i].issue_ns,
		};
	}
	return (uint32_t)most;
}

static double seconds_at(const struct classed *of, size_t count, double u)
{
	return (double)of[(size_t)(u * (double)(count - 1))].time_ns / NS_PER_S;
}

/* Keeps the most common. */
static void keep(struct device_fit *fit, const struct classed *of, size_t count)
{
	struct device_class class = {
		.bytes_low = UINT64_C(1) << of->size_bits,
		.depth_low = UINT32_C(1) << of->depth_bits,
		.count = count,
		.p50_s = seconds_at(of, count, 0.5),
		.p90_s = seconds_at(of, count, 0.9),
		.p99_s = seconds_at(of, count, 0.99),
	};
	size_t at = fit->class_count;

	if (at < DEVICE_CLASSES_MAX)
		fit->class_count++;
	else if (fit->classes[--at].count >= count)
		return;
	for (; at > 0 && fit->classes[at - 1].count < count; at--)
		fit->classes[at] = fit->classes[at - 1];
	fit->classes[at] = class;
}

int device_classes(struct device_fit *fit, const struct device_sample *samples,
		   size_t count)
{
	int64_t *ends_ns = malloc(count * sizeof(*ends_ns));
	struct classed *all = malloc(count * sizeof(*all));
	size_t first = 0, i;
	int error = -ENOMEM;

	if (!ends_ns || !all)
		goto free_all;
	error = 0;
	fit->depth_max = classify(samples, count, ends_ns, all);
	qsort(all, count, sizeof(*all), by_class);
	for (i = 1; i <= count; i++) {
		if (i < count && all[i].size_bits == all[first].size_bits &&
		    all[i].depth_bits == all[first].depth_bits)
			continue;
		keep(fit, all + first, i - first);
		first = i;
	}
free_all:
	free(all);
	free(ends_ns);
	return error;
}
