/* SPDX-License-Identifier: MIT */
/*
 * Folders of files to be packed, with content that can be told again from the
 * seed; and what the tests of packing ask over and over.
 */
#ifndef TESTS_SUPPORT_EXAMPLES_H
#define TESTS_SUPPORT_EXAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "storage/pack/pack.h"
#include "tests/support/temp.h"

/* Is this built with a sanitizer, which spends memory and time of its own? */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define EXAMPLES_SANITIZED 1
#else
#define EXAMPLES_SANITIZED 0
#endif

/* Half random, half repeated bytes, the same for the same seed. */
void examples_fill(uint8_t *to, size_t size, uint64_t seed);

/*
 * Makes the folder `name` with `count` files in nested folders; their sizes
 * run from 0 to bytes_max. *content gets their concatenation in the order of
 * `LC_ALL=C sort`, in memory that the caller frees, *size its size.
 */
void examples_make(const struct temp *temp, const char *name, unsigned count,
		   size_t bytes_max, uint8_t **content, size_t *size);

/* A file that exists, whole, in memory that the caller frees. */
uint8_t *examples_read(const char *path, size_t *size);

/* Flips a bit of a file in place; doing it again undoes it. */
void examples_flip(const char *path, size_t byte, unsigned bit);

/* Options for packing `source` to `target`, both paths that outlive them. */
struct pack_options examples_options(const char *source, const char *target,
				     const char *format, int level);

/* Packs, and fails the test with the fault's text when that fails. */
struct pack_result examples_pack(const struct pack_options *options);

/* Makes the rest of a test run as somebody whom permissions stop, or again as
 * who it was. The temp folder must be open to everybody for that. */
void examples_be_nobody(const struct temp *temp);
void examples_be_oneself(void);

/* Things in a folder, hidden ones too. */
unsigned examples_count_names(const char *path);

/* 0 or the error of dataset_verify(), whose fault must then have a text. */
int examples_verify(const char *path, struct fault *fault);

#endif
