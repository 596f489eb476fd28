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
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/pack/target.h"
#include "tests/support/examples.h"
#include "tests/support/temp.h"

#define MANIFEST "echosim-dataset 1\n"

static int check(const char *path, bool force, struct fault *fault)
{
	struct target target;
	int error;

	memset(fault, 0, sizeof(*fault));
	error = target_check(&target, path, force, fault);
	if (error)
		assert_true(fault->text[0] != 0);
	target_release(&target);
	return error;
}

static void write_at(const char *folder, const char *name, const char *text)
{
	struct temp temp;

	snprintf(temp.path, sizeof(temp.path), "%s", folder);
	assert_int_equal(temp_write(&temp, name, text, strlen(text)), 0);
}

/* A folder with a manifest, in a temp folder. */
static const char *old_dataset(const struct temp *temp, char *path)
{
	temp_name(temp, "set", path);
	assert_int_equal(mkdir(path, 0777), 0);
	write_at(path, "echosim.dataset", MANIFEST);
	write_at(path, "shard-00000.zst", "old");
	return path;
}

static void a_path_without_a_name_is_refused(void **state)
{
	static const char *const paths[] = {
		"", "/", ".", "..", "a/..", "a/./"
	};
	struct fault fault;

	(void)state;
	for (unsigned index = 0; index < 6; index++)
		assert_int_equal(check(paths[index], true, &fault), -EINVAL);
}

static void a_folder_that_is_not_there_cannot_hold_it(void **state)
{
	char path[TEMP_PATH_MAX];
	struct fault fault;

	assert_int_equal(check(temp_name(*state, "no/set", path), false,
			       &fault),
			 -ENOENT);
	assert_non_null(strstr(fault.text, "/no/: cannot be written to"));
}

static void it_appears_when_committed_and_not_before(void **state)
{
	struct temp *temp = *state;
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX];
	struct target target;
	struct stat status;

	temp_name(temp, "set///", path);
	assert_int_equal(target_check(&target, path, false, &fault), 0);
	assert_int_equal(examples_count_names(temp->path), 0);
	assert_int_equal(target_create(&target, &fault), 0);
	assert_int_equal(stat(path, &status), -1);
	assert_non_null(strstr(target.partial, "/.set.partial-"));
	write_at(target.partial, "echosim.dataset", MANIFEST);
	assert_int_equal(target_commit(&target, &fault), 0);
	target_release(&target);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(examples_count_names(temp->path), 1);
	assert_int_equal(examples_count_names(path), 1);
}

static void nothing_stays_when_it_is_not_committed(void **state)
{
	struct temp *temp = *state;
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX];
	struct target target;

	temp_name(temp, "set", path);
	assert_int_equal(target_check(&target, path, false, &fault), 0);
	assert_int_equal(target_create(&target, &fault), 0);
	write_at(target.partial, "shard-00000.zst", "half");
	snprintf(path, sizeof(path), "%s/catalogue", target.partial);
	assert_int_equal(mkdir(path, 0777), 0);
	write_at(path, "data.mdb", "half");
	write_at(path, "lock.mdb", "half");
	target_release(&target);
	assert_int_equal(examples_count_names(temp->path), 0);
}

static void what_exists_is_refused_without_force(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct fault fault;

	old_dataset(temp, path);
	assert_int_equal(check(path, false, &fault), -EEXIST);
	assert_non_null(strstr(fault.text, "exists already"));
	assert_int_equal(check(path, true, &fault), 0);
}

static void force_replaces_nothing_but_a_dataset(void **state)
{
	struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	char other[TEMP_PATH_MAX];
	struct fault fault;

	temp_name(temp, "file", other);
	assert_int_equal(temp_write(temp, "file", MANIFEST, 18), 0);
	assert_int_equal(check(other, true, &fault), -EEXIST);
	assert_int_equal(mkdir(temp_name(temp, "empty", other), 0777), 0);
	assert_int_equal(check(other, true, &fault), -EEXIST);
	assert_non_null(strstr(fault.text, "it is no dataset"));
	write_at(other, "echosim.dataset", "something else\n");
	assert_int_equal(check(other, true, &fault), -EEXIST);
	/* A link is not what it leads to. */
	old_dataset(temp, path);
	assert_int_equal(symlink("set", temp_name(temp, "link", other)), 0);
	assert_int_equal(check(other, true, &fault), -EEXIST);
	/* Somebody's notes in it would be lost. */
	write_at(path, "notes.txt", "precious");
	assert_int_equal(check(path, true, &fault), -EEXIST);
	assert_non_null(strstr(fault.text, "'notes.txt' in it is no part"));
}

