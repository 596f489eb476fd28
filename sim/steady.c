/* SPDX-License-Identifier: MIT */
#include "sim/steady.h"

#define BINS_MIN 10

static void merge_pairs(struct steady *steady)
{
	for (uint32_t i = 0; i < STEADY_BINS / 2; i++) {
		const struct steady_bin *pair = &steady->bins[2 * i];

		steady->bins[i].elapsed_ns =
			pair[0].elapsed_ns + pair[1].elapsed_ns;
		steady->bins[i].busy_ns = pair[0].busy_ns + pair[1].busy_ns;
	}
	steady->full = STEADY_BINS / 2;
	steady->bin_steps *= 2;
}

void steady_add(struct steady *steady, int64_t elapsed_ns,
		level_integral busy_ns)
{
	struct steady_bin *open;

	if (steady->bin_steps == 0)
		steady->bin_steps = STEADY_BIN_STEPS;
	if (steady->full == STEADY_BINS)
		merge_pairs(steady);
	open = &steady->bins[steady->full];
	if (steady->open_steps == 0)
		*open = (struct steady_bin){ 0, 0 };
	open->elapsed_ns += elapsed_ns;
	open->busy_ns += busy_ns;
	steady->open_steps++;
	if (steady->open_steps == steady->bin_steps) {
		steady->full++;
		steady->open_steps = 0;
	}
}

/* The number of leading bins to cut: the minimum over the first half of
 * sum((x - mean)^2) / n^2, from the back so that sums only grow. */
static uint32_t bins_to_cut(const struct steady *steady)
{
	double sum = 0;
	double squares = 0;
	double least = 0;
	double origin = (double)steady->bins[steady->full - 1].elapsed_ns;
	uint32_t cut = 0;

	for (uint32_t i = steady->full; i-- > 0;) {
		double value = (double)steady->bins[i].elapsed_ns - origin;
		double count = steady->full - i;
		double error;

		sum += value;
		squares += value * value;
		if (i > steady->full / 2)
			continue;
		error = (squares - sum * sum / count) / (count * count);
		if (i == steady->full / 2 || error <= least) {
			least = error;
			cut = i;
		}
	}
	return cut;
}

struct steady_bin steady_part(const struct steady *steady)
{
	struct steady_bin kept = { 0, 0 };

	if (steady->full < BINS_MIN)
		return kept;
	for (uint32_t i = bins_to_cut(steady); i < steady->full; i++) {
		kept.elapsed_ns += steady->bins[i].elapsed_ns;
		kept.busy_ns += steady->bins[i].busy_ns;
	}
	return kept;
}
