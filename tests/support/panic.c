/* SPDX-License-Identifier: MIT */
/*
 * In tests a false CHECK() fails the test that met it and says which claim it
 * was; expect_assert_failure(call) is how a test asks for one. Off the main
 * thread there is no test to return to, so there it ends the program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/check.h"

_Noreturn void sim_panic(const char *claim, const char *file, int line)
{
	if (gettid() == getpid())
		mock_assert(0, claim, file, line);
	fprintf(stderr, "%s:%d: CHECK(%s) is false\n", file, line, claim);
	abort();
}
