/* SPDX-License-Identifier: MIT */
/* Checksums of stored data: XXH64, as zstd frames use it too. */
#ifndef STORAGE_CHECKSUM_H
#define STORAGE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* XXH64 with seed 0. */
uint64_t checksum_of(const void *data, size_t size);

/* Extends the checksum of a sequence of records by one more record: XXH64 of
 * the record seeded with the checksum so far. A sequence starts at 0. */
uint64_t checksum_extend(uint64_t so_far, const void *data, size_t size);

#endif
