/* SPDX-License-Identifier: MIT */
/*
 * The members of a scenario's device: which one a key means, and what follows
 * when one is given.
 */
#ifndef TRACES_DEVICE_MEMBER_H
#define TRACES_DEVICE_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/field.h"
#include "traces/scenario.h"

#define DEVICE_KEY "storage.device"

/* Is the row one of a device's, but not of its buckets? */
bool device_has(const struct field *field);

/* The row of a bucket's member by its name; NULL when there is none. */
const struct field *device_bucket_row(const char *name);

/* The row that "buckets.0.peak" means, and which bucket; NULL when there is no
 * such member or no such bucket. */
const struct field *device_bucket_find(const struct scenario *scenario,
				       const char *path, uint32_t *bucket);

/* Drops the rules (traces/device_scale.h) of a field, NULL for all fields of
 * buckets. */
void device_forget_scale(struct scenario *scenario, const struct field *field,
			 uint32_t bucket);

/* A member of the device (of bucket `bucket`, for rows of buckets) has been
 * given: the device is no longer just what it is called. */
void device_note_given(struct scenario *scenario, const struct field *field,
		       uint32_t bucket);

#endif
