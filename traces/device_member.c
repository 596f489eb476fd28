/* SPDX-License-Identifier: MIT */
#include "traces/device_member.h"

#include <stdio.h>
#include <string.h>

#define BUCKETS_KEY DEVICE_KEY ".buckets"
#define BUCKETS_PATH "buckets."

bool device_has(const struct field *field)
{
	return strncmp(field->key, DEVICE_KEY ".", strlen(DEVICE_KEY ".")) ==
		       0 &&
	       !field_is_listed(field);
}

const struct field *device_bucket_row(const char *name)
{
	char key[FIELD_KEY_MAX];
	int length = snprintf(key, sizeof(key), BUCKETS_KEY "[].%s", name);

	return length < (int)sizeof(key) ? field_find(key) : NULL;
}

const struct field *device_bucket_find(const struct scenario *scenario,
				       const char *path, uint32_t *bucket)
{
	size_t length = strlen(BUCKETS_PATH);

	/* The number of a bucket is one digit. */
	if (strncmp(path, BUCKETS_PATH, length) != 0 || path[length] < '0' ||
	    path[length] > '9' || path[length + 1] != '.')
		return NULL;
	*bucket = (uint32_t)(path[length] - '0');
	if (*bucket >= scenario->storage.profile.bucket_count)
		return NULL;
	return device_bucket_row(path + length + 2);
}

void device_forget_scale(struct scenario *scenario, const struct field *field,
			 uint32_t bucket)
{
	struct device_scale *scales = scenario->storage.scales;
	uint32_t kept = 0;
	uint32_t i;

	for (i = 0; i < scenario->storage.scale_count; i++) {
		bool gone = field ? scales[i].field == field &&
					    scales[i].bucket == bucket :
				    field_is_listed(scales[i].field);

		if (!gone)
			scales[kept++] = scales[i];
	}
	scenario->storage.scale_count = kept;
}

void device_note_given(struct scenario *scenario, const struct field *field,
		       uint32_t bucket)
{
	if (scenario->storage.device[0] && !scenario->storage.native)
		memcpy(scenario->storage.extends, scenario->storage.device,
		       sizeof(scenario->storage.extends));
	scenario->storage.device[0] = '\0';
	scenario->storage.native = false;
	device_forget_scale(scenario, field, bucket);
}
