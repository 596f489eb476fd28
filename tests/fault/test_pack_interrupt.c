/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "storage/pack/pack.h"
#include "tests/support/examples.h"
#include "tests/support/temp.h"

struct interrupt {
	unsigned calls;
	unsigned allowed;
	uint64_t done_bytes;
	uint64_t total_bytes;
};

static bool count_calls(void *context, uint64_t done, uint64_t total)
{
	struct interrupt *interrupt = context;

	assert_true(done > interrupt->done_bytes);
	assert_true(done <= total);
	interrupt->done_bytes = done;
	interrupt->total_bytes = total;
	return interrupt->calls++ < interrupt->allowed;
}

/* `target` gets the target's path. */
static struct pack_options synthetic(const struct temp *temp, char *target,
				     struct interrupt *interrupt)
{
	return (struct pack_options){
		.target = temp_name(temp, "set", target),
		.format = "shards",
		.synthetic_examples = 500,
		.synthetic_bytes = distribution_constant(20000),
		.synthetic_ratio = 2,
		.block_bytes = 65536,
		.level = 1,
		.progress = count_calls,
		.context = interrupt,
	};
}

static void progress_goes_from_nothing_to_everything(void **state)
{
	struct temp *temp = *state;
	char target[TEMP_PATH_MAX];
	struct interrupt interrupt = { .allowed = 1000 };
	struct pack_options options = synthetic(temp, target, &interrupt);

	examples_pack(&options);
	assert_int_equal(interrupt.done_bytes, 10000000);
	assert_int_equal(interrupt.total_bytes, 10000000);
	assert_in_range(interrupt.calls, 5, 20);
}

static void an_interrupt_leaves_nothing_behind(void **state)
{
	struct temp *temp = *state;
	char target[TEMP_PATH_MAX];

	for (unsigned allowed = 0; allowed < 9; allowed++) {
		struct interrupt interrupt = { .allowed = allowed };
		struct pack_options options =
			synthetic(temp, target, &interrupt);
		struct pack_result result;
		struct fault fault = { 0 };

		assert_int_equal(pack_run(&options, &result, &fault), -EINTR);
		assert_non_null(strstr(fault.text, "interrupted"));
		assert_int_equal(interrupt.calls, allowed + 1);
		assert_int_equal(examples_count_names(temp->path), 0);
	}
}

static void shards_end_by_size_when_not_told_otherwise(void **state)
{
	struct temp *temp = *state;
	char target[TEMP_PATH_MAX];
	struct pack_options options = synthetic(temp, target, NULL);
	struct pack_result result;
	struct stat status;
	char path[TEMP_PATH_MAX + 32];

	options.progress = NULL;
	options.synthetic_examples = 70;
	options.synthetic_bytes = distribution_constant(2 << 20);
	options.synthetic_ratio = 1;
	result = examples_pack(&options);
	/* 140 MiB in shards that end behind 64 MiB. */
	assert_int_equal(result.shards, 3);
	snprintf(path, sizeof(path), "%s/shard-00000.zst", target);
	assert_int_equal(stat(path, &status), 0);
	assert_in_range(status.st_size, 64 << 20, 67 << 20);
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(progress_goes_from_nothing_to_everything),
		TEST(an_interrupt_leaves_nothing_behind),
		TEST(shards_end_by_size_when_not_told_otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
