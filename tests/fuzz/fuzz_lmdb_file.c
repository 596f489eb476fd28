/* SPDX-License-Identifier: MIT */
/*
 * A whole LMDB file, from hostile bytes: whatever passes the check of its
 * pages, LMDB must walk through without a crash, and every value must lie
 * inside the file.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/lmdb.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char folder[512];
static char path[544];

static void remove_folder(void)
{
	unlink(path);
	rmdir(folder);
}

static void make_folder(void)
{
	const char *base = getenv("TMPDIR");

	if (folder[0])
		return;
	snprintf(folder, sizeof(folder), "%s/echosim-fuzz-XXXXXX",
		 base && base[0] ? base : "/tmp");
	CHECK(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/" STORE_DATA_NAME, folder);
	atexit(remove_folder);
}

static void walk(struct store *store, size_t size)
{
	struct fault fault = { 0 };
	struct store_value value;
	volatile uint8_t sum = 0;
	uint64_t count = 0;

	while (store_next(store, &value, &fault) == 1) {
		CHECK(value.offset_bytes + value.size <= size);
		for (size_t at = 0; at < value.size; at++)
			sum ^= ((const uint8_t *)value.data)[at];
		count++;
	}
	CHECK(!fault.text[0]);
	CHECK(count == store_count(store));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fault fault = { 0 };
	struct store *store;
	int fd;

	make_folder();
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0);
	CHECK(write(fd, bytes, size) == (ssize_t)size);
	close(fd);
	if (store_open(&store, folder, &fault)) {
		CHECK(fault.text[0]);
		CHECK(!fault.file);
		return 0;
	}
	walk(store, size);
	store_close(store);
	return 0;
}
