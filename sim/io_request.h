/* SPDX-License-Identifier: MIT */
/*
 * A request that is to be issued again: when, where and how much, in the order
 * of issuing. Made of recorded events, issued by a driver of real storage.
 */
#ifndef SIM_IO_REQUEST_H
#define SIM_IO_REQUEST_H

#include <stdint.h>

struct io_request {
	int64_t issue_ns; /* since the first; never goes back in a row */
	uint64_t offset_bytes;
	uint64_t bytes;
	uint32_t object;
	uint32_t depth; /* in flight as it was issued, itself included */
};

#endif
