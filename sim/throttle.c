/* SPDX-License-Identifier: MIT */
#include "sim/throttle.h"

#include "sim/check.h"

/* Share by which lateness may lengthen the mean request. */
#define HELD_SHARE 0.005

int64_t throttle_stamp(struct throttle *throttle, int64_t issue_ns,
		       int64_t due_ns, int64_t kernel_ns)
{
	CHECK(issue_ns <= due_ns);
	throttle->completions++;
	throttle->modelled_ns += due_ns - issue_ns;
	if (throttle->native || kernel_ns <= due_ns)
		return throttle->native ? kernel_ns : due_ns;
	throttle->late++;
	histogram_add(&throttle->lateness_ns, kernel_ns - due_ns);
	return kernel_ns;
}

bool throttle_held(const struct throttle *throttle)
{
	return (double)throttle->lateness_ns.sum <=
	       HELD_SHARE * (double)throttle->modelled_ns;
}
