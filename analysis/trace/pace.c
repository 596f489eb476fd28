/* SPDX-License-Identifier: MIT */
#include "analysis/trace/pace.h"

#include <math.h>

#define NS_PER_S 1e9

void pace_add(struct pace *pace, uint32_t accelerator, int64_t start_ns,
	      int64_t end_ns)
{
	int64_t last_ns;

	if (accelerator >= PACE_ACCELERATORS_MAX) {
		pace->overlapped = true;
		return;
	}
	last_ns = pace->accelerators[accelerator].end_ns;
	if (pace->accelerators[accelerator].begun) {
		pace->overlapped |= start_ns < last_ns;
		pace->steps++;
		pace->busy_ns += (double)end_ns - (double)start_ns;
		pace->wait_ns += (double)start_ns - (double)last_ns;
	}
	pace->accelerators[accelerator].begun = true;
	pace->accelerators[accelerator].end_ns = end_ns;
}

void pace_make(const struct pace *pace, struct pace_figures *figures)
{
	double all_ns = pace->busy_ns + pace->wait_ns;
	bool known = pace->steps && !pace->overlapped && all_ns > 0;
	double steps = (double)pace->steps;

	figures->au = known ? pace->busy_ns / all_ns : NAN;
	figures->steps_per_s = known ? steps / all_ns * NS_PER_S : NAN;
	figures->wait_s = known ? pace->wait_ns / steps / NS_PER_S : NAN;
}
