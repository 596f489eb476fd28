/* SPDX-License-Identifier: MIT */
#include "traces/device/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "traces/device/buckets.h"
#include "traces/device/check.h"
#include "traces/device/member.h"
#include "traces/device/scale.h"
#include "traces/devices.h"
#include "traces/member.h"
#include "traces/nearest.h"
#include "traces/section.h"
#include "traces/text_file.h"

#define NATIVE "native"
#define EXTENDS_KEY DEVICE_KEY ".extends"
#define SCALE_KEY DEVICE_KEY ".scale"
#define SIZE_KEY DEVICE_KEY ".size"

/* Devices that extend devices that extend devices. */
#define DEPTH_MAX 4
#define QUOTED_MAX 64

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

bool device_reads(const char *key)
{
	return strcmp(key, DEVICE_KEY) == 0 || strcmp(key, EXTENDS_KEY) == 0 ||
	       strcmp(key, SCALE_KEY) == 0 || bucket_reads(key);
}

/* A device that nobody has described yet. */
static void reset(struct scenario *scenario)
{
	struct device_profile *profile = &scenario->storage.profile;

	memset(profile, 0, sizeof(*profile));
	profile->latency_ns = distribution_constant(0);
	profile->tail_latency_ns = distribution_constant(0);
	memset(&scenario->storage.facts, 0, sizeof(scenario->storage.facts));
	scenario->storage.device[0] = '\0';
	scenario->storage.extends[0] = '\0';
	scenario->storage.native = false;
	scenario->storage.client_bandwidth_bytes_per_s = 0;
	scenario->storage.size_bytes = 0;
	scenario->storage.device_scope = SCOPE_SHARED;
	scenario->storage.scale_count = 0;
}

static const struct yaml_value *member(const struct yaml_value *map,
				       const char *key, size_t length)
{
	const struct yaml_value *value = map->child;

	while (value &&
	       (strncmp(value->key, key, length) != 0 || value->key[length]))
		value = value->next;
	return value;
}

/* The value to blame for "seek.full": it, or what is nearest to it. */
static const struct yaml_value *blamed(const struct yaml_value *map,
				       const char *key)
{
	const struct yaml_value *value = map;
	const struct yaml_value *inner;
	size_t length;

	for (; *key; key += length + (key[length] == '.')) {
		length = strcspn(key, ".");
		inner = member(value, key, length);
		if (!inner)
			break;
		value = inner;
	}
	return value;
}

static int finish(const struct reader *reader, struct scenario *scenario,
		  const struct yaml_value *map)
{
	const struct yaml_value *size = member(map, "size", strlen("size"));
	struct device_flaw flaw;
	int error;

	error = scale_apply(reader, scenario, size ? size : map, size != NULL);
	if (error)
		return error;
	if (!device_contradicts(&scenario->storage.profile, &flaw))
		return 0;
	value_fault(reader, blamed(map, flaw.key), DEVICE_KEY ".%s: %s",
		    flaw.key, flaw.text);
	return -EINVAL;
}

static int read_map(const struct reader *reader, struct scenario *scenario,
		    const struct yaml_value *map)
{
	const struct yaml_value *value, *scale = NULL;
	int error;

	value = member(map, "extends", strlen("extends"));
	error = value ? device_read(reader, scenario, EXTENDS_KEY, value) : 0;
	if (error)
		return error;
	for (value = map->child; value; value = value->next) {
		if (strcmp(value->key, "scale") == 0)
			scale = value;
		if (value == scale || strcmp(value->key, "extends") == 0)
			continue;
		error = section_read_member(reader, scenario, DEVICE_KEY,
					    value);
		if (error)
			return error;
	}
	error = scale ? scale_read(reader, scenario, SCALE_KEY, scale) : 0;
	if (error)
		return error;
	return finish(reader, scenario, map);
}

/* ---- a device by name ---- */

static int refuse_name(const struct reader *reader, const char *key,
		       const struct yaml_value *value)
{
	char quoted[QUOTED_MAX], near[NEAREST_OFFERS_MAX];

	value_quote(value->text, quoted, sizeof(quoted));
	if (nearest_offers(value->text, &devices, near, sizeof(near))[0])
		value_fault(reader, value,
			    "%s: unknown device %s; did you mean %s?", key,
			    quoted, near);
	else
		value_fault(reader, value,
			    "%s: unknown device %s; expected a name of "
			    "`echosim list devices`, a profile file such as "
			    "my.yaml, native, or fields such as {bandwidth: "
			    "150 MB/s, latency: 8 ms}",
			    key, quoted);
	return -EINVAL;
}

