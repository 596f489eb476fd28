/* SPDX-License-Identifier: MIT */
/* Comparison of real numbers; cmocka's own is of single precision. */
#ifndef TESTS_SUPPORT_CLOSE_H
#define TESTS_SUPPORT_CLOSE_H

/* Fails the test unless |found - expected| <= tolerance. */
#define assert_close(found, expected, tolerance)                               \
	close_check(found, expected, tolerance, __FILE__, __LINE__)

void close_check(double found, double expected, double tolerance,
		 const char *file, int line);

#endif
