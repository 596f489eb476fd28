/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/pack/pack.h"
#include "tests/support/examples.h"
#include "tests/support/temp.h"

/* Memory of this process that is no file's. */
static long anonymous_kibibytes(void)
{
	static const char key[] = "RssAnon:";
	FILE *status = fopen("/proc/self/status", "r");
	long kibibytes = 0;
	char line[128];

	if (!status)
		return 0;
	while (fgets(line, sizeof(line), status))
		if (strncmp(line, key, strlen(key)) == 0)
			kibibytes = strtol(line + strlen(key), NULL, 10);
	fclose(status);
	return kibibytes;
}

static bool note_most(void *context, uint64_t done, uint64_t total)
{
	long *most = context;
	long now = anonymous_kibibytes();

	(void)done;
	(void)total;
	if (now > *most)
		*most = now;
	return true;
}

/* The most memory seen while packing that many examples. */
static long packing_kibibytes(const char *target, const char *format,
			      uint64_t examples, double bytes)
{
	long most = 0;
	struct pack_options options = {
		.target = target,
		.format = format,
		.synthetic_examples = examples,
		.synthetic_bytes = distribution_constant(bytes),
		.synthetic_ratio = 2,
		.block_bytes = 65536,
		.level = 1,
		.progress = note_most,
		.context = &most,
	};

	examples_pack(&options);
	return most;
}

/* LMDB keeps up to a batch of values, so the small one has two of them. */
static void eight_times_the_data_takes_no_more_memory(void **state)
{
	static const struct {
		const char *format;
		uint64_t examples;
		double bytes;
	} kinds[] = { { "shards", 1000, 10000 },
		      { "lmdb", 6000, 10000 },
		      { "lmdb", 40000, 100 } };

	/* A sanitizer that keeps freed memory, or no process file system. */
	if (!anonymous_kibibytes() || EXAMPLES_SANITIZED)
		skip();
	for (unsigned index = 0; index < 3; index++) {
		double bytes = kinds[index].bytes;
		uint64_t examples = kinds[index].examples;
		char name[] = "small0";
		char path[TEMP_PATH_MAX];
		long small;
		long large;

		name[5] = (char)('0' + index);
		temp_name(*state, name, path);
		small = packing_kibibytes(path, kinds[index].format, examples,
					  bytes);
		name[0] = 'l';
		temp_name(*state, name, path);
		large = packing_kibibytes(path, kinds[index].format,
					  8 * examples, bytes);
		print_message("%s of %.0f bytes: %ld KiB, then %ld KiB\n",
			      kinds[index].format, bytes, small, large);
		assert_true(large < small + 4096);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			eight_times_the_data_takes_no_more_memory, temp_setup,
			temp_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
