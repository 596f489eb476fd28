/* SPDX-License-Identifier: MIT */
/*
 * A level: how many of something there are, and the integral of that over
 * time, from which means over any window follow exactly. Adding n at time t
 * subtracts n * t from a sum, taking away adds it: the sum plus count * now is
 * the integral, in 128 bits because item-nanoseconds of a long run do not fit
 * 64.
 */
#ifndef SIM_LEVEL_H
#define SIM_LEVEL_H

#include <stdint.h>

__extension__ typedef unsigned __int128 level_integral;

struct level {
	level_integral sum; /* modulo 2^128 */
	uint32_t count;
};

/* count * time without a library call for 128-bit products. */
static inline level_integral level_product(uint32_t count, int64_t time_ns)
{
	uint64_t low = (uint64_t)count * (uint32_t)time_ns;
	uint64_t high = (uint64_t)count * ((uint64_t)time_ns >> 32);

	return ((level_integral)high << 32) + low;
}

static inline void level_raise(struct level *level, int64_t now_ns,
			       uint32_t count)
{
	level->count += count;
	level->sum -= level_product(count, now_ns);
}

/* One more or one less: the same, and the compiler is spared the product. */
static inline void level_up(struct level *level, int64_t now_ns)
{
	level->count++;
	level->sum -= (uint64_t)now_ns;
}

static inline void level_down(struct level *level, int64_t now_ns)
{
	level->count--;
	level->sum += (uint64_t)now_ns;
}

static inline void level_set(struct level *level, int64_t now_ns,
			     uint32_t count)
{
	level->sum += level_product(level->count, now_ns) -
		      level_product(count, now_ns);
	level->count = count;
}

/* Item-nanoseconds from time 0 to now. */
static inline level_integral level_until(const struct level *level,
					 int64_t now_ns)
{
	return level->sum + level_product(level->count, now_ns);
}

static inline double level_to_double(level_integral integral)
{
	return (double)(uint64_t)(integral >> 64) * 0x1p64 +
	       (double)(uint64_t)integral;
}

#endif
