/* SPDX-License-Identifier: MIT */
/* gzip files, unpacked piece by piece. */
#ifndef STORAGE_GZIP_H
#define STORAGE_GZIP_H

#include <stdbool.h>
#include <stddef.h>

/* *out is for gzip_stream() and gzip_close(). 0 or -ENOMEM. */
int gzip_open(void **out) __attribute__((warn_unused_result));
void gzip_close(void *gzip);

/* Takes *used of the bytes, makes *made, and says whether a member has *ended
 * with them, its checksum being right; it then takes the first of the next.
 * Returns NULL, or what is wrong with the bytes. */
const char *gzip_stream(void *gzip, const void *from, size_t size, size_t *used,
			void *to, size_t capacity, size_t *made, bool *ended)
	__attribute__((warn_unused_result));

#endif
