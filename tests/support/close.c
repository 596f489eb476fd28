/* SPDX-License-Identifier: MIT */
#include "tests/support/close.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

void close_check(double found, double expected, double tolerance,
		 const char *file, int line)
{
	if (fabs(found - expected) <= tolerance)
		return;
	print_error("found %.9g, expected %.9g within %g\n", found, expected,
		    tolerance);
	_fail(file, line);
}
