/* SPDX-License-Identifier: MIT */
#include "traces/recording/scenario.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/field.h"
#include "traces/scenario_write.h"

/* Keys, and with a dot their beginnings, that decide nothing in a run. */
static const char *const labels[] = {
	"name",
	"dataset.path",
	"storage.device",
	"storage.device.extends",
	"storage.device.size",
	"storage.device.description",
	"storage.device.source",
	"storage.device.as_of",
	"storage.device.unverified",
	"storage.device.price.",
	"pipeline.loader.like",
	"prices.",
	"training.",
};

static bool is_label(const char *key)
{
	size_t i;

	for (i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		size_t length = strlen(labels[i]);

		if (!strncmp(key, labels[i], length) &&
		    (!key[length] || labels[i][length - 1] == '.'))
			return true;
	}
	return false;
}

char *recording_describe(const struct scenario *scenario,
			 const struct echo *echo, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	int error;

	if (!out)
		return NULL;
	error = scenario_write(out, scenario, echo);
	if (!fclose(out) && !error)
		return text;
	free(text);
	return NULL;
}

static uint64_t mix(uint64_t digest, uint64_t value)
{
	digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return digest ^ digest >> 29;
}

uint64_t recording_layout(const struct layout *layout)
{
	struct layout_block block;
	uint64_t digest = mix(layout->shards, layout->examples);
	uint64_t i;

	digest = mix(digest, layout->alignment_bytes);
	for (i = 0; i < layout->blocks; i++) {
		layout_block(layout, i, &block);
		digest = mix(digest, block.first_example);
		digest = mix(digest, block.shard);
		digest = mix(digest, block.offset_bytes);
		digest = mix(digest, block.stored_bytes);
	}
	return digest ? digest : 1;
}

int recording_scenario(const struct recording_head *head, const char *name,
		       const char *const *overrides, uint32_t override_count,
		       struct scenario *scenario, struct fault *fault)
{
	if (head->version == 1) {
		fault_set(fault, name, 0,
			  "is a recording of version 1, whose scenario cannot "
			  "be read back; expected the SCENARIO that it was "
			  "made with besides, or a new recording");
		return -EINVAL;
	}
	return scenario_begin(scenario, name, head->text, head->text_bytes,
			      overrides, override_count, fault);
}

/* What two runs are compared by. */
struct pair {
	const char *name; /* of the recording */
	struct fault *fault;
};

static int refuse(const struct pair *pair, const char *key, const char *was,
		  const char *is)
{
	fault_set(pair->fault, pair->name, 0,
		  "is of another scenario: %s was %.100s and is %.100s", key,
		  was[0] ? was : "not given", is[0] ? is : "not given");
	return -EINVAL;
}

static int compare(const struct pair *pair, const struct field *field,
		   const char *key, const void *recorded, const void *own)
{
	char was[SCENARIO_VALUE_MAX], is[SCENARIO_VALUE_MAX];

	scenario_value(field, recorded, was);
	scenario_value(field, own, is);
	return strcmp(was, is) ? refuse(pair, key, was, is) : 0;
}

/* The members of a list's element, whose key is `prefix`. */
static int compare_element(const struct pair *pair, const char *list,
			   const char *prefix, const void *recorded,
			   const void *own)
{
	char key[2 * FIELD_KEY_MAX];
	size_t i;
	int error = 0;

	for (i = 0; i < field_count && !error; i++) {
		const char *member = field_listed_in(&field_table[i], list);

		if (!member)
			continue;
		snprintf(key, sizeof(key), "%s.%s", prefix, member);
		error = compare(pair, &field_table[i], key, recorded, own);
	}
	return error;
}

static int compare_buckets(const struct pair *pair,
			   const struct device_profile *recorded,
			   const struct device_profile *own)
{
	char was[16], is[16], prefix[FIELD_KEY_MAX];
	uint32_t i;
	int error = 0;

	if (recorded->bucket_count != own->bucket_count) {
		snprintf(was, sizeof(was), "%u long", recorded->bucket_count);
		snprintf(is, sizeof(is), "%u", own->bucket_count);
		return refuse(pair, "storage.device.buckets", was, is);
	}
	for (i = 0; i < own->bucket_count && !error; i++) {
		snprintf(prefix, sizeof(prefix), "storage.device.buckets.%u",
			 i);
		error = compare_element(pair, "storage.device.buckets", prefix,
					&recorded->buckets[i],
					&own->buckets[i]);
	}
	return error;
}

int recording_same(const struct scenario *recorded, const struct scenario *own,
		   const struct echo *echo, const char *name,
		   struct fault *fault)
{
	const struct pair pair = { name, fault };
	size_t i;
	int error = 0;

	for (i = 0; i < field_count && !error; i++)
		if (!field_is_listed(&field_table[i]) &&
		    !is_label(field_table[i].key))
			error = compare(&pair, &field_table[i],
					field_table[i].key, recorded, own);
	if (!error)
		error = compare_buckets(&pair, &recorded->storage.profile,
					&own->storage.profile);
	if (!error)
		error = compare_element(&pair, "echo", "echo",
					&recorded->echoes[0], echo);
	return error;
}
