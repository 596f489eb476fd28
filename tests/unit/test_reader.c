/* SPDX-License-Identifier: MIT */
/* Every back end that this kernel grants must give the same bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/random.h"
#include "storage/reader.h"
#include "tests/support/faulty_reader.h"
#include "tests/support/temp.h"

#define SLOTS 32
#define SLOT_BYTES 16384
#define BLOCK 512
#define FILE_BYTES (40 * SLOT_BYTES + 300) /* ends within a block */
#define PATIENCE_NS INT64_C(20000000000)

/* A file of random bytes and a reader of it. */
struct bench {
	struct temp temp;
	unsigned char *content;
	unsigned char *memory;
	int file;
	struct reader_wake wake;
	struct reader_setup setup;
	struct reader *reader;
	struct fault fault;
};

static int bench_setup(void **state)
{
	struct random_stream stream = random_stream(1, RANDOM_SHUFFLE);
	struct bench *bench = calloc(1, sizeof(*bench));
	char path[TEMP_PATH_MAX];
	uint64_t i;

	assert_non_null(bench);
	assert_int_equal(temp_open(&bench->temp), 0);
	bench->content = malloc(FILE_BYTES);
	bench->memory = aligned_alloc(4096, SLOTS * SLOT_BYTES);
	assert_non_null(bench->content);
	assert_non_null(bench->memory);
	for (i = 0; i < FILE_BYTES; i++)
		bench->content[i] = (unsigned char)random_bits(stream, i);
	assert_int_equal(temp_write(&bench->temp, "data", bench->content,
				    FILE_BYTES),
			 0);
	bench->file = open(temp_name(&bench->temp, "data", path), O_RDWR);
	assert_true(bench->file >= 0);
	assert_int_equal(reader_wake_init(&bench->wake), 0);
	bench->setup = (struct reader_setup){
		.files = &bench->file,
		.file_count = 1,
		.memory = bench->memory,
		.slot_bytes = SLOT_BYTES,
		.slot_count = SLOTS,
		.inflight_max = SLOTS,
		.alignment_bytes = 1,
		.wake = &bench->wake,
	};
	faulty = (struct faulty){ 0 };
	*state = bench;
	return 0;
}

static int bench_teardown(void **state)
{
	struct bench *bench = *state;

	close(bench->file);
	reader_wake_release(&bench->wake);
	temp_close(&bench->temp);
	free(bench->content);
	free(bench->memory);
	free(bench);
	return 0;
}

static void open_kind(struct bench *bench, const struct reader_kind *kind)
{
	memset(bench->memory, 0, SLOTS * SLOT_BYTES);
	assert_int_equal(reader_open_kind(&bench->reader, kind, &bench->setup,
					  &bench->fault),
			 0);
}

/* Waits until something is finished. */
static struct reader_done next_done(struct bench *bench)
{
	struct reader_done done;

	while (!reader_reap(bench->reader, &done, 1))
		assert_int_equal(reader_wait(bench->reader, PATIENCE_NS), 0);
	return done;
}

static void submit(struct bench *bench, uint32_t slot, uint64_t offset,
		   uint64_t bytes)
{
	struct reader_request request = {
		.slot = slot,
		.offset_bytes = offset,
		.bytes = bytes,
		.needed_bytes = bytes,
	};

	if (offset + bytes > FILE_BYTES)
		request.needed_bytes = FILE_BYTES - offset;
	reader_submit(bench->reader, &request);
}

static void check_bytes(struct bench *bench, uint32_t slot, uint64_t offset,
			uint64_t bytes)
{
	if (offset + bytes > FILE_BYTES)
		bytes = FILE_BYTES - offset;
	assert_memory_equal(bench->memory + slot * SLOT_BYTES,
			    bench->content + offset, bytes);
}

/* The whole file, in whatever order, with as many in flight as there are
 * slots. */
static void read_everything(struct bench *bench)
{
	uint64_t offsets[SLOTS] = { 0 };
	uint64_t offset = 0;
	uint32_t inflight = 0;
	uint32_t slot;

	for (slot = 0; slot < SLOTS; slot++) {
		offsets[slot] = offset;
		submit(bench, slot, offset, SLOT_BYTES);
		offset += SLOT_BYTES;
		inflight++;
	}
	while (inflight) {
		struct reader_done done = next_done(bench);

		assert_int_equal(done.error, 0);
		check_bytes(bench, done.slot, offsets[done.slot], SLOT_BYTES);
		inflight--;
		if (offset >= FILE_BYTES)
			continue;
		offsets[done.slot] = offset;
		submit(bench, done.slot, offset, SLOT_BYTES);
		offset += SLOT_BYTES;
		inflight++;
	}
}

static void close_reader(struct bench *bench)
{
	assert_int_equal(reader_close(bench->reader, PATIENCE_NS), 0);
	bench->reader = NULL;
}

