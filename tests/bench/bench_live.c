/* SPDX-License-Identifier: MIT */
/*
 * What the live path gets out of storage, unthrottled, through the reader that
 * runs use.
 *
 * usage: bench_live                            every back end, on a file of
 *                                              its own below $TMPDIR
 *        bench_live read FILE BYTES DEPTH S    random direct reads for S s
 *        bench_live unpack DATASET S           decompression on one core
 *        bench_live ring DATASET N SEED DEPTH  N values of an LMDB dataset in
 *                                              random order, by the reader
 *        bench_live touch DATASET N SEED       the same by mdb_get, touching
 *                                              every page
 *
 * With arguments it prints one line of numbers for `make bench-live`: bytes a
 * second, CPU seconds per GiB.
 */
#include <endian.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/permutation.h"
#include "sim/random.h"
#include "storage/buffers.h"
#include "storage/clock.h"
#include "storage/dataset/dataset.h"
#include "storage/dataset/files.h"
#include "storage/reader.h"

#define FILE_BYTES ((uint64_t)512 << 20)
#define CHUNK_BYTES ((size_t)1 << 20)
#define DEPTH 32
#define RUN_NS INT64_C(2000000000)
#define PATIENCE_NS INT64_C(30000000000)
#define REAP_BATCH 64
#define PAGE_BYTES 4096

static void give_up(const char *what)
{
	perror(what);
	exit(3);
}

static void *take_memory(size_t bytes)
{
	void *memory = buffers_map(bytes);

	if (!memory)
		give_up("memory");
	return memory;
}

