/* SPDX-License-Identifier: MIT */
#include "storage/priority.h"

#include <sys/prctl.h>
#include <time.h>

#include "storage/clock.h"

#define LOOK_NS INT64_C(1000000)

/* The kernel wants a twentieth for others. */
#define BUSY_SHARE 0.92
#define PAUSE_NS 60000

static bool go_first(enum priority_rank rank)
{
	struct sched_param first = {
		.sched_priority = sched_get_priority_min(SCHED_FIFO),
	};

	first.sched_priority += rank == PRIORITY_DRIVER;
	return !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first);
}

bool priority_raise(struct priority *priority, enum priority_rank rank)
{
	*priority = (struct priority){
		.slack_ns = prctl(PR_GET_TIMERSLACK),
		.policy = sched_getscheduler(0),
		.looked_ns = clock_now_ns(),
		.cpu_ns = clock_thread_cpu_ns(),
	};
	sched_getparam(0, &priority->parameters);
	prctl(PR_SET_TIMERSLACK, 1UL);
	priority->raised = go_first(rank);
	return priority->raised;
}

void priority_pause(struct priority *priority, int64_t now_ns)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int64_t passed_ns = now_ns - priority->looked_ns;
	int64_t used_ns;

	if (!priority->raised || passed_ns < LOOK_NS)
		return;
	used_ns = clock_thread_cpu_ns() - priority->cpu_ns;
	priority->looked_ns = now_ns;
	priority->cpu_ns += used_ns;
	if ((double)used_ns > BUSY_SHARE * (double)passed_ns)
		nanosleep(&pause, NULL);
}

void priority_restore(const struct priority *priority)
{
	prctl(PR_SET_TIMERSLACK, (unsigned long)priority->slack_ns);
	sched_setscheduler(0, priority->policy, &priority->parameters);
}
