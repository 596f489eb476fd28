/* SPDX-License-Identifier: MIT */
/* What a false claim does, and the support that lets tests ask for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/check.h"
#include "tests/support/temp.h"

static void claim_positive(int value)
{
	CHECK(value > 0);
}

static void a_true_claim_is_silent(void **state)
{
	(void)state;
	claim_positive(1);
}

static void a_false_claim_stops_the_caller(void **state)
{
	(void)state;
	expect_assert_failure(claim_positive(-1));
}

static void a_claim_is_evaluated_once(void **state)
{
	int count = 0;

	(void)state;
	CHECK(++count);
	assert_int_equal(count, 1);
}

static void a_temp_folder_goes_with_all_in_it(void **state)
{
	char path[TEMP_PATH_MAX];
	struct stat status;
	struct temp temp;

	(void)state;
	assert_int_equal(temp_open(&temp), 0);
	assert_non_null(temp_name(&temp, "closed", path));
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(temp_write(&temp, "closed/file", "abc", 3), 0);
	assert_non_null(temp_name(&temp, "closed/file", path));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 3);
	temp_name(&temp, "closed", path);
	assert_int_equal(chmod(path, 0), 0);
	temp_close(&temp);
	assert_int_equal(stat(temp.path, &status), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_true_claim_is_silent),
		cmocka_unit_test(a_false_claim_stops_the_caller),
		cmocka_unit_test(a_claim_is_evaluated_once),
		cmocka_unit_test(a_temp_folder_goes_with_all_in_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
