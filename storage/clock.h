/* SPDX-License-Identifier: MIT */
/* The only clock of echosim. */
#ifndef STORAGE_CLOCK_H
#define STORAGE_CLOCK_H

#include <stdint.h>

/* Monotonic nanoseconds. */
int64_t clock_now_ns(void);

/* CPU time of the calling thread, nanoseconds. */
int64_t clock_thread_cpu_ns(void);

#endif
