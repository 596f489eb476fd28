/* SPDX-License-Identifier: MIT */
/*
 * The back ends that read through io_uring. They differ only in how the
 * kernel hands over completions: in the waiting thread when it asks (6.1),
 * in it without interrupting it (5.19), or as any kernel since 5.11 does.
 * The only user of liburing.
 */
#ifndef STORAGE_RING_H
#define STORAGE_RING_H

#include "storage/reader.h"

extern const struct reader_kind ring_defer;
extern const struct reader_kind ring_coop;
extern const struct reader_kind ring_plain;

#endif