static bool open_granted(struct bench *bench, enum reader_backend backend)
{
	int error;

	memset(bench->memory, 0, SLOTS * SLOT_BYTES);
	bench->fault.text[0] = '\0';
	error = reader_open(&bench->reader, backend, &bench->setup,
			    &bench->fault);
	if (error)
		print_message("not granted: %s\n", bench->fault.text);
	return !error;
}

static void every_back_end_reads_the_same_bytes(void **state)
{
	struct bench *bench = *state;
	int backend;

	for (backend = READER_ANY; backend <= READER_PREAD; backend++) {
		if (!open_granted(bench, backend))
			continue;
		read_everything(bench);
		assert_int_equal(reader_facts(bench->reader)->bytes,
				 FILE_BYTES);
		assert_int_equal(reader_facts(bench->reader)->resumed, 0);
		close_reader(bench);
	}
}

static void every_back_end_reads_directly(void **state)
{
	struct bench *bench = *state;
	char path[TEMP_PATH_MAX];
	int backend;
	int direct;

	direct = open(temp_name(&bench->temp, "data", path),
		      O_RDONLY | O_DIRECT);
	if (direct < 0)
		skip();
	bench->setup.files = &direct;
	bench->setup.alignment_bytes = BLOCK;
	for (backend = READER_ANY; backend <= READER_PREAD; backend++) {
		if (!open_granted(bench, backend))
			continue;
		read_everything(bench);
		close_reader(bench);
	}
	close(direct);
}

static void a_request_may_be_one_byte_or_begin_anywhere(void **state)
{
	struct bench *bench = *state;
	struct reader_done done;
	uint64_t offset;

	assert_true(open_granted(bench, READER_ANY));
	for (offset = 0; offset < FILE_BYTES; offset += 9973) {
		submit(bench, 3, offset, 1 + offset % 700);
		done = next_done(bench);
		assert_int_equal(done.error, 0);
		check_bytes(bench, 3, offset, 1 + offset % 700);
	}
	close_reader(bench);
}

static void short_reads_are_resumed_to_the_last_byte(void **state)
{
	static const uint32_t lengths[] = { 511,  512,	513,   1000,
					    4095, 4096, 10000, 16383 };
	struct bench *bench = *state;
	size_t i;

	bench->setup.alignment_bytes = BLOCK;
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		faulty = (struct faulty){ .bytes_max = lengths[i] };
		if (lengths[i] < BLOCK)
			bench->setup.alignment_bytes = 1;
		open_kind(bench, &faulty_reader);
		read_everything(bench);
		assert_true(reader_facts(bench->reader)->resumed > 0);
		close_reader(bench);
		bench->setup.alignment_bytes = BLOCK;
	}
}

static void a_resumed_read_starts_at_an_aligned_place(void **state)
{
	struct bench *bench = *state;
	char path[TEMP_PATH_MAX];
	int direct;

	/* Direct I/O itself refuses any other. */
	direct = open(temp_name(&bench->temp, "data", path),
		      O_RDONLY | O_DIRECT);
	if (direct < 0)
		skip();
	bench->setup.files = &direct;
	bench->setup.alignment_bytes = BLOCK;
	faulty.bytes_max = 1500;
	open_kind(bench, &faulty_reader);
	read_everything(bench);
	close_reader(bench);
	close(direct);
}

static void interrupted_reads_are_made_again(void **state)
{
	struct bench *bench = *state;

	faulty.interrupt_every = 2;
	open_kind(bench, &faulty_reader);
	read_everything(bench);
	close_reader(bench);
}

static void a_read_over_the_end_brings_the_tail(void **state)
{
	struct bench *bench = *state;
	uint64_t offset = FILE_BYTES / BLOCK * BLOCK;
	struct reader_done done;

	bench->setup.alignment_bytes = BLOCK;
	open_kind(bench, &faulty_reader);
	submit(bench, 0, offset, BLOCK);
	done = next_done(bench);
	assert_int_equal(done.error, 0);
	check_bytes(bench, 0, offset, BLOCK);
	assert_int_equal(faulty.attempts, 1);
	close_reader(bench);
}

/* What a request of 4096 bytes ends with when its file has become shorter. */
static int error_of_cut_file(struct bench *bench, off_t size)
{
	struct reader_done done;
	int direct;
	char path[TEMP_PATH_MAX];

	direct = open(temp_name(&bench->temp, "data", path),
		      O_RDONLY | O_DIRECT);
	assert_int_equal(ftruncate(bench->file, size), 0);
	if (direct >= 0)
		bench->setup.files = &direct;
	open_kind(bench, &faulty_reader);
	submit(bench, 0, 0, 4096);
	done = next_done(bench);
	close_reader(bench);
	if (direct >= 0)
		close(direct);
	bench->setup.files = &bench->file;
	assert_true(faulty.attempts < 10);
	return done.error;
}

