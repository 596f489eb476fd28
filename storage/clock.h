/* SPDX-License-Identifier: MIT */
/* The only clock of echosim. */
#ifndef STORAGE_CLOCK_H
#define STORAGE_CLOCK_H

#include <stdint.h>

/* Monotonic nanoseconds. */
int64_t clock_now_ns(void);

/* CPU time of the calling thread, nanoseconds. */
int64_t clock_thread_cpu_ns(void);

/* Today's date in UTC, "2024-02-29". */
#define CLOCK_DATE_BYTES 16
void clock_date(char date[CLOCK_DATE_BYTES]);

#endif
