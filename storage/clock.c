/* SPDX-License-Identifier: MIT */
#include "storage/clock.h"

#include <time.h>

static int64_t read_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

int64_t clock_thread_cpu_ns(void)
{
	return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

void clock_date(char date[CLOCK_DATE_BYTES])
{
	struct timespec now;
	struct tm parts;

	clock_gettime(CLOCK_REALTIME, &now);
	if (!gmtime_r(&now.tv_sec, &parts) ||
	    !strftime(date, CLOCK_DATE_BYTES, "%F", &parts))
		date[0] = '\0';
}
