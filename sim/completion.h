/* SPDX-License-Identifier: MIT */
/*
 * A completion: when something that was asked for is done, and how it went.
 * The device model answers with one, a live driver reports one.
 */
#ifndef SIM_COMPLETION_H
#define SIM_COMPLETION_H

#include <stdbool.h>
#include <stdint.h>

struct completion {
	int64_t at_ns;
	/* Decompression: time that a worker spent on it. Reads: unused. */
	int64_t busy_ns;
	/* Reads: attempts beyond the first, and whether the last failed too. */
	uint32_t retries;
	bool failed;
	/* Reads: of the bytes asked for, those that a cache had. */
	uint64_t cached_bytes;
};

#endif