static double cpu_s(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* What was moved, in which time, and what it cost. */
struct outcome {
	double bytes;
	double s;
	double cpu_s;
};

static void print_outcome(const struct outcome *outcome)
{
	printf("%.0f %.6f\n", outcome->bytes / outcome->s,
	       outcome->cpu_s / (outcome->bytes / 0x1p30));
}

/* --- Reading ------------------------------------------------------------ */

/* Requests by number, without end or `count` of them. */
struct reads {
	int file;
	uint64_t slot_bytes;
	uint32_t depth;
	uint32_t alignment_bytes;
	uint64_t count; /* 0: until run_ns have passed */
	int64_t run_ns;
	void (*request)(const struct reads *reads, uint64_t number,
			struct reader_request *request);
	/* Random blocks of a file. */
	uint64_t blocks;
	/* Values of a dataset. */
	struct layout layout;
	struct permutation order;
};

static void random_block(const struct reads *reads, uint64_t number,
			 struct reader_request *request)
{
	struct random_stream stream = random_stream(1, RANDOM_SHUFFLE);

	request->offset_bytes =
		random_below(random_bits(stream, number), reads->blocks) *
		reads->slot_bytes;
	request->bytes = reads->slot_bytes;
	request->needed_bytes = reads->slot_bytes;
}

static void random_value(const struct reads *reads, uint64_t number,
			 struct reader_request *request)
{
	uint64_t alignment = reads->alignment_bytes;
	struct layout_block block;
	uint64_t skip;

	layout_block(&reads->layout, permutation_at(&reads->order, number),
		     &block);
	skip = block.offset_bytes % alignment;
	request->offset_bytes = block.offset_bytes - skip;
	request->needed_bytes = skip + block.stored_bytes;
	request->bytes =
		(request->needed_bytes + alignment - 1) / alignment * alignment;
}

/* False when there is no more to be read. */
static bool submit(struct reader *reader, const struct reads *reads,
		   uint32_t slot, uint64_t *number, int64_t end_ns)
{
	struct reader_request request = { .slot = slot };

	if (reads->count ? *number == reads->count : clock_now_ns() >= end_ns)
		return false;
	reads->request(reads, (*number)++, &request);
	reader_submit(reader, &request);
	return true;
}

/* Until the last is in, as fio measures. */
static void read_all(struct reader *reader, const struct reads *reads,
		     struct outcome *outcome)
{
	struct reader_done done[REAP_BATCH];
	int64_t start_ns = clock_now_ns();
	int64_t end_ns = start_ns + reads->run_ns;
	double start_cpu_s = cpu_s();
	uint64_t number = 0;
	uint32_t inflight = 0;

	while (inflight < reads->depth &&
	       submit(reader, reads, inflight, &number, end_ns))
		inflight++;
	while (inflight) {
		uint32_t count;

		if (reader_wait(reader, PATIENCE_NS))
			give_up("waiting");
		count = reader_reap(reader, done, REAP_BATCH);
		for (uint32_t i = 0; i < count; i++) {
			if (done[i].error)
				give_up("reading");
			inflight -= !submit(reader, reads, done[i].slot,
					    &number, end_ns);
		}
	}
	outcome->s = (double)(clock_now_ns() - start_ns) / 1e9;
	outcome->cpu_s = cpu_s() - start_cpu_s;
	outcome->bytes = (double)reader_facts(reader)->bytes;
}

/* False when the back end is not granted. */
static bool run_reads(const struct reads *reads, enum reader_backend backend,
		      struct outcome *outcome, const char **name)
{
	size_t bytes = reads->depth * reads->slot_bytes;
	struct reader_wake wake;
	struct reader_setup setup = {
		.files = &reads->file,
		.file_count = 1,
		.memory = take_memory(bytes),
		.slot_bytes = reads->slot_bytes,
		.slot_count = reads->depth,
		.inflight_max = reads->depth,
		.alignment_bytes = reads->alignment_bytes,
		.wake = &wake,
	};
	struct fault fault = { 0 };
	struct reader *reader;
	bool granted;

	if (reader_wake_init(&wake))
		give_up("eventfd");
	granted = !reader_open(&reader, backend, &setup, &fault);
	if (granted) {
		read_all(reader, reads, outcome);
		*name = reader_facts(reader)->backend;
		if (reader_facts(reader)->notes[0])
			fprintf(stderr, "%s\n", reader_facts(reader)->notes);
		if (reader_close(reader, PATIENCE_NS))
			give_up("closing");
	} else {
		fprintf(stderr, "%s\n", fault.text);
	}
	reader_wake_release(&wake);
	buffers_unmap(setup.memory, bytes);
	return granted;
}

static void open_file(struct reads *reads, const char *name,
		      uint64_t block_bytes)
{
	struct stat facts;

	reads->file = open(name, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (reads->file < 0 || fstat(reads->file, &facts))
		give_up(name);
	reads->request = random_block;
	reads->slot_bytes = block_bytes;
	reads->alignment_bytes = PAGE_BYTES;
	reads->blocks = (uint64_t)facts.st_size / block_bytes;
	if (!reads->blocks)
		give_up("a block of the file");
}

static void bench_read(char **argv)
{
	struct reads reads = {
		.depth = (uint32_t)strtoul(argv[2], NULL, 10),
		.run_ns = (int64_t)(strtod(argv[3], NULL) * 1e9),
	};
	struct outcome outcome;
	const char *name;

	open_file(&reads, argv[0], strtoull(argv[1], NULL, 10));
	if (!run_reads(&reads, READER_ANY, &outcome, &name))
		exit(3);
	print_outcome(&outcome);
	close(reads.file);
}

static struct permutation shuffled(uint64_t count, const char *seed)
{
	return permutation_make(count, random_stream(strtoull(seed, NULL, 10),
						     RANDOM_EPOCH_ORDER));
}

/* How many of a dataset's values to read: at most all. */
static uint64_t chosen(const struct dataset_facts *facts, const char *count)
{
	uint64_t chosen = strtoull(count, NULL, 10);

	return chosen && chosen < facts->blocks ? chosen : facts->blocks;
}

/* --- Datasets ----------------------------------------------------------- */

static struct dataset *open_dataset(const char *path)
{
	struct fault fault = { 0 };
	struct dataset *dataset;

	if (!dataset_open(&dataset, path, NULL, true, &fault))
		return dataset;
	fprintf(stderr, "%s\n", fault.text);
	exit(3);
}

static void bench_ring(char **argv)
{
	struct dataset *dataset = open_dataset(argv[0]);
	const struct dataset_facts *facts = dataset_facts(dataset);
	uint32_t alignment = facts->alignment_bytes;
	struct reads reads = {
		.file = dataset_fd(dataset, 0),
		.depth = (uint32_t)strtoul(argv[3], NULL, 10),
		.alignment_bytes = alignment,
		.slot_bytes = (facts->block_bytes_max + 2 * alignment) /
			      alignment * alignment,
		.count = chosen(facts, argv[1]),
		.request = random_value,
		.layout = dataset_layout(dataset),
	};
	struct outcome outcome;
	const char *name;

	reads.order = shuffled(facts->blocks, argv[2]);
	if (!run_reads(&reads, READER_ANY, &outcome, &name))
		exit(3);
	outcome.bytes = (double)facts->stored_bytes * (double)reads.count /
			(double)facts->blocks;
	print_outcome(&outcome);
	dataset_close(dataset);
}

static void read_into(const struct layout_block *block, int file,
		      unsigned char *memory)
{
	uint64_t done = 0;

	while (done < block->stored_bytes) {
		ssize_t got = pread(file, memory + done,
				    block->stored_bytes - done,
				    (off_t)(block->offset_bytes + done));

		if (got <= 0)
			give_up("reading");
		done += (uint64_t)got;
	}
}

/* As a worker does it, block after block; only decompression counts. */
static void bench_unpack(char **argv)
{
	struct fault fault = { 0 };
	struct dataset *dataset;
	const struct dataset_facts *facts;
	struct unpacker *unpacker;
	struct layout layout;
	unsigned char *memory;
	int64_t end_ns =
		clock_now_ns() + (int64_t)(strtod(argv[1], NULL) * 1e9);
	struct outcome outcome = { 0 };

	if (dataset_open(&dataset, argv[0], NULL, false, &fault))
		give_up(fault.text);
	facts = dataset_facts(dataset);
	layout = dataset_layout(dataset);
	memory = take_memory(facts->block_bytes_max);
	if (unpacker_open(&unpacker, dataset))
		give_up("memory");
	for (uint64_t i = 0; clock_now_ns() < end_ns; i++) {
		struct layout_block block;
		uint64_t content_bytes;
		int64_t start_ns;

		layout_block(&layout, i % layout.blocks, &block);
		read_into(&block, dataset_fd(dataset, block.shard), memory);
		start_ns = clock_thread_cpu_ns();
		if (unpacker_check(unpacker, i % layout.blocks, memory,
				   block.stored_bytes, &content_bytes, &fault))
			give_up(fault.text);
		outcome.s += (double)(clock_thread_cpu_ns() - start_ns) / 1e9;
		outcome.bytes += (double)content_bytes;
	}
	outcome.cpu_s = outcome.s;
	print_outcome(&outcome);
	unpacker_close(unpacker);
	buffers_unmap(memory, facts->block_bytes_max);
	dataset_close(dataset);
}

/* --- LMDB by itself ----------------------------------------------------- */

static void want(int error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "%s: %s\n", what, mdb_strerror(error));
	exit(3);
}

/* The keys are the examples' numbers, big-endian. */
static uint64_t touch_value(MDB_txn *transaction, MDB_dbi table,
			    uint64_t number)
{
	uint64_t name = htobe64(number);
	MDB_val key = { sizeof(name), &name };
	const volatile unsigned char *bytes;
	uint64_t sum = 0;
	MDB_val value;

	want(mdb_get(transaction, table, &key, &value), "mdb_get");
	bytes = value.mv_data;
	for (size_t i = 0; i < value.mv_size; i += PAGE_BYTES)
		sum += bytes[i];
	return sum + bytes[value.mv_size - 1];
}

static void bench_touch(char **argv)
{
	unsigned int flags = MDB_RDONLY | MDB_NOLOCK;
	struct permutation order;
	struct dataset_facts facts;
	struct dataset *dataset = open_dataset(argv[0]);
	int64_t start_ns;
	double start_cpu_s;
	struct outcome outcome;
	uint64_t count;
	MDB_env *environment;
	MDB_txn *transaction;
	MDB_dbi table;

	facts = *dataset_facts(dataset);
	dataset_close(dataset);
	count = chosen(&facts, argv[1]);
	if (getenv("BENCH_NORDAHEAD"))
		flags |= MDB_NORDAHEAD;
	order = shuffled(facts.blocks, argv[2]);
	want(mdb_env_create(&environment), "mdb_env_create");
	want(mdb_env_open(environment, argv[0], flags, 0), argv[0]);
	want(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction),
	     "mdb_txn_begin");
	want(mdb_dbi_open(transaction, NULL, 0, &table), "mdb_dbi_open");
	start_ns = clock_now_ns();
	start_cpu_s = cpu_s();
	for (uint64_t i = 0; i < count; i++)
		touch_value(transaction, table, permutation_at(&order, i));
	outcome.s = (double)(clock_now_ns() - start_ns) / 1e9;
	outcome.cpu_s = cpu_s() - start_cpu_s;
	outcome.bytes = (double)facts.stored_bytes * (double)count /
			(double)facts.blocks;
	print_outcome(&outcome);
	mdb_txn_abort(transaction);
	mdb_env_close(environment);
}

