/* SPDX-License-Identifier: MIT */
/*
 * Memory for a run, taken in one piece. The kernel grants more than it has
 * and ends programs that use it, so more than there can be is refused here.
 */
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include <stddef.h>

/* Bytes that one run may take: what the machine has or, when that is less, the
 * container. */
size_t memory_limit(void);

/* Aligned to 64; NULL when there is not that much. Released by free(). */
void *memory_take(size_t size);

#endif
