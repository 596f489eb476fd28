/* SPDX-License-Identifier: MIT */
#include "traces/recording/scenario.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "traces/field.h"

#define VALUE_MAX 512

/* Beginnings of keys that decide nothing in a run. */
static const char *const labels[] = {
	"\"name\"",
	"\"dataset.path\"",
	"\"pipeline.loader.like\"",
	"\"storage.device\"",
	"\"storage.device.extends\"",
	"\"storage.device.size\"",
	"\"storage.device.description\"",
	"\"storage.device.source\"",
	"\"storage.device.as_of\"",
	"\"storage.device.unverified\"",
	"\"storage.device.price.",
	"\"price.",
	"\"training.",
};

static void write_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < 0x20)
			fprintf(out, "\\u%04x", byte);
		else if (byte == '"' || byte == '\\')
			fprintf(out, "\\%c", byte);
		else
			fputc(byte, out);
	}
	fputc('"', out);
}

static void write_line(FILE *out, const char *key, const char *value)
{
	fputs(",\n", out);
	write_text(out, key);
	fputs(": ", out);
	write_text(out, value);
}

static void write_fields(FILE *out, const struct scenario *scenario)
{
	char value[VALUE_MAX];
	size_t i;

	for (i = 0; i < field_count; i++)
		if (!field_is_listed(&field_table[i]))
			write_line(out, field_table[i].key,
				   field_print(&field_table[i], scenario, value,
					       sizeof(value)));
}

/* An element of a list, its keys behind `prefix`. */
static void write_element(FILE *out, const char *list, const char *prefix,
			  const void *element)
{
	char key[FIELD_KEY_MAX + 32], value[VALUE_MAX];
	size_t i;

	for (i = 0; i < field_count; i++) {
		const char *name = field_listed_in(&field_table[i], list);

		if (!name)
			continue;
		snprintf(key, sizeof(key), "%s.%s", prefix, name);
		write_line(out, key,
			   field_print(&field_table[i], element, value,
				       sizeof(value)));
	}
}

static uint64_t mix(uint64_t digest, uint64_t value)
{
	digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return digest ^ digest >> 29;
}

/* Every block of a packed dataset, in one number. */
static void write_layout(FILE *out, const struct layout *layout)
{
	struct layout_block block;
	uint64_t digest = mix(layout->shards, layout->examples);
	char text[48];
	uint64_t i;

	for (i = 0; i < layout->blocks; i++) {
		layout_block(layout, i, &block);
		digest = mix(digest, block.first_example);
		digest = mix(digest, block.shard);
		digest = mix(digest, block.offset_bytes);
		digest = mix(digest, block.stored_bytes);
	}
	snprintf(text, sizeof(text), "%016llx", (unsigned long long)digest);
	write_line(out, "packed.blocks", text);
	snprintf(text, sizeof(text), "%u", layout->alignment_bytes);
	write_line(out, "packed.alignment", text);
}

char *recording_describe(const struct scenario *scenario,
			 const struct echo *echo, const struct layout *layout,
			 size_t *size)
{
	const struct device_profile *profile = &scenario->storage.profile;
	char *text = NULL, prefix[64];
	FILE *out = open_memstream(&text, size);
	uint32_t i;

	if (!out)
		return NULL;
	fputs("{\n\"echosim\": \"recording\"", out);
	write_fields(out, scenario);
	for (i = 0; i < profile->bucket_count; i++) {
		snprintf(prefix, sizeof(prefix), "storage.device.buckets[%u]",
			 i);
		write_element(out, "storage.device.buckets", prefix,
			      &profile->buckets[i]);
	}
	write_element(out, "echo", "echo", echo);
	if (layout)
		write_layout(out, layout);
	fputs("\n}\n", out);
	if (fclose(out))
		return NULL;
	return text;
}

/* A line of a text: its key with the quotes, and the value. */
struct line {
	const char *key;
	int key_length;
	const char *value;
	int value_length;
};

