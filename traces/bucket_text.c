/* SPDX-License-Identifier: MIT */
#include "traces/bucket_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "traces/device_check.h"
#include "traces/device_member.h"
#include "traces/member.h"

#define LIST_KEY DEVICE_KEY ".buckets"
#define EXAMPLE "{of: ops, capacity: 5400000, baseline: 300, peak: 3000}"

bool bucket_reads(const char *key)
{
	size_t length = strlen(LIST_KEY);

	return strncmp(key, LIST_KEY, length) == 0 && strchr(".[", key[length]);
}

static int read_member(const struct reader *reader, struct scenario *scenario,
		       uint32_t index, const struct yaml_value *value)
{
	const struct field *field = device_bucket_row(value->key);
	char key[FIELD_KEY_MAX], quoted[FIELD_KEY_MAX], near[FIELD_KEY_MAX];
	char hint[2 * FIELD_KEY_MAX] = "";

	if (field) {
		snprintf(key, sizeof(key), LIST_KEY ".%u.%.20s", index,
			 value->key);
		return member_read(reader, field, key, value,
				   &scenario->storage.profile.buckets[index]);
	}
	snprintf(key, sizeof(key), LIST_KEY "[].%.60s", value->key);
	if (field_nearest(key, near, sizeof(near)))
		snprintf(hint, sizeof(hint), "; did you mean \"%s\"?",
			 strrchr(near, '.') + 1);
	value_fault(reader, value, "unknown key %s in " LIST_KEY ".%u%s",
		    value_quote(value->key, quoted, sizeof(quoted)), index,
		    hint);
	return -EINVAL;
}

static const struct yaml_value *member(const struct yaml_value *map,
				       const char *key)
{
	const struct yaml_value *value = map->child;

	while (value && strcmp(value->key, key) != 0)
		value = value->next;
	return value;
}

/* A bucket starts full unless it says otherwise. */
static int finish(const struct reader *reader, struct scenario *scenario,
		  uint32_t index, const struct yaml_value *map)
{
	static const char *const needed[] = { "of", "capacity", "baseline",
					      "peak" };
	struct device_bucket *bucket =
		&scenario->storage.profile.buckets[index];
	struct device_flaw flaw;
	size_t i;

	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (member(map, needed[i]))
			continue;
		value_fault(reader, map,
			    LIST_KEY ".%u.%s: not given; expected a bucket "
				     "such as " EXAMPLE,
			    index, needed[i]);
		return -EINVAL;
	}
	if (!member(map, "initial"))
		bucket->profile.initial = bucket->profile.capacity;
	if (!device_bucket_contradicts(bucket, index, &flaw))
		return 0;
	value_fault(reader, map, DEVICE_KEY ".%s: %s", flaw.key, flaw.text);
	return -EINVAL;
}

static int read_bucket(const struct reader *reader, struct scenario *scenario,
		       uint32_t index, const struct yaml_value *map)
{
	const struct yaml_value *of, *value;
	char key[FIELD_KEY_MAX];
	int error;

	if (map->kind != YAML_MAP) {
		snprintf(key, sizeof(key), LIST_KEY ".%u", index);
		return value_refuse(reader, key, map, "a map such as " EXAMPLE);
	}
	memset(&scenario->storage.profile.buckets[index], 0,
	       sizeof(struct device_bucket));
	/* The units of the others hang on it. */
	of = member(map, "of");
	error = of ? read_member(reader, scenario, index, of) : 0;
	for (value = map->child; !error && value; value = value->next)
		if (value != of)
			error = read_member(reader, scenario, index, value);
	return error ? error : finish(reader, scenario, index, map);
}

static int read_list(const struct reader *reader, struct scenario *scenario,
		     const struct yaml_value *list)
{
	const struct yaml_value *map = list->child;
	uint32_t count = 0;
	int error;

	if (list->kind != YAML_LIST)
		return value_refuse(reader, LIST_KEY, list,
				    "a list of buckets such as [" EXAMPLE "]");
	for (; map; map = map->next) {
		if (count == DEVICE_BUCKETS_MAX) {
			value_fault(reader, map,
				    LIST_KEY ": more than %d buckets; "
					     "expected fewer",
				    DEVICE_BUCKETS_MAX);
			return -EINVAL;
		}
		error = read_bucket(reader, scenario, count, map);
		if (error)
			return error;
		count++;
	}
	scenario->storage.profile.bucket_count = count;
	device_note_given(scenario, NULL, 0);
	return 0;
}

int bucket_read(const struct reader *reader, struct scenario *scenario,
		const char *key, const struct yaml_value *value)
{
	const struct field *field;
	char quoted[FIELD_KEY_MAX];
	uint32_t bucket;
	int error;

	if (strcmp(key, LIST_KEY) == 0)
		return read_list(reader, scenario, value);
	field = device_bucket_find(scenario, key + strlen(DEVICE_KEY "."),
				   &bucket);
	if (!field) {
		value_fault(reader, value,
			    "unknown key %s; expected " LIST_KEY
			    ".N.KEY with N of one of the device's %u buckets",
			    value_quote(key, quoted, sizeof(quoted)),
			    scenario->storage.profile.bucket_count);
		return -EINVAL;
	}
	error = member_read(reader, field, key, value,
			    &scenario->storage.profile.buckets[bucket]);
	if (!error)
		device_note_given(scenario, field, bucket);
	return error;
}
