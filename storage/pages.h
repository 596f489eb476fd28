/* SPDX-License-Identifier: MIT */
/*
 * LMDB trusts the pages of a file and follows them through its memory map: a
 * damaged or truncated file makes it crash. So before a file is given to it,
 * every page that a walk over all keys will visit is checked here: that it is
 * a page of the right kind and depth, that its nodes lie inside it, that the
 * values lie inside the file and that the keys are the 64-bit big-endian
 * numbers 0, 1, 2, ... The payload pages of large values are not read.
 *
 * This knows the file format of LMDB 0.9 (data version 1, 64-bit,
 * little-endian), and is the only place that does.
 */
#ifndef STORAGE_PAGES_H
#define STORAGE_PAGES_H

#include <stdint.h>

#include "sim/fault.h"

struct pages_facts {
	uint32_t page_bytes;
	uint64_t entries;
};

/* Checks an open file of file_bytes; `name` is for the fault's text. -EBADMSG
 * when it is not sound. */
int pages_check(int fd, uint64_t file_bytes, const char *name,
		struct pages_facts *facts, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
