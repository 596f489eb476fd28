/* SPDX-License-Identifier: MIT */
#include "sim/pipe.h"

#include "sim/check.h"

#define NS_PER_S UINT64_C(1000000000)

int64_t pipe_pass(struct pipe *pipe, uint64_t rate, int64_t start_ns,
		  uint64_t units)
{
	uint64_t work;

	if (rate == 0)
		return start_ns;
	CHECK(units <= PIPE_UNITS_MAX);
	if (pipe->free_ns < start_ns) {
		pipe->free_ns = start_ns;
		pipe->remainder = 0;
	}
	/* In 1/rate of a nanosecond: 2^34 * 10^9 is below 2^64. */
	work = units * NS_PER_S;
	pipe->free_ns += (int64_t)(work / rate);
	pipe->remainder += work % rate;
	if (pipe->remainder >= rate) {
		pipe->remainder -= rate;
		pipe->free_ns++;
	}
	return pipe->free_ns;
}
