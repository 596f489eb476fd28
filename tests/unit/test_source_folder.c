/* SPDX-License-Identifier: MIT */
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
#include <sys/stat.h>
#include <unistd.h>

#include "storage/pack/source.h"
#include "tests/support/examples.h"
#include "tests/support/program.h"
#include "tests/support/temp.h"

/* Reads everything, one behind the other. */
static int read_all(const char *path, uint8_t *to, size_t room, size_t *size,
		    uint64_t *skipped, struct fault *fault)
{
	struct source *source;
	uint64_t bytes;
	int got;

	memset(fault, 0, sizeof(*fault));
	*size = 0;
	got = source_open_folder(&source, path, fault);
	if (got)
		return got;
	while ((got = source_next(source, &bytes, fault)) > 0) {
		assert_true(*size + bytes <= room);
		got = source_read(source, to + *size, fault);
		if (got)
			break;
		*size += bytes;
	}
	if (skipped)
		*skipped = source->skipped;
	source_close(source);
	if (got)
		assert_true(fault->text[0] != 0);
	return got;
}

static void files_come_in_the_order_of_their_paths(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct fault fault;
	uint8_t *expected;
	uint8_t *got;
	size_t expected_size;
	size_t size;

	examples_make(temp, "in", 120, 3000, &expected, &expected_size);
	got = malloc(expected_size + 1);
	assert_int_equal(read_all(temp_name(temp, "in", path), got,
				  expected_size, &size, NULL, &fault),
			 0);
	assert_int_equal(size, expected_size);
	assert_memory_equal(got, expected, size);
	free(got);
	free(expected);
}

/* The judge of what that order is. */
static void it_is_the_order_that_sort_gives(void **state)
{
	static const char script[] =
		"cd \"$1\" && find -L . -type f | LC_ALL=C sort | "
		"tr '\\n' '\\0' | xargs -0 cat";
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	const char *const command[] = { "sh", "-c", script, "sh", path, NULL };
	uint8_t *expected;
	uint8_t *sorted;
	size_t expected_size;
	size_t size;

	examples_make(temp, "in", 60, 500, &expected, &expected_size);
	sorted = malloc(expected_size + 1);
	temp_name(temp, "in", path);
	assert_int_equal(program_run(command, sorted, expected_size + 1, &size),
			 0);
	assert_int_equal(size, expected_size);
	assert_memory_equal(sorted, expected, size);
	free(sorted);
	free(expected);
}

static void what_is_no_file_is_skipped_and_counted(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct fault fault;
	uint64_t skipped;
	uint8_t got[100];
	size_t size;

	assert_int_equal(temp_write(temp, "b", "file", 4), 0);
	assert_int_equal(mkfifo(temp_name(temp, "a-pipe", path), 0666), 0);
	assert_int_equal(symlink("b", temp_name(temp, "c-link", path)), 0);
	assert_int_equal(symlink("gone", temp_name(temp, "d-broken", path)), 0);
	assert_int_equal(symlink(".", temp_name(temp, "e-circle", path)), 0);
	assert_int_equal(symlink("/dev/null", temp_name(temp, "f-null", path)),
			 0);
	assert_int_equal(mkdir(temp_name(temp, "g-empty", path), 0777), 0);
	assert_int_equal(temp_write(temp, ".hidden", "seen", 4), 0);
	assert_int_equal(read_all(temp->path, got, sizeof(got), &size, &skipped,
				  &fault),
			 0);
	got[size] = 0;
	assert_string_equal((char *)got, "seenfilefile");
	assert_int_equal(skipped, 4);
}

static void an_empty_folder_has_no_examples(void **state)
{
	struct temp *temp = *state;
	struct fault fault;
	size_t size;

	assert_int_equal(read_all(temp->path, NULL, 0, &size, NULL, &fault), 0);
	assert_int_equal(size, 0);
}

