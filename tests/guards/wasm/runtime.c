/* SPDX-License-Identifier: MIT */
/*
 * What compiled code takes for granted: the three functions that the model may
 * call, and the compiler's own helper for products beyond 64 bits. A module
 * has neither a C library nor a compiler's library.
 */
#include <stdint.h>
#include <string.h>

void *memcpy(void *to, const void *from, size_t size)
{
	unsigned char *target = to;
	const unsigned char *source = from;

	for (size_t i = 0; i < size; i++)
		target[i] = source[i];
	return to;
}

void *memset(void *bytes, int value, size_t size)
{
	unsigned char *target = bytes;

	for (size_t i = 0; i < size; i++)
		target[i] = (unsigned char)value;
	return bytes;
}

int memcmp(const void *left, const void *right, size_t size)
{
	const unsigned char *a = left;
	const unsigned char *b = right;

	for (size_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Low and high word first: the order in memory of a 128-bit integer. */
union wide {
	__int128 value;
	struct {
		uint64_t low, high;
	};
};

/* Called for every product of two 128-bit integers, hence without one. */
__int128 __multi3(__int128 left, __int128 right);
__int128 __multi3(__int128 left, __int128 right)
{
	union wide a = { .value = left };
	union wide b = { .value = right };
	union wide product;
	uint64_t a0 = a.low & UINT32_MAX, a1 = a.low >> 32;
	uint64_t b0 = b.low & UINT32_MAX, b1 = b.low >> 32;
	uint64_t low = a0 * b0;
	uint64_t middle = a1 * b0 + (low >> 32);
	uint64_t other = a0 * b1 + (middle & UINT32_MAX);

	product.low = other << 32 | (low & UINT32_MAX);
	product.high = a1 * b1 + (middle >> 32) + (other >> 32) +
		       a.low * b.high + a.high * b.low;
	return product.value;
}
