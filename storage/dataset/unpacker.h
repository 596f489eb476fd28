/* SPDX-License-Identifier: MIT */
/* What this room sees of an unpacker beyond storage/dataset/dataset.h. */
#ifndef STORAGE_UNPACKER_H
#define STORAGE_UNPACKER_H

#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "storage/dataset/dataset.h"

/* As unpacker_check(), and gives the content: in the unpacker's own buffer
 * until the next call, or in `stored` itself when that is not compressed. */
int unpacker_content(struct unpacker *unpacker, uint64_t block,
		     const void *stored, size_t size, const uint8_t **content,
		     struct fault *fault) __attribute__((warn_unused_result));

#endif
