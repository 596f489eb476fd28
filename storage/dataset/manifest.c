/* SPDX-License-Identifier: MIT */
#include "storage/dataset/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/check.h"
#include "storage/checksum.h"

#define MAGIC "echosim-dataset"
#define VERSION 1
#define CHECKSUM_KEY "xxh64"

enum kind {
	KIND_WORD,
	KIND_NUMBER,
	KIND_HEX,
};

static const struct field {
	const char *key;
	enum kind kind;
	size_t offset;
} fields[] = {
	{ "format", KIND_WORD, offsetof(struct manifest, format) },
	{ "examples", KIND_NUMBER, offsetof(struct manifest, examples) },
	{ "blocks", KIND_NUMBER, offsetof(struct manifest, blocks) },
	{ "shards", KIND_NUMBER, offsetof(struct manifest, shards) },
	{ "content_bytes", KIND_NUMBER,
	  offsetof(struct manifest, content_bytes) },
	{ "stored_bytes", KIND_NUMBER,
	  offsetof(struct manifest, stored_bytes) },
	{ "level", KIND_NUMBER, offsetof(struct manifest, level) },
	{ "block_bytes", KIND_NUMBER, offsetof(struct manifest, block_bytes) },
	{ "shard_examples", KIND_NUMBER,
	  offsetof(struct manifest, shard_examples) },
	{ "catalogue_xxh64", KIND_HEX,
	  offsetof(struct manifest, catalogue_checksum) },
};

#define FIELDS_COUNT (sizeof(fields) / sizeof(fields[0]))
/* Version line, fields, checksum line. */
#define LINES_COUNT (FIELDS_COUNT + 2)

size_t manifest_print(char *text, const struct manifest *manifest)
{
	const size_t room = MANIFEST_BYTES_MAX;
	size_t size;

	size = (size_t)snprintf(text, room, MAGIC " %d\n", VERSION);
	for (size_t index = 0; index < FIELDS_COUNT; index++) {
		const struct field *field = &fields[index];
		const char *at = (const char *)manifest + field->offset;
		uint64_t number = 0;
		int wrote;

		if (field->kind != KIND_WORD)
			memcpy(&number, at, sizeof(number));
		if (field->kind == KIND_WORD)
			wrote = snprintf(text + size, room - size, "%s %s\n",
					 field->key, at);
		else if (field->kind == KIND_NUMBER)
			wrote = snprintf(text + size, room - size,
					 "%s %" PRIu64 "\n", field->key,
					 number);
		else
			wrote = snprintf(text + size, room - size,
					 "%s %016" PRIx64 "\n", field->key,
					 number);
		size += (size_t)wrote;
		CHECK(size < room);
	}
	size += (size_t)snprintf(text + size, room - size,
				 CHECKSUM_KEY " %016" PRIx64 "\n",
				 checksum_of(text, size));
	CHECK(size < room);
	return size;
}

/* Digits of one base, nothing else, no overflow. */
static bool parse_digits(const char *text, size_t size, unsigned int base,
			 uint64_t *number)
{
	static const char digits[] = "0123456789abcdef";

	*number = 0;
	for (size_t index = 0; index < size; index++) {
		const char *digit = memchr(digits, text[index], base);

		if (!digit)
			return false;
		if (__builtin_mul_overflow(*number, base, number))
			return false;
		if (__builtin_add_overflow(*number, (uint64_t)(digit - digits),
					   number))
			return false;
	}
	return size > 0;
}

static bool parse_value(const struct field *field, struct manifest *out,
			const char *text, size_t size)
{
	char *at = (char *)out + field->offset;
	uint64_t number = 0;

	switch (field->kind) {
	case KIND_WORD:
		if (size == 0 || size >= sizeof(out->format))
			return false;
		if (memchr(text, 0, size))
			return false;
		memcpy(at, text, size);
		at[size] = 0;
		return true;
	case KIND_NUMBER:
		if (!parse_digits(text, size, 10, &number))
			return false;
		break;
	case KIND_HEX:
		if (size != 16 || !parse_digits(text, size, 16, &number))
			return false;
		break;
	}
	memcpy(at, &number, sizeof(number));
	return true;
}

/* The value of a line `key value`, or NULL when it has another key. */
static const char *value_of(const char *line, size_t size, const char *key,
			    size_t *value_size)
{
	size_t key_size = strlen(key);

	if (size <= key_size || memcmp(line, key, key_size) != 0)
		return NULL;
	if (line[key_size] != ' ')
		return NULL;
	*value_size = size - key_size - 1;
	return line + key_size + 1;
}

static int wrong(struct fault *fault, const char *name, size_t line,
		 const char *expected)
{
	fault_set(fault, name, (int)line + 1,
		  "expected %s; the manifest is damaged or was edited",
		  expected);
	return -EBADMSG;
}

static int parse_version(const char *line, size_t size, const char *name,
			 struct fault *fault)
{
	const char *value;
	size_t value_size;
	uint64_t version;

	value = value_of(line, size, MAGIC, &value_size);
	if (!value || !parse_digits(value, value_size, 10, &version))
		return wrong(fault, name, 0, "'" MAGIC " VERSION'");
	if (version != VERSION) {
		fault_set(fault, name, 1,
			  "dataset version %" PRIu64
			  "; this program reads version %d",
			  version, VERSION);
		return -ENOTSUP;
	}
	return 0;
}

/* line 0: version, then the fields, the last: checksum of `before` bytes. */
static int parse_line(struct manifest *out, size_t number, const char *line,
		      size_t size, const char *text, const char *name,
		      struct fault *fault)
{
	const char *value;
	size_t value_size;
	uint64_t checksum;

	if (number == 0)
		return parse_version(line, size, name, fault);
	if (number <= FIELDS_COUNT) {
		const struct field *field = &fields[number - 1];

		value = value_of(line, size, field->key, &value_size);
		if (value && parse_value(field, out, value, value_size))
			return 0;
		return wrong(fault, name, number, field->key);
	}
	value = value_of(line, size, CHECKSUM_KEY, &value_size);
	if (!value || value_size != 16 ||
	    !parse_digits(value, value_size, 16, &checksum))
		return wrong(fault, name, number, CHECKSUM_KEY);
	if (checksum != checksum_of(text, (size_t)(line - text)))
		return wrong(fault, name, number,
			     "the checksum of the lines above");
	return 0;
}

int manifest_parse(struct manifest *out, const char *text, size_t size,
		   const char *name, struct fault *fault)
{
	const char *line = text;
	const char *end = text + size;

	memset(out, 0, sizeof(*out));
	for (size_t number = 0; number < LINES_COUNT; number++) {
		const char *newline = NULL;
		int error;

		if (line < end)
			newline = memchr(line, '\n', (size_t)(end - line));
		if (!newline)
			return wrong(fault, name, number, "one more line");
		error = parse_line(out, number, line, (size_t)(newline - line),
				   text, name, fault);
		if (error)
			return error;
		line = newline + 1;
	}
	if (line != end)
		return wrong(fault, name, LINES_COUNT, "the end of the file");
	return 0;
}

bool manifest_recognise(const char *text, size_t size)
{
	const size_t magic_size = strlen(MAGIC " ");

	return size > magic_size && memcmp(text, MAGIC " ", magic_size) == 0;
}
