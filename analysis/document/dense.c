/* SPDX-License-Identifier: MIT */
#include "analysis/document/write.h"

/* What jansson takes, rounded up. */
#define OBJECT_BYTES 256
#define ARRAY_BYTES 160
#define VALUE_BYTES 64
#define TREE_BYTES_MAX ((size_t)1 << 30)

/* What stands in strings is counted too: more than there is, never less. */
bool json_is_dense(const char *text, size_t size)
{
	size_t bytes = 0, i;

	for (i = 0; i < size && bytes <= TREE_BYTES_MAX; i++) {
		switch (text[i]) {
		case '{':
			bytes += OBJECT_BYTES;
			break;
		case '[':
			bytes += ARRAY_BYTES;
			break;
		case ',':
			bytes += VALUE_BYTES;
			break;
		default:
			break;
		}
	}
	return bytes > TREE_BYTES_MAX;
}
