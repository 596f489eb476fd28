/* SPDX-License-Identifier: MIT */
/*
 * What the reader gets out of a disk, unthrottled, by back end: bytes a second
 * in large direct reads and requests a second in small ones, in random order.
 * Reads a file of its own below $TMPDIR, or the file named.
 *
 * usage: bench_reader [FILE]
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/random.h"
#include "storage/clock.h"
#include "storage/reader.h"

#define FILE_BYTES ((uint64_t)512 << 20)
#define DEPTH 32
#define RUN_NS INT64_C(2000000000)
#define PATIENCE_NS INT64_C(30000000000)
#define REAP_BATCH 32

static void give_up(const char *what)
{
	perror(what);
	exit(3);
}

/* Opens the file named, or writes one and unlinks it. */
static int open_file(const char *name, uint64_t *bytes)
{
	const char *folder = getenv("TMPDIR");
	unsigned char *chunk;
	struct stat facts;
	char path[4096];
	int file;

	if (name) {
		file = open(name, O_RDONLY | O_DIRECT);
		if (file < 0 || fstat(file, &facts))
			give_up(name);
		*bytes = (uint64_t)facts.st_size;
		return file;
	}
	snprintf(path, sizeof(path), "%s/bench-reader-XXXXXX",
		 folder ? folder : "/tmp");
	file = mkostemp(path, O_DIRECT);
	if (file < 0)
		give_up(path);
	unlink(path);
	chunk = aligned_alloc(4096, 1 << 20);
	if (!chunk)
		give_up("memory");
	for (uint64_t i = 0; i < 1 << 20; i++)
		chunk[i] = (unsigned char)(i * 2654435761U >> 24);
	for (*bytes = 0; *bytes < FILE_BYTES; *bytes += 1 << 20)
		if (write(file, chunk, 1 << 20) != 1 << 20)
			give_up(path);
	free(chunk);
	return file;
}

static void submit(struct reader *reader, uint32_t slot, uint64_t number,
		   uint64_t block_bytes, uint64_t blocks)
{
	struct random_stream stream = random_stream(1, RANDOM_SHUFFLE);
	struct reader_request request = {
		.slot = slot,
		.offset_bytes =
			random_below(random_bits(stream, number), blocks) *
			block_bytes,
		.bytes = block_bytes,
		.needed_bytes = block_bytes,
	};

	reader_submit(reader, &request);
}

/* Requests a second. */
static double read_for_a_while(struct reader *reader, uint64_t block_bytes,
			       uint64_t blocks)
{
	struct reader_done done[REAP_BATCH];
	int64_t start_ns = clock_now_ns();
	int64_t now_ns = start_ns;
	uint64_t submitted = 0;
	uint64_t finished = 0;

	while (submitted < DEPTH) {
		submit(reader, (uint32_t)submitted, submitted, block_bytes,
		       blocks);
		submitted++;
	}
	while (now_ns - start_ns < RUN_NS) {
		uint32_t count;

		if (reader_wait(reader, PATIENCE_NS))
			give_up("waiting");
		count = reader_reap(reader, done, REAP_BATCH);
		for (uint32_t i = 0; i < count; i++) {
			if (done[i].error)
				give_up("reading");
			submit(reader, done[i].slot, submitted++, block_bytes,
			       blocks);
		}
		finished += count;
		now_ns = clock_now_ns();
	}
	return (double)finished * 1e9 / (double)(now_ns - start_ns);
}

static void measure(int file, uint64_t file_bytes, uint64_t block_bytes,
		    enum reader_backend backend)
{
	struct reader_wake wake;
	struct reader_setup setup = {
		.files = &file,
		.file_count = 1,
		.memory = aligned_alloc(4096, DEPTH * block_bytes),
		.slot_bytes = block_bytes,
		.slot_count = DEPTH,
		.inflight_max = DEPTH,
		.alignment_bytes = 4096,
		.wake = &wake,
	};
	struct fault fault = { 0 };
	struct reader *reader;
	double rate;

	if (!setup.memory || reader_wake_init(&wake))
		give_up("set-up");
	if (reader_open(&reader, backend, &setup, &fault)) {
		printf("reader: %s\n", fault.text);
		return;
	}
	rate = read_for_a_while(reader, block_bytes, file_bytes / block_bytes);
	printf("reader: %-32s %5llu KiB x %d: %8.0f requests/s %8.1f MB/s\n",
	       reader_facts(reader)->backend,
	       (unsigned long long)block_bytes >> 10, DEPTH, rate,
	       rate * (double)block_bytes / 1e6);
	if (reader_close(reader, PATIENCE_NS))
		give_up("closing");
	reader_wake_release(&wake);
	free(setup.memory);
}

int main(int argc, char **argv)
{
	uint64_t bytes;
	int file = open_file(argc > 1 ? argv[1] : NULL, &bytes);

	for (int i = READER_ANY + 1; i <= READER_PREAD; i++) {
		measure(file, bytes, 1 << 20, (enum reader_backend)i);
		measure(file, bytes, 4096, (enum reader_backend)i);
	}
	close(file);
	return 0;
}
