/* SPDX-License-Identifier: MIT */
#include "storage/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* What O_DIRECT needs where the kernel does not say: the largest sector size
 * in use. */
#define ALIGNMENT_FALLBACK_BYTES 4096u
#define ALIGNMENT_BYTES_MAX 65536u

int file_open(int folder, const char *name, int flags, uint64_t *bytes)
{
	struct stat status;
	int error;
	int fd;

	fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) != 0) {
		error = -errno;
		goto close_file;
	}
	if (!S_ISREG(status.st_mode)) {
		error = -EINVAL;
		goto close_file;
	}
	*bytes = (uint64_t)status.st_size;
	return fd;

close_file:
	close(fd);
	return error;
}

uint32_t file_direct_alignment(int fd, const char **source)
{
	struct statx status;
	uint32_t bytes;

	*source = "fallback";
	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) != 0 ||
	    !(status.stx_mask & STATX_DIOALIGN))
		return ALIGNMENT_FALLBACK_BYTES;
	*source = "statx";
	bytes = status.stx_dio_offset_align;
	if (bytes < status.stx_dio_mem_align)
		bytes = status.stx_dio_mem_align;
	if (bytes > ALIGNMENT_BYTES_MAX || (bytes & (bytes - 1)) != 0)
		return 0;
	return bytes;
}

int file_read_at(int fd, void *to, size_t size, uint64_t offset)
{
	char *at = to;

	while (size > 0) {
		ssize_t got = pread(fd, at, size, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return -ENODATA;
		at += got;
		size -= (size_t)got;
		offset += (uint64_t)got;
	}
	return 0;
}

char *file_path(const char *folder, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return NULL;
	return path;
}

int file_sync_folder(const char *path)
{
	int error = 0;
	int fd;

	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fsync(fd) != 0)
		error = -errno;
	close(fd);
	return error;
}
