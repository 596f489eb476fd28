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
	/* Reads: when the device began, once the request had its slot. */
	int64_t start_ns;
	/* Decompression: time that a worker spent on it. Reads: unused. */
	int64_t busy_ns;
	/* Reads: attempts beyond the first, and whether the last failed too. */
	uint32_t retries;
	bool failed;
	/* Reads: of the bytes asked for, those that a cache had. */
	uint64_t cached_bytes;
	/* Live reads: how long after the model's time, if at all. */
	int64_t late_ns;
};

#endif
