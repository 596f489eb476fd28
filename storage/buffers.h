/* SPDX-License-Identifier: MIT */
/*
 * Memory that devices write into: page-aligned, hence aligned enough for
 * direct I/O, anonymous, as registering with a ring wants it, and of huge
 * pages where the kernel grants them. In small pages a megabyte is 256 places
 * all over memory, and a device that is told of each is slower by half.
 */
#ifndef STORAGE_BUFFERS_H
#define STORAGE_BUFFERS_H

#include <stddef.h>

/* NULL when there is none. Filled with zeros. */
void *buffers_map(size_t bytes);

/* NULL is nothing. */
void buffers_unmap(void *memory, size_t bytes);

#endif
