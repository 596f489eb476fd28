/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "storage/buffers.h"

static void every_byte_is_zero_and_can_be_written(void **state)
{
	static const size_t sizes[] = { 1, 4096, 5000, 2 << 20, (2 << 20) + 1 };
	unsigned char *memory;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		memory = buffers_map(sizes[i]);
		assert_non_null(memory);
		for (size_t j = 0; j < sizes[i]; j++)
			assert_int_equal(memory[j], 0);
		memset(memory, 0x5a, sizes[i]);
		buffers_unmap(memory, sizes[i]);
	}
}

static void it_begins_with_a_huge_page(void **state)
{
	void *memories[8];

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		memories[i] = buffers_map(4096 * (i + 1));
		assert_non_null(memories[i]);
		assert_int_equal((uintptr_t)memories[i] % (2 << 20), 0);
	}
	for (size_t i = 0; i < 8; i++)
		buffers_unmap(memories[i], 4096 * (i + 1));
}

static void more_than_there_can_be_is_refused(void **state)
{
	(void)state;
	assert_null(buffers_map(SIZE_MAX));
	assert_null(buffers_map(SIZE_MAX - (2 << 20)));
	assert_null(buffers_map(SIZE_MAX / 2));
	buffers_unmap(NULL, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_is_zero_and_can_be_written),
		cmocka_unit_test(it_begins_with_a_huge_page),
		cmocka_unit_test(more_than_there_can_be_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
