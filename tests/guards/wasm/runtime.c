/* SPDX-License-Identifier: MIT */
/* What the model may call; a module has no C library. */
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