/* --- Every back end ----------------------------------------------------- */

static void make_file(char *path, size_t size)
{
	const char *folder = getenv("TMPDIR");
	unsigned char *chunk = take_memory(CHUNK_BYTES);
	int file;

	snprintf(path, size, "%s/bench-live-XXXXXX", folder ? folder : "/tmp");
	file = mkostemp(path, O_DIRECT | O_CLOEXEC);
	if (file < 0)
		give_up(path);
	for (uint64_t i = 0; i < CHUNK_BYTES; i++)
		chunk[i] = (unsigned char)(i * 2654435761U >> 24);
	for (uint64_t i = 0; i < FILE_BYTES; i += CHUNK_BYTES)
		if (write(file, chunk, CHUNK_BYTES) != (ssize_t)CHUNK_BYTES)
			give_up(path);
	close(file);
	buffers_unmap(chunk, CHUNK_BYTES);
}

static void bench_back_ends(void)
{
	static const uint64_t sizes[] = { 1 << 20, 4096 };
	struct reads reads = { .depth = DEPTH, .run_ns = RUN_NS };
	struct outcome outcome;
	const char *name;
	char path[4096];

	make_file(path, sizeof(path));
	for (int i = READER_ANY + 1; i <= READER_PREAD; i++) {
		for (size_t j = 0; j < 2; j++) {
			open_file(&reads, path, sizes[j]);
			if (run_reads(&reads, (enum reader_backend)i, &outcome,
				      &name))
				printf("reader: %-32s %5llu KiB x %d: %8.0f "
				       "requests/s %8.1f MB/s\n",
				       name, (unsigned long long)sizes[j] >> 10,
				       DEPTH,
				       outcome.bytes / outcome.s /
					       (double)sizes[j],
				       outcome.bytes / outcome.s / 1e6);
			close(reads.file);
		}
	}
	unlink(path);
}

int main(int argc, char **argv)
{
	if (argc == 1)
		bench_back_ends();
	else if (argc == 6 && !strcmp(argv[1], "read"))
		bench_read(argv + 2);
	else if (argc == 4 && !strcmp(argv[1], "unpack"))
		bench_unpack(argv + 2);
	else if (argc == 6 && !strcmp(argv[1], "ring"))
		bench_ring(argv + 2);
	else if (argc == 5 && !strcmp(argv[1], "touch"))
		bench_touch(argv + 2);
	else
		return 2;
	return 0;
}
