/* SPDX-License-Identifier: MIT */
/* Files as datasets need them: whole reads, no waiting, no surprises. */
#ifndef STORAGE_FILE_H
#define STORAGE_FILE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

/* Opens a regular file in an open folder for reading and tells its size.
 * -EINVAL when it is something else; never waits for one that is a pipe.
 * `flags` are added to O_RDONLY, e.g. O_DIRECT. */
int file_open(int folder, const char *name, int flags, uint64_t *bytes)
	__attribute__((warn_unused_result));

/* The alignment of offsets, lengths and buffers that direct I/O to an open
 * file needs; 0: it cannot be done. *source says who knows: the kernel
 * ("statx"), or a "fallback" that suits every disk. */
uint32_t file_direct_alignment(int fd, const char **source);

/* Reads exactly `size` bytes; -ENODATA when the file ends before. */
int file_read_at(int fd, void *to, size_t size, uint64_t offset)
	__attribute__((warn_unused_result));

/* The error of a file that was there before: that it is gone is the world's
 * doing, no mistake of the person who named its folder. */
static inline int file_lost(int error)
{
	return error == -ENOENT || error == -ENOTDIR ? -ESTALE : error;
}

/* "folder/name" in memory that the caller frees; NULL without memory. */
char *file_path(const char *folder, const char *name)
	__attribute__((warn_unused_result));

/* Makes the names in a folder durable. */
int file_sync_folder(const char *path) __attribute__((warn_unused_result));

#endif
