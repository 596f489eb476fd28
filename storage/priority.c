/* SPDX-License-Identifier: MIT */
#include "storage/priority.h"

#include <sys/prctl.h>

bool priority_raise(struct priority *before)
{
	const struct sched_param second = {
		.sched_priority = sched_get_priority_min(SCHED_FIFO) + 1,
	};

	before->slack_ns = prctl(PR_GET_TIMERSLACK);
	before->policy = sched_getscheduler(0);
	sched_getparam(0, &before->parameters);
	prctl(PR_SET_TIMERSLACK, 1UL);
	return !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK,
				   &second);
}

void priority_restore(const struct priority *before)
{
	prctl(PR_SET_TIMERSLACK, (unsigned long)before->slack_ns);
	sched_setscheduler(0, before->policy, &before->parameters);
}

bool priority_raise_worker(pthread_t thread)
{
	const struct sched_param first = {
		.sched_priority = sched_get_priority_min(SCHED_FIFO),
	};

	return !pthread_setschedparam(thread, SCHED_FIFO, &first);
}