static void what_is_no_folder_is_refused(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct fault fault;
	size_t size;

	assert_int_equal(temp_write(temp, "file", "x", 1), 0);
	assert_int_equal(read_all(temp_name(temp, "file", path), NULL, 0, &size,
				  NULL, &fault),
			 -ENOTDIR);
	assert_non_null(strstr(fault.text, "/file/: cannot be opened"));
	assert_int_equal(read_all(temp_name(temp, "gone", path), NULL, 0, &size,
				  NULL, &fault),
			 -ENOENT);
}

/* Goes to the only file, changes it, reads it. */
static int read_changed(struct temp *temp, off_t size, int rewrite,
			struct fault *fault)
{
	char path[TEMP_PATH_MAX];
	struct source *source;
	uint8_t to[10];
	uint64_t bytes;
	int error;

	memset(fault, 0, sizeof(*fault));
	assert_int_equal(temp_write(temp, "file", "0123456789", 10), 0);
	assert_int_equal(source_open_folder(&source, temp->path, fault), 0);
	assert_int_equal(source_next(source, &bytes, fault), 1);
	assert_int_equal(bytes, 10);
	temp_name(temp, "file", path);
	if (rewrite)
		assert_int_equal(truncate(path, size), 0);
	else
		assert_int_equal(unlink(path), 0);
	error = source_read(source, to, fault);
	source_close(source);
	return error;
}

static void a_file_that_changes_its_size_is_named(void **state)
{
	struct fault fault;

	assert_int_equal(read_changed(*state, 9, 1, &fault), -EAGAIN);
	assert_non_null(strstr(fault.text, "/file: its size changed"));
	assert_int_equal(read_changed(*state, 0, 1, &fault), -EAGAIN);
	assert_int_equal(read_changed(*state, 11, 1, &fault), -EAGAIN);
	assert_int_equal(read_changed(*state, 10, 1, &fault), 0);
}

static void a_file_that_goes_away_is_named(void **state)
{
	struct fault fault;

	assert_int_equal(read_changed(*state, 0, 0, &fault), -ESTALE);
	assert_non_null(strstr(fault.text, "/file: cannot be opened"));
}

static void what_may_not_be_read_is_named(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct fault fault;
	uint8_t got[10];
	size_t size;

	assert_int_equal(temp_write(temp, "file", "x", 1), 0);
	assert_int_equal(chmod(temp_name(temp, "file", path), 0), 0);
	examples_be_nobody(temp);
	assert_int_equal(read_all(temp->path, got, sizeof(got), &size, NULL,
				  &fault),
			 -EACCES);
	examples_be_oneself();
	assert_non_null(strstr(fault.text, "/file: cannot be opened"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0), 0);
	examples_be_nobody(temp);
	assert_int_equal(read_all(temp->path, got, sizeof(got), &size, NULL,
				  &fault),
			 -EACCES);
	examples_be_oneself();
}

static void folders_nested_without_end_are_refused(void **state)
{
	struct temp *temp = *state;
	struct fault fault;
	size_t size;
	int here = open(".", O_RDONLY | O_DIRECTORY);

	assert_int_equal(chdir(temp->path), 0);
	for (int depth = 0; depth < 200; depth++) {
		assert_int_equal(mkdir("d", 0777), 0);
		assert_int_equal(chdir("d"), 0);
	}
	assert_int_equal(fchdir(here), 0);
	close(here);
	assert_int_equal(read_all(temp->path, NULL, 0, &size, NULL, &fault),
			 -ELOOP);
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(files_come_in_the_order_of_their_paths),
		TEST(it_is_the_order_that_sort_gives),
		TEST(what_is_no_file_is_skipped_and_counted),
		TEST(an_empty_folder_has_no_examples),
		TEST(what_is_no_folder_is_refused),
		TEST(a_file_that_changes_its_size_is_named),
		TEST(a_file_that_goes_away_is_named),
		TEST(what_may_not_be_read_is_named),
		TEST(folders_nested_without_end_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
