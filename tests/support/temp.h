/* SPDX-License-Identifier: MIT */
/*
 * A folder of a test's own, gone with everything in it at the end. As cmocka
 * fixtures: cmocka_unit_test_setup_teardown(test, temp_setup, temp_teardown)
 * gives *state a struct temp.
 */
#ifndef TESTS_SUPPORT_TEMP_H
#define TESTS_SUPPORT_TEMP_H

#include <stddef.h>

#define TEMP_PATH_MAX 512

struct temp {
	char path[TEMP_PATH_MAX];
};

/* Makes an empty folder below $TMPDIR or /tmp. 0 or negative errno. */
int temp_open(struct temp *temp);

/* Removes it, also when a test took permissions away from what is in it. */
void temp_close(struct temp *temp);

/* The path of `name` inside, written to `path` (TEMP_PATH_MAX). Returns it. */
const char *temp_name(const struct temp *temp, const char *name, char *path);

/* Writes a file of that name inside. 0 or negative errno. */
int temp_write(const struct temp *temp, const char *name, const void *bytes,
	       size_t size);

int temp_setup(void **state);
int temp_teardown(void **state);

#endif
