/* SPDX-License-Identifier: MIT */
#include "sim/printable.h"

#include <stdint.h>

/* How many bytes a character of UTF-8 has, by its first; 0: none begins so. */
static size_t length_of(uint8_t first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t printable_next(const char *text, bool *shown)
{
	uint8_t first = (uint8_t)text[0];
	size_t length = length_of(first), i;

	*shown = false;
	for (i = 1; i < length; i++)
		if (((uint8_t)text[i] & 0xc0) != 0x80)
			return 1;
	/* Two rows of control characters. */
	*shown = length && first >= 0x20 && first != 0x7f &&
		 !(first == 0xc2 && (uint8_t)text[1] < 0xa0);
	if (!first)
		return 0;
	return length ? length : 1;
}

void printable(char *text)
{
	char *to = text;
	size_t bytes, i;
	bool shown;

	while ((bytes = printable_next(text, &shown))) {
		for (i = 0; i < bytes && shown; i++)
			to[i] = text[i];
		if (!shown)
			*to = '?';
		to += shown ? bytes : 1;
		text += bytes;
	}
	*to = '\0';
}
