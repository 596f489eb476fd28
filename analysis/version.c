/* SPDX-License-Identifier: MIT */
#include "analysis/version.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define VERSION_PARTS 3
#define SHOWN_MAX 40 /* of what a file says, in a message */

/* "1.2.3"; false for anything else. */
static bool parse_version(const char *text, unsigned long *parts)
{
	char *end;
	size_t i;

	for (i = 0; i < VERSION_PARTS; i++) {
		if (*text < '0' || *text > '9')
			return false;
		parts[i] = strtoul(text, &end, 10);
		text = end + (i + 1 < VERSION_PARTS && *end == '.');
	}
	return !*text;
}

int version_check(const char *text, struct fault *fault)
{
	unsigned long theirs[VERSION_PARTS], ours[VERSION_PARTS];
	size_t i;

	if (!text || !parse_version(text, theirs) ||
	    !parse_version(ECHOSIM_VERSION, ours)) {
		fault_set(fault, fault->file, 0,
			  "not a result of echosim; expected \"echosim\": a "
			  "version, as --format json writes it");
		return -EINVAL;
	}
	for (i = 0; i < VERSION_PARTS && theirs[i] == ours[i]; i++)
		;
	if (i == VERSION_PARTS || theirs[i] < ours[i])
		return 0;
	fault_set(fault, fault->file, 0,
		  "made by echosim %.*s; expected a version no newer than this "
		  "one, " ECHOSIM_VERSION,
		  SHOWN_MAX, text);
	return -EINVAL;
}
