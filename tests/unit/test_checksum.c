/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "storage/checksum.h"

/* The values that XXH64's own documentation and other implementations give. */
static void xxh64_of_known_texts(void **state)
{
	(void)state;
	assert_int_equal(checksum_of("", 0), UINT64_C(0xef46db3751d8e999));
	assert_int_equal(checksum_of("abc", 3), UINT64_C(0x44bc2cf5ad770999));
}

static void a_sequence_tells_the_order_of_its_records(void **state)
{
	uint64_t forth;
	uint64_t back;

	(void)state;
	forth = checksum_extend(checksum_extend(0, "one", 3), "two", 3);
	back = checksum_extend(checksum_extend(0, "two", 3), "one", 3);
	assert_int_not_equal(forth, back);
	assert_int_equal(checksum_extend(0, "abc", 3), checksum_of("abc", 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(xxh64_of_known_texts),
		cmocka_unit_test(a_sequence_tells_the_order_of_its_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