static void the_old_one_is_there_until_the_new_one_is(void **state)
{
	struct temp *temp = *state;
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX];
	struct target target;

	old_dataset(temp, path);
	assert_int_equal(target_check(&target, path, true, &fault), 0);
	assert_int_equal(target_create(&target, &fault), 0);
	write_at(target.partial, "echosim.dataset", MANIFEST);
	assert_int_equal(examples_count_names(path), 2);
	assert_int_equal(target_commit(&target, &fault), 0);
	target_release(&target);
	assert_int_equal(examples_count_names(path), 1);
	assert_int_equal(examples_count_names(temp->path), 1);
}

static void a_target_that_appears_meanwhile_is_not_replaced(void **state)
{
	struct temp *temp = *state;
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX];
	struct target target;

	temp_name(temp, "set", path);
	assert_int_equal(target_check(&target, path, false, &fault), 0);
	assert_int_equal(target_create(&target, &fault), 0);
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(target_commit(&target, &fault), -EEXIST);
	target_release(&target);
	assert_int_equal(examples_count_names(temp->path), 1);
}

/* One left by a killed process, one in use, one of another target. */
static void only_abandoned_partial_folders_are_removed(void **state)
{
	struct temp *temp = *state;
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX];
	struct target target;
	int used;

	assert_int_equal(
		mkdir(temp_name(temp, ".set.partial-000001", path), 0777), 0);
	write_at(path, "shard-00000.zst", "half");
	assert_int_equal(
		mkdir(temp_name(temp, ".set2.partial-000001", path), 0777), 0);
	assert_int_equal(
		mkdir(temp_name(temp, ".set.partial-000002", path), 0777), 0);
	used = open(path, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(used, LOCK_EX), 0);
	assert_int_equal(target_check(&target, temp_name(temp, "set", path),
				      false, &fault),
			 0);
	assert_int_equal(target_create(&target, &fault), 0);
	target_release(&target);
	close(used);
	assert_int_equal(examples_count_names(temp->path), 2);
	assert_int_equal(
		access(temp_name(temp, ".set.partial-000002", path), F_OK), 0);
	assert_int_equal(
		access(temp_name(temp, ".set2.partial-000001", path), F_OK), 0);
}

static void where_nothing_may_be_written_it_cannot_be_made(void **state)
{
	struct temp *temp = *state;
	struct fault fault = { 0 };
	char folder[TEMP_PATH_MAX];
	char path[TEMP_PATH_MAX];
	struct target target;

	assert_int_equal(mkdir(temp_name(temp, "closed", folder), 0555), 0);
	temp_name(temp, "closed/set", path);
	examples_be_nobody(temp);
	assert_int_equal(target_check(&target, path, false, &fault), 0);
	assert_int_equal(target_create(&target, &fault), -EACCES);
	examples_be_oneself();
	assert_non_null(strstr(fault.text, "/closed/set: cannot be made"));
	target_release(&target);
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_without_a_name_is_refused),
		TEST(a_folder_that_is_not_there_cannot_hold_it),
		TEST(it_appears_when_committed_and_not_before),
		TEST(nothing_stays_when_it_is_not_committed),
		TEST(what_exists_is_refused_without_force),
		TEST(force_replaces_nothing_but_a_dataset),
		TEST(the_old_one_is_there_until_the_new_one_is),
		TEST(a_target_that_appears_meanwhile_is_not_replaced),
		TEST(only_abandoned_partial_folders_are_removed),
		TEST(where_nothing_may_be_written_it_cannot_be_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
