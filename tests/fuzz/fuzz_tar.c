/* SPDX-License-Identifier: MIT */
/* A tar, from hostile bytes: examples, and at last its end or one line. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/pack/source.h"

/* What is read of one input: a few bytes of zstd can be very many. */
#define BYTES_MAX (8u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void walk(struct source *source)
{
	struct fault fault = { 0 };
	uint64_t total = 0;
	uint64_t bytes;
	uint8_t *content;
	int got = 1;

	while (total < BYTES_MAX &&
	       (got = source_next(source, &bytes, &fault)) > 0) {
		content = malloc(bytes + 1);
		CHECK(content);
		CHECK(!source_read(source, content, &fault));
		free(content);
		total += bytes + 1;
	}
	if (got < 0) {
		CHECK(fault.text[0]);
		CHECK(!strpbrk(fault.text, "\n\033"));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct source *source;
	char path[64];
	int fd;

	fd = memfd_create("tar", MFD_CLOEXEC);
	CHECK(fd >= 0);
	CHECK(write(fd, bytes, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK(!source_open_tar(&source, path, NULL, 0));
	walk(source);
	source_close(source);
	close(fd);
	return 0;
}
