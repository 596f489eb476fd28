/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/lmdb.h"
#include "tests/support/examples.h"
#include "tests/support/program.h"
#include "tests/support/temp.h"

/* Exit statuses of a child, none that it has otherwise. */
#define CHECKED 40
#define CANNOT_HIDE 41

#define FILE_BYTES_MAX ((uint64_t)256 << 20)

static size_t same_size(uint64_t number)
{
	(void)number;
	return 100;
}

/* Around the size at which a value gets pages of its own, and some pages. */
static size_t mixed_size(uint64_t number)
{
	return number % 7 == 0 ? 9000 : 2000 + number % 60;
}

/* One page of its own, which a freed page would do for. */
static size_t page_size(uint64_t number)
{
	return 3000 + number % 1000;
}

static size_t large_size(uint64_t number)
{
	return 1000000 + number;
}

static void write_list(const char *folder, uint64_t count,
		       size_t (*size_of)(uint64_t))
{
	struct fault fault = { 0 };
	struct store *store;

	assert_int_equal(store_create(&store, folder, FILE_BYTES_MAX, &fault),
			 0);
	for (uint64_t number = 0; number < count; number++) {
		size_t size = size_of(number);
		uint8_t *value = malloc(size);

		assert_non_null(value);
		examples_fill(value, size, number);
		assert_int_equal(store_append(store, value, size, &fault), 0);
		free(value);
	}
	assert_int_equal(store_finish(store, &fault), 0);
	store_close(store);
}

/* Every value, as LMDB gives it and as it is at its place in the file. */
static void check_list(const char *folder, uint64_t count,
		       size_t (*size_of)(uint64_t))
{
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX + 16];
	struct store_value value;
	struct store *store;
	uint64_t number = 0;
	uint8_t *file;
	size_t file_size;

	snprintf(path, sizeof(path), "%s/data.mdb", folder);
	file = examples_read(path, &file_size);
	assert_int_equal(store_open(&store, folder, &fault), 0);
	assert_int_equal(store_count(store), count);
	while (store_next(store, &value, &fault) == 1) {
		uint8_t *expected = malloc(value.size);

		assert_int_equal(value.size, size_of(number));
		examples_fill(expected, value.size, number);
		assert_memory_equal(value.data, expected, value.size);
		assert_true(value.offset_bytes + value.size <= file_size);
		assert_memory_equal(file + value.offset_bytes, expected,
				    value.size);
		free(expected);
		number++;
	}
	assert_int_equal(number, count);
	store_close(store);
	free(file);
}

static void a_list_of(struct temp *temp, uint64_t count,
		      size_t (*size_of)(uint64_t))
{
	write_list(temp->path, count, size_of);
	check_list(temp->path, count, size_of);
}

static void small_values_come_back_and_lie_where_they_say(void **state)
{
	a_list_of(*state, 50000, same_size);
}

static void values_around_the_page_limit_do_too(void **state)
{
	a_list_of(*state, 5000, mixed_size);
}

static void large_values_do_too(void **state)
{
	a_list_of(*state, 40, large_size);
}

static void a_single_value_does_too(void **state)
{
	a_list_of(*state, 1, same_size);
}

/* So that reading in the order of keys reads the file forward. */
static void large_values_lie_in_the_order_of_their_keys(void **state)
{
	struct temp *temp = *state;
	struct fault fault = { 0 };
	struct store_value value;
	struct store *store;
	uint64_t end = 0;

	write_list(temp->path, 25000, page_size);
	assert_int_equal(store_open(&store, temp->path, &fault), 0);
	while (store_next(store, &value, &fault) == 1) {
		assert_true(value.offset_bytes >= end);
		end = value.offset_bytes + value.size;
	}
	store_close(store);
}

static void an_empty_list_is_whole(void **state)
{
	a_list_of(*state, 0, same_size);
}

/* As in a container that hides it: /proc covered, for this process alone. */
static bool hide_processes(void)
{
	return unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("none", "/proc", "tmpfs", 0, NULL) == 0;
}

