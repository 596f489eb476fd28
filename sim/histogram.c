/* SPDX-License-Identifier: MIT */
#include "sim/histogram.h"

#define CELL_BITS 6
#define CELLS_PER_OCTAVE (1 << CELL_BITS)

static uint32_t cell_of(uint64_t value)
{
	uint32_t shift;

	if (value < CELLS_PER_OCTAVE)
		return (uint32_t)value;
	shift = 63 - (uint32_t)__builtin_clzll(value) - CELL_BITS;
	return shift * CELLS_PER_OCTAVE + (uint32_t)(value >> shift);
}

/* The middle of a cell. */
static uint64_t cell_value(uint32_t cell)
{
	uint32_t shift;
	uint64_t low;

	if (cell < 2 * CELLS_PER_OCTAVE)
		return cell;
	shift = cell / CELLS_PER_OCTAVE - 1;
	low = (uint64_t)(cell % CELLS_PER_OCTAVE + CELLS_PER_OCTAVE) << shift;
	return low + (UINT64_C(1) << shift) / 2;
}

void histogram_add(struct histogram *histogram, int64_t value)
{
	uint64_t size = value > 0 ? (uint64_t)value : 0;

	histogram->count++;
	if (__builtin_add_overflow(histogram->sum, size, &histogram->sum))
		histogram->sum = UINT64_MAX;
	if (size > histogram->max)
		histogram->max = size;
	histogram->cells[cell_of(size)]++;
}

void histogram_subtract(struct histogram *difference,
			const struct histogram *now,
			const struct histogram *start)
{
	difference->count = now->count - start->count;
	difference->sum = now->sum - start->sum;
	difference->max = 0;
	for (uint32_t cell = 0; cell < HISTOGRAM_CELLS; cell++) {
		difference->cells[cell] = now->cells[cell] - start->cells[cell];
		if (difference->cells[cell] > 0)
			difference->max = cell_value(cell);
	}
	if (now->max > start->max || difference->max > now->max)
		difference->max = now->max;
}

uint64_t histogram_quantile(const struct histogram *histogram, double fraction)
{
	uint64_t rank = (uint64_t)(fraction * (double)histogram->count);
	uint64_t seen = 0;

	if (histogram->count == 0)
		return 0;
	for (uint32_t cell = 0; cell < HISTOGRAM_CELLS; cell++) {
		seen += histogram->cells[cell];
		if (seen > rank) {
			uint64_t value = cell_value(cell);

			return value < histogram->max ? value : histogram->max;
		}
	}
	return histogram->max;
}

double histogram_mean(const struct histogram *histogram)
{
	if (histogram->count == 0)
		return 0;
	return (double)histogram->sum / (double)histogram->count;
}
