/* SPDX-License-Identifier: MIT */
/* A small trace of every format that can be imported. */
#ifndef TESTS_SUPPORT_IMPORT_SAMPLES_H
#define TESTS_SUPPORT_IMPORT_SAMPLES_H

#include <stddef.h>

struct import_sample {
	const char *importer;
	const void *bytes;
	size_t size;
	size_t events; /* in it */
};

/* A row for each importer at least. */
extern const struct import_sample import_samples[];
extern const size_t import_sample_count;

#endif