static int parse(struct scenario *scenario, const char *name, int depth,
		 const char *text, size_t size, struct fault *fault)
{
	const struct reader reader = { { name, true }, fault, depth };
	const struct yaml_value *root;
	struct yaml_tree *tree;
	int error = yaml_open(&tree, &reader.source, text, size, fault);

	if (error)
		return error;
	root = yaml_root(tree);
	reset(scenario);
	if (root->kind == YAML_MAP)
		error = read_map(&reader, scenario, root);
	else
		error = value_refuse(&reader, DEVICE_KEY, root,
				     "a map of keys and values");
	yaml_close(tree);
	return error;
}

int device_parse(struct scenario *scenario, const char *name, const char *text,
		 size_t size, struct fault *fault)
{
	return parse(scenario, name, 0, text, size, fault);
}

/* Reads what a name stands for. Its mistakes are said at that name. */
static int read_profile(const struct reader *reader, struct scenario *scenario,
			const struct yaml_value *value, const char *name,
			const char *text, size_t size)
{
	struct fault fault = { 0 };
	int error =
		parse(scenario, name, reader->depth + 1, text, size, &fault);

	if (error)
		value_pass_on(reader, value, name, &fault);
	return error;
}

static bool is_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return strchr(name, '/') ||
	       (dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml")));
}

static int read_file(const struct reader *reader, struct scenario *scenario,
		     const char *key, const struct yaml_value *value)
{
	char *path = text_file_beside(reader->source.name, value->text);
	char *text = NULL;
	size_t size;
	int error = -ENOMEM;

	if (path)
		error = text_file_read(path, &text, &size);
	if (error)
		value_fault(reader, value, "%s: %s cannot be read: %s", key,
			    path ? path : value->text, strerror(-error));
	else
		error = read_profile(reader, scenario, value, path, text, size);
	free(text);
	free(path);
	return error;
}

/* What a name stands for, in the place of all that was there. */
static int read_named(const struct reader *reader, struct scenario *scenario,
		      const char *key, const struct yaml_value *value)
{
	const struct embedded_file *entry =
		embedded_find(&devices, value->text);

	if (reader->depth == DEPTH_MAX) {
		value_fault(reader, value,
			    "%s: more than %d devices that extend each other; "
			    "expected fewer, and none that extends itself",
			    key, DEPTH_MAX);
		return -EINVAL;
	}
	if (is_file(value->text))
		return read_file(reader, scenario, key, value);
	if (!entry)
		return refuse_name(reader, key, value);
	return read_profile(reader, scenario, value, entry->name, entry->text,
			    entry->size);
}

static int read_name(const struct reader *reader, struct scenario *scenario,
		     const char *key, const struct yaml_value *value)
{
	const struct field *field = field_find(key);
	bool extends = strcmp(key, EXTENDS_KEY) == 0;
	/* Does it fit the member? */
	int error = member_read(reader, field, key, value, scenario);

	if (error)
		return error;
	if (strcmp(value->text, NATIVE) != 0) {
		error = read_named(reader, scenario, key, value);
	} else if (extends) {
		error = value_refuse(reader, key, value,
				     "a device of the catalogue or a profile "
				     "file: native is as it is");
	} else {
		reset(scenario);
		scenario->storage.native = true;
	}
	if (error)
		return error;
	/* Not what the profile called itself, if it extends another. */
	scenario->storage.device[0] = '\0';
	scenario->storage.extends[0] = '\0';
	return member_read(reader, field, key, value, scenario);
}

int device_read(const struct reader *reader, struct scenario *scenario,
		const char *key, const struct yaml_value *value)
{
	if (bucket_reads(key))
		return bucket_read(reader, scenario, key, value);
	if (strcmp(key, SCALE_KEY) == 0)
		return scale_read(reader, scenario, key, value);
	if (strcmp(key, DEVICE_KEY) == 0 && value->kind == YAML_MAP)
		return read_map(reader, scenario, value);
	return read_name(reader, scenario, key, value);
}

int device_scale_again(const struct reader *reader, struct scenario *scenario,
		       const char *key, const struct yaml_value *value)
{
	if (!starts_with(key, DEVICE_KEY))
		return 0;
	return scale_apply(reader, scenario, value, !strcmp(key, SIZE_KEY));
}
