/* SPDX-License-Identifier: MIT */
#include "cli/help_filter.h"

#include <argp.h>

char *help_filter(int key, const char *text,
		  void (*write)(FILE *out, const char *text))
{
	char *whole = NULL;
	size_t size = 0;
	FILE *out;

	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	out = open_memstream(&whole, &size);
	if (!out)
		return NULL;
	write(out, text);
	fclose(out);
	return whole;
}