static void places_are_found_without_a_process_map_too(void **state)
{
	struct temp *temp = *state;
	int status;
	pid_t child;

	write_list(temp->path, 5000, mixed_size);
	child = fork();
	if (child == 0) {
		if (!hide_processes())
			_exit(CANNOT_HIDE);
		assert_int_not_equal(access("/proc/self/maps", F_OK), 0);
		check_list(temp->path, 5000, mixed_size);
		_exit(CHECKED);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == CANNOT_HIDE) {
		print_message("no file system may be mounted here\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), CHECKED);
}

static void mdb_stat_and_mdb_dump_read_a_list(void **state)
{
	struct temp *temp = *state;
	const char *const stat[] = { "mdb_stat", temp->path, NULL };
	const char *const dump[] = { "mdb_dump", temp->path, NULL };
	char text[4096];
	size_t size;
	int status;

	write_list(temp->path, 300, same_size);
	status = program_run(stat, text, sizeof(text) - 1, &size);
	if (status == PROGRAM_MISSING)
		skip();
	assert_int_equal(status, 0);
	text[size] = 0;
	assert_non_null(strstr(text, "Entries: 300\n"));
	assert_int_equal(program_run(dump, text, sizeof(text) - 1, &size), 0);
	text[sizeof(text) - 1] = 0;
	/* The first two keys, as 64-bit big-endian numbers. */
	assert_non_null(strstr(text, "HEADER=END\n 0000000000000000\n"));
	assert_non_null(strstr(text, "\n 0000000000000001\n"));
}

static void the_bound_of_a_file_holds(void **state)
{
	static size_t (*const sizes[])(uint64_t) = { same_size, mixed_size,
						     large_size };
	static const uint64_t counts[] = { 100000, 20000, 60 };
	struct temp *temp = *state;

	for (unsigned kind = 0; kind < 3; kind++) {
		char folder[TEMP_PATH_MAX];
		char path[TEMP_PATH_MAX];
		uint64_t bound = STORE_BYTES_FIXED;
		struct stat status;

		snprintf(path, sizeof(path), "list%u", kind);
		temp_name(temp, path, folder);
		assert_int_equal(mkdir(folder, 0777), 0);
		write_list(folder, counts[kind], sizes[kind]);
		for (uint64_t number = 0; number < counts[kind]; number++)
			bound += store_value_bytes_max(sizes[kind](number));
		snprintf(path, sizeof(path), "list%u/data.mdb", kind);
		assert_int_equal(stat(temp_name(temp, path, folder), &status),
				 0);
		assert_true((uint64_t)status.st_size <= bound);
		/* And is not idle talk. */
		assert_true((uint64_t)status.st_size >=
			    (bound - STORE_BYTES_FIXED) / 2);
	}
}

static void a_list_that_outgrows_its_bound_is_refused(void **state)
{
	static const uint8_t value[100000];
	struct temp *temp = *state;
	struct fault fault = { 0 };
	struct store *store;
	int error = 0;

	assert_int_equal(store_create(&store, temp->path, 1 << 20, &fault), 0);
	for (int number = 0; number < 20 && !error; number++)
		error = store_append(store, value, sizeof(value), &fault);
	assert_int_equal(error, -ENOSPC);
	assert_non_null(strstr(fault.text, "data.mdb: cannot be written"));
	store_close(store);
}

static int open_list(const struct temp *temp, struct fault *fault)
{
	struct store_value value;
	struct store *store;
	int error;

	memset(fault, 0, sizeof(*fault));
	error = store_open(&store, temp->path, fault);
	if (error) {
		assert_true(fault->text[0] != 0);
		/* Its path is gone with the store: the text says it all. */
		assert_null(fault->file);
		return error;
	}
	while ((error = store_next(store, &value, fault)) > 0) {
		volatile uint8_t sum = 0;

		for (size_t at = 0; at < value.size; at += 512)
			sum ^= ((const uint8_t *)value.data)[at];
	}
	store_close(store);
	return error;
}

/* LMDB alone would open it and die of SIGBUS on touching what is missing. */
static void a_truncated_list_is_refused_at_every_length(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct fault fault;
	struct stat status;

	write_list(temp->path, 30, mixed_size);
	temp_name(temp, "data.mdb", path);
	assert_int_equal(stat(path, &status), 0);
	for (off_t size = status.st_size - 1; size >= 0; size -= 97) {
		assert_int_equal(truncate(path, size), 0);
		assert_int_equal(open_list(temp, &fault), -EBADMSG);
	}
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(open_list(temp, &fault), -EBADMSG);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(open_list(temp, &fault), -ENOENT);
}

/* LMDB alone dies of many of these. */
static void no_flipped_bit_of_a_list_does_harm(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct fault fault;
	unsigned refused = 0;
	struct stat status;

	write_list(temp->path, 60, mixed_size);
	temp_name(temp, "data.mdb", path);
	assert_int_equal(stat(path, &status), 0);
	/* Payload is nothing but payload: headers and references count. */
	for (size_t at = 0; at < (size_t)status.st_size;
	     at += at % 4096 < 200 ? 1 : 61) {
		examples_flip(path, at, at % 8);
		refused += open_list(temp, &fault) != 0;
		examples_flip(path, at, at % 8);
	}
	assert_true(refused > 100);
	assert_int_equal(open_list(temp, &fault), 0);
}

static void something_else_is_no_list(void **state)
{
	struct temp *temp = *state;
	uint8_t bytes[20000];
	struct fault fault;

	examples_fill(bytes, sizeof(bytes), 1);
	assert_int_equal(temp_write(temp, "data.mdb", bytes, sizeof(bytes)), 0);
	assert_int_equal(open_list(temp, &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "not a sound LMDB 0.9 data file"));
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(small_values_come_back_and_lie_where_they_say),
		TEST(values_around_the_page_limit_do_too),
		TEST(large_values_do_too),
		TEST(a_single_value_does_too),
		TEST(large_values_lie_in_the_order_of_their_keys),
		TEST(an_empty_list_is_whole),
		TEST(places_are_found_without_a_process_map_too),
		TEST(mdb_stat_and_mdb_dump_read_a_list),
		TEST(the_bound_of_a_file_holds),
		TEST(a_list_that_outgrows_its_bound_is_refused),
		TEST(a_truncated_list_is_refused_at_every_length),
		TEST(no_flipped_bit_of_a_list_does_harm),
		TEST(something_else_is_no_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