static bool is_label(const struct line *line)
{
	size_t i;

	for (i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (!strncmp(line->key, labels[i], strlen(labels[i])))
			return true;
	return false;
}

/* Takes the next line with a key; false at the end. */
static bool next_line(const char **at, struct line *line)
{
	const char *end, *colon;

	for (; **at; *at = *end ? end + 1 : end) {
		end = *at + strcspn(*at, "\n");
		colon = strstr(*at, "\": ");
		if (!colon || colon >= end)
			continue;
		line->key = *at;
		line->key_length = (int)(colon + 1 - *at);
		line->value = colon + 3;
		line->value_length = (int)(end - line->value);
		if (line->value_length > 0 &&
		    line->value[line->value_length - 1] == ',')
			line->value_length--;
		*at = *end ? end + 1 : end;
		return true;
	}
	return false;
}

/* The same, with a key that decides anything. */
static bool next_decisive(const char **at, struct line *line)
{
	bool found;

	do {
		found = next_line(at, line);
	} while (found && is_label(line));
	return found;
}

static bool same(const char *a, int a_length, const char *b, int b_length)
{
	return a_length == b_length && !memcmp(a, b, (size_t)a_length);
}

int recording_same(const char *recorded, const char *own, const char *name,
		   struct fault *fault)
{
	struct line theirs = { 0 }, ours = { 0 };

	for (;;) {
		bool has_theirs = next_decisive(&recorded, &theirs);
		bool has_ours = next_decisive(&own, &ours);

		if (!has_theirs && !has_ours)
			return 0;
		if (has_theirs && has_ours &&
		    same(theirs.key, theirs.key_length, ours.key,
			 ours.key_length) &&
		    same(theirs.value, theirs.value_length, ours.value,
			 ours.value_length))
			continue;
		if (has_theirs && has_ours &&
		    same(theirs.key, theirs.key_length, ours.key,
			 ours.key_length))
			fault_set(fault, name, 0,
				  "is of another scenario: %.*s was %.*s and "
				  "is %.*s",
				  theirs.key_length - 2, theirs.key + 1,
				  theirs.value_length, theirs.value,
				  ours.value_length, ours.value);
		else
			fault_set(fault, name, 0,
				  "is of another scenario: where it has %.*s, "
				  "this one has %.*s",
				  has_theirs ? theirs.key_length : 7,
				  has_theirs ? theirs.key : "nothing",
				  has_ours ? ours.key_length : 7,
				  has_ours ? ours.key : "nothing");
		return -EINVAL;
	}
}

const char *recording_value(const char *text, const char *key, char *value,
			    size_t size)
{
	struct line line = { 0 };
	int length = (int)strlen(key);

	value[0] = '\0';
	while (next_line(&text, &line)) {
		/* Both stand in quotes. */
		if (line.key_length != length + 2 || line.value_length < 2 ||
		    memcmp(line.key + 1, key, (size_t)length))
			continue;
		snprintf(value, size, "%.*s", line.value_length - 2,
			 line.value + 1);
		break;
	}
	return value;
}

const char *recording_strategy(const char *text, char *value, size_t size)
{
	char place[VALUE_MAX], policy[VALUE_MAX], times[VALUE_MAX];

	recording_value(text, "echo.place", place, sizeof(place));
	recording_value(text, "echo.policy", policy, sizeof(policy));
	if (!strcmp(policy, echo_policy_name(ECHO_WHEN_STARVED))) {
		recording_value(text, "echo.max_factor", times, sizeof(times));
		snprintf(value, size, "%s:%s:%s", place, policy, times);
		return value;
	}
	recording_value(text, "echo.factor", times, sizeof(times));
	if (!times[0] || !strcmp(place, echo_place_name(ECHO_NONE)))
		snprintf(value, size, "%s", place);
	else
		snprintf(value, size, "%s:%s", place, times);
	return value;
}
