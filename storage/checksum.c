/* SPDX-License-Identifier: MIT */
#include "storage/checksum.h"

#include <xxhash.h>

uint64_t checksum_of(const void *data, size_t size)
{
	return XXH64(data, size, 0);
}

uint64_t checksum_extend(uint64_t so_far, const void *data, size_t size)
{
	return XXH64(data, size, so_far);
}
