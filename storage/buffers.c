/* SPDX-License-Identifier: MIT */
#include "storage/buffers.h"

#include <stdint.h>
#include <sys/mman.h>

#define HUGE_PAGE_BYTES ((size_t)2 << 20)

/* To whole huge pages, for their first to begin with the memory. */
static size_t rounded(size_t bytes)
{
	return (bytes + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES *
	       HUGE_PAGE_BYTES;
}

/* The kernel aligns a mapping to pages: takes a huge one more, and gives back
 * what lies before and behind. */
void *buffers_map(size_t bytes)
{
	size_t size = rounded(bytes);
	unsigned char *start;
	size_t before;

	if (size < bytes || size + HUGE_PAGE_BYTES < size)
		return NULL;
	start = mmap(NULL, size + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (start == MAP_FAILED)
		return NULL;
	before = rounded((uintptr_t)start) - (uintptr_t)start;
	if (before)
		munmap(start, before);
	if (before < HUGE_PAGE_BYTES)
		munmap(start + before + size, HUGE_PAGE_BYTES - before);
	madvise(start + before, size, MADV_HUGEPAGE);
	return start + before;
}

void buffers_unmap(void *memory, size_t bytes)
{
	if (memory)
		munmap(memory, rounded(bytes));
}
