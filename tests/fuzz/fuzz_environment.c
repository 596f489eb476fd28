/* SPDX-License-Identifier: MIT */
/*
 * An LMDB environment of others, from hostile bytes: every value that is found
 * must lie inside the file, and no more of them than the file has room for.
 * The first byte chooses a database.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/dataset/pages.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct seen {
	size_t file_bytes;
	uint64_t values;
};

static int see(void *context, const struct pages_value *value)
{
	struct seen *seen = context;

	CHECK(value->offset_bytes <= seen->file_bytes);
	CHECK(value->bytes <= seen->file_bytes - value->offset_bytes);
	/* An entry takes a pointer and a header at least. */
	CHECK(++seen->values <= seen->file_bytes / 2);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const databases[] = { NULL, "train" };
	struct fault fault = { 0 };
	struct seen seen = { 0 };
	int fd;

	if (size < 1)
		return 0;
	seen.file_bytes = size - 1;
	fd = memfd_create("environment", MFD_CLOEXEC);
	CHECK(fd >= 0);
	CHECK(write(fd, bytes + 1, size - 1) == (ssize_t)(size - 1));
	if (pages_walk(fd, size - 1, "fuzz", databases[bytes[0] & 1], see,
		       &seen, &fault))
		CHECK(fault.text[0]);
	close(fd);
	return 0;
}
