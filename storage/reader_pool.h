/* SPDX-License-Identifier: MIT */
/*
 * The back end that works everywhere: threads that call pread. As many reads
 * are under way as there are threads; the rest wait their turn.
 */
#ifndef STORAGE_READER_POOL_H
#define STORAGE_READER_POOL_H

#include "storage/reader.h"

extern const struct reader_kind reader_pool;

#endif
