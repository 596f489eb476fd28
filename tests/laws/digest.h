/* SPDX-License-Identifier: MIT */
/*
 * One number made of everything the model computes: draws of every kind,
 * orders, layouts, completions. Equal numbers from two compilers, two levels
 * of optimisation or two machines mean equal results to the last bit. It needs
 * no C library, so it also runs as WebAssembly.
 */
#ifndef TESTS_LAWS_DIGEST_H
#define TESTS_LAWS_DIGEST_H

#include <stdint.h>

uint64_t digest(void);

/* Its building stones. fold() takes one word in; digest_engine() takes in what
 * whole runs decide and count. */
uint64_t fold(uint64_t hash, uint64_t word);
uint64_t fold_double(uint64_t hash, double value);
uint64_t digest_engine(uint64_t hash);

#endif
