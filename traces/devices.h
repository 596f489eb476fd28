/* SPDX-License-Identifier: MIT */
/*
 * The catalogue of devices: the files of traces/devices, compiled into the
 * program, so that a name means the same in every folder. A file is a profile
 * as any person could write it; its name without .yaml is the device's.
 */
#ifndef TRACES_DEVICES_H
#define TRACES_DEVICES_H

#include <stddef.h>

#define DEVICES_NEAREST_MAX 128 /* bytes of what devices_nearest() says */

struct devices_entry {
	const char *name;
	const char *text; /* of the profile file */
	size_t size;
};

/* In the order of names. Made from the files when the program is built. */
extern const struct devices_entry devices_table[];
extern const size_t devices_count;

/* NULL when there is no device of this name. */
const struct devices_entry *devices_find(const char *name);

/* The names that somebody may have meant, "aws-ebs-gp2 or aws-ebs-gp3", at
 * most three of them: a part of the name is enough. "" when none is near.
 * Returns text. */
const char *devices_nearest(const char *word, char *text, size_t size);

#endif
