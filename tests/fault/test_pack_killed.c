/* SPDX-License-Identifier: MIT */
/* A process that dies while it packs, at any point: no dataset is seen, or a
 * whole one; and the next packing removes what it left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/dataset/dataset.h"
#include "storage/pack/pack.h"
#include "tests/support/examples.h"
#include "tests/support/program.h"
#include "tests/support/temp.h"

/* Ends the process without another step of it. */
static bool die(void *context, uint64_t done, uint64_t total)
{
	unsigned *left = context;

	(void)done;
	(void)total;
	if ((*left)-- == 0)
		raise(SIGKILL);
	return true;
}

static struct pack_options synthetic(const char *target, const char *format)
{
	return (struct pack_options){
		.target = target,
		.format = format,
		.synthetic_examples = 200,
		.synthetic_bytes = distribution_constant(50000),
		.synthetic_ratio = 2,
		.block_bytes = 65536,
		.shard_examples = 60,
		.level = 1,
	};
}

/* Packs in a process that is killed at the given call of progress. */
static void pack_and_die(const struct pack_options *whole, unsigned calls)
{
	struct pack_options options = *whole;
	struct pack_result result;
	struct fault fault = { 0 };
	int status;
	pid_t child;

	options.progress = die;
	options.context = &calls;
	child = fork();
	if (child == 0)
		_exit(pack_run(&options, &result, &fault) ? 1 : 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

static void killed_at_any_point(struct temp *temp, const char *format)
{
	char target[TEMP_PATH_MAX];
	struct pack_options options =
		synthetic(temp_name(temp, "set", target), format);
	struct fault fault;
	struct stat status;

	for (unsigned calls = 0; calls < 9; calls += 4) {
		pack_and_die(&options, calls);
		assert_int_equal(stat(target, &status), -1);
		/* What was left, and never more than the last one. */
		assert_int_equal(examples_count_names(temp->path), 1);
	}
	examples_pack(&options);
	assert_int_equal(examples_count_names(temp->path), 1);
	assert_int_equal(examples_verify(target, &fault), 0);
	/* The old one survives a death while it is to be replaced. */
	options.force = true;
	pack_and_die(&options, 3);
	assert_int_equal(examples_verify(target, &fault), 0);
}

static void shards_killed_while_packed_are_not_seen(void **state)
{
	killed_at_any_point(*state, "shards");
}

static void an_lmdb_dataset_killed_while_packed_is_not_seen(void **state)
{
	killed_at_any_point(*state, "lmdb");
}

/* What a killed process left is no dataset, wherever one looks. */
static void what_is_left_is_no_dataset(void **state)
{
	struct temp *temp = *state;
	char target[TEMP_PATH_MAX];
	char left[TEMP_PATH_MAX];
	struct pack_options options =
		synthetic(temp_name(temp, "set", target), "shards");
	const char *const find[] = { "sh", "-c", "echo \"$0\"/.set.partial-*",
				     temp->path, NULL };
	struct fault fault;
	size_t size;

	pack_and_die(&options, 5);
	assert_int_equal(program_run(find, left, sizeof(left) - 1, &size), 0);
	left[size - 1] = 0;
	assert_int_equal(examples_verify(left, &fault), -ENOENT);
	assert_non_null(strstr(fault.text, "not a dataset"));
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(shards_killed_while_packed_are_not_seen),
		TEST(an_lmdb_dataset_killed_while_packed_is_not_seen),
		TEST(what_is_left_is_no_dataset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
