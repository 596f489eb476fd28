/* SPDX-License-Identifier: MIT */
/* All of <string.h> that the model may see when it is built for WebAssembly. */
#ifndef TESTS_GUARDS_WASM_STRING_H
#define TESTS_GUARDS_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memset(void *bytes, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);

#endif