static void a_file_cut_meanwhile_is_an_error_wherever_it_is_cut(void **state)
{
	static const off_t sizes[] = { 4095, 3584, 3583, 1000, 512, 511, 1, 0 };
	struct bench *bench = *state;
	size_t i;

	bench->setup.alignment_bytes = BLOCK;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		faulty = (struct faulty){ 0 };
		assert_int_equal(error_of_cut_file(bench, sizes[i]), -ENODATA);
	}
}

static void an_error_is_told_with_its_request(void **state)
{
	struct bench *bench = *state;
	struct reader_done done;
	uint32_t failed = 0;
	uint32_t i;

	faulty.fail_attempt = 3;
	faulty.fail_error = -EIO;
	open_kind(bench, &faulty_reader);
	for (i = 0; i < 4; i++)
		submit(bench, i, i * SLOT_BYTES, SLOT_BYTES);
	for (i = 0; i < 4; i++) {
		done = next_done(bench);
		if (!done.error)
			continue;
		assert_int_equal(done.error, -EIO);
		assert_int_equal(done.slot, 2);
		failed++;
	}
	assert_int_equal(failed, 1);
	close_reader(bench);
}

static void a_post_ends_a_wait_that_nothing_else_would_end(void **state)
{
	struct bench *bench = *state;
	int backend;

	for (backend = READER_ANY; backend <= READER_PREAD; backend++) {
		if (!open_granted(bench, backend))
			continue;
		reader_wake_post(&bench->wake);
		assert_int_equal(reader_wait(bench->reader, INT64_MAX / 2), 0);
		close_reader(bench);
	}
}

static void closing_waits_for_what_is_in_flight(void **state)
{
	struct bench *bench = *state;
	uint32_t i;
	int backend;

	for (backend = READER_ANY; backend <= READER_PREAD; backend++) {
		if (!open_granted(bench, backend))
			continue;
		for (i = 0; i < SLOTS; i++)
			submit(bench, i, i * SLOT_BYTES, SLOT_BYTES);
		close_reader(bench);
	}
}

static void closing_gives_up_on_a_read_that_never_ends(void **state)
{
	struct bench *bench = *state;

	/* The reader is left as it is, so it gets a bench of its own. */
	faulty.swallow_attempt = 1;
	open_kind(bench, &faulty_reader);
	submit(bench, 0, 0, SLOT_BYTES);
	assert_int_equal(reader_wait(bench->reader, 0), 0);
	assert_int_equal(reader_close(bench->reader, 1), -ETIMEDOUT);
	assert_false(faulty.closed);
	/* Now that the test knows, it may be cleaned up. */
	faulty.swallow_attempt = 0;
}

static void more_in_flight_than_can_be_is_refused(void **state)
{
	struct bench *bench = *state;

	bench->setup.inflight_max = READER_INFLIGHT_MAX + 1;
	assert_int_equal(reader_open(&bench->reader, READER_ANY, &bench->setup,
				     &bench->fault),
			 -EINVAL);
	assert_non_null(strstr(bench->fault.text, "16384"));
}

static void a_back_end_that_was_asked_for_is_not_replaced(void **state)
{
	struct bench *bench = *state;

	faulty.open_error = -EPERM;
	assert_int_equal(reader_open_kind(&bench->reader, &faulty_reader,
					  &bench->setup, &bench->fault),
			 -EPERM);
	assert_non_null(strstr(bench->fault.text, "faulty"));
}

static void notes_stop_where_their_room_ends(void **state)
{
	struct reader_facts facts = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 100; i++)
		reader_note(&facts, "something", "was not granted");
	assert_int_equal(strlen(facts.notes), sizeof(facts.notes) - 1);
	assert_int_equal(strncmp(facts.notes,
				 "something: was not granted\nsomething: ", 38),
			 0);
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, bench_setup, bench_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_back_end_reads_the_same_bytes),
		TEST(every_back_end_reads_directly),
		TEST(a_request_may_be_one_byte_or_begin_anywhere),
		TEST(short_reads_are_resumed_to_the_last_byte),
		TEST(a_resumed_read_starts_at_an_aligned_place),
		TEST(interrupted_reads_are_made_again),
		TEST(a_read_over_the_end_brings_the_tail),
		TEST(a_file_cut_meanwhile_is_an_error_wherever_it_is_cut),
		TEST(an_error_is_told_with_its_request),
		TEST(a_post_ends_a_wait_that_nothing_else_would_end),
		TEST(closing_waits_for_what_is_in_flight),
		TEST(closing_gives_up_on_a_read_that_never_ends),
		TEST(more_in_flight_than_can_be_is_refused),
		TEST(a_back_end_that_was_asked_for_is_not_replaced),
		TEST(notes_stop_where_their_room_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
