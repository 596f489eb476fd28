/* SPDX-License-Identifier: MIT */
#include "tests/support/foreign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/examples.h"
#include "tests/support/program.h"

#define EXAMPLE_BYTES_MAX 20000u

uint8_t *foreign_content(const struct foreign *foreign, unsigned example,
			 size_t *size)
{
	uint8_t *bytes;

	*size = foreign->bytes;
	if (!*size)
		*size = 1 + (size_t)example * 7919 % EXAMPLE_BYTES_MAX;
	bytes = malloc(*size);
	assert_non_null(bytes);
	examples_fill(bytes, *size, example + 1);
	return bytes;
}

static FILE *create(const char *path)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	return file;
}

static void make_files(const struct temp *temp, const char *name,
		       const struct foreign *foreign)
{
	char part[64];
	char path[TEMP_PATH_MAX];

	assert_int_equal(mkdir(temp_name(temp, name, path), 0777), 0);
	for (unsigned i = 0; i < foreign->count; i++) {
		size_t size;
		uint8_t *bytes = foreign_content(foreign, i, &size);

		snprintf(part, sizeof(part), "%s/%06u", name, i);
		assert_int_equal(temp_write(temp, part, bytes, size), 0);
		free(bytes);
	}
}

/* --- LMDB ----------------------------------------------------------------- */

static void put_hex(FILE *file, const void *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *from = bytes;

	fputc(' ', file);
	for (size_t i = 0; i < size; i++) {
		fputc(digits[from[i] >> 4], file);
		fputc(digits[from[i] & 15], file);
	}
	fputc('\n', file);
}

/* As mdb_dump writes it. */
static void write_dump(const char *path, const struct foreign *foreign)
{
	FILE *file = create(path);

	fprintf(file, "VERSION=3\nformat=bytevalue\n");
	if (foreign->database)
		fprintf(file, "database=%s\n", foreign->database);
	fprintf(file, "type=btree\nmapsize=%d\nmaxreaders=126\n", 1 << 28);
	if (foreign->integer_keys)
		fprintf(file, "integerkey=1\n");
	fprintf(file, "HEADER=END\n");
	for (unsigned i = 0; i < foreign->count; i++) {
		size_t size;
		uint8_t *bytes = foreign_content(foreign, i, &size);
		char key[32];

		snprintf(key, sizeof(key), "example-%06u", i);
		if (foreign->integer_keys)
			put_hex(file, &i, sizeof(i));
		else
			put_hex(file, key, strlen(key));
		put_hex(file, bytes, size);
		free(bytes);
	}
	fprintf(file, "DATA=END\n");
	assert_int_equal(fclose(file), 0);
}

static void make_environment(const struct temp *temp, const char *name,
			     const struct foreign *foreign)
{
	char dump[TEMP_PATH_MAX];
	char path[TEMP_PATH_MAX];
	const char *arguments[] = { "mdb_load", "-f", dump, path, NULL, NULL };

	temp_name(temp, "dump", dump);
	temp_name(temp, name, path);
	write_dump(dump, foreign);
	if (foreign->single_file) {
		arguments[3] = "-n";
		arguments[4] = path;
	} else if (access(path, F_OK) != 0) {
		assert_int_equal(mkdir(path, 0777), 0);
	}
	assert_int_equal(program_run(arguments, NULL, 0, NULL), 0);
	assert_int_equal(unlink(dump), 0);
}

/* --- zstd ----------------------------------------------------------------- */

static void put_le32(FILE *file, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		fputc((int)(value >> i * 8 & 255), file);
}

void foreign_seek_table(const char *path, const uint32_t *stored_bytes,
			const uint32_t *content_bytes,
			const uint32_t *checksums, uint32_t frames)
{
	FILE *file = fopen(path, "ab");

	assert_non_null(file);
	put_le32(file, 0x184D2A5E);
	put_le32(file, frames * (checksums ? 12 : 8) + 9);
	for (uint32_t i = 0; i < frames; i++) {
		put_le32(file, stored_bytes[i]);
		put_le32(file, content_bytes[i]);
		if (checksums)
			put_le32(file, checksums[i]);
	}
	put_le32(file, frames);
	fputc(checksums ? 0x80 : 0, file);
	put_le32(file, 0x8F92EAB1);
	assert_int_equal(fclose(file), 0);
}

/* Every example in a file of its own, compressed by zstd; through a pipe it
 * cannot know their sizes. */
static void compress(const struct temp *temp, const struct foreign *foreign)
{
	char parts[TEMP_PATH_MAX];
	char script[TEMP_PATH_MAX + 200];
	const char *const arguments[] = { "sh", "-c", script, NULL };

	make_files(temp, "parts", foreign);
	temp_name(temp, "parts", parts);
	snprintf(script, sizeof(script),
		 foreign->no_sizes ?
			 "cd '%s' && for f in *; do cat $f | zstd -q %s "
			 ">$f.zst; done" :
			 "cd '%s' && ls >../list && "
			 "zstd -q %s --filelist ../list",
		 parts, foreign->no_checksums ? "--no-check" : "--check");
	assert_int_equal(program_run(arguments, NULL, 0, NULL), 0);
}

/* Puts the frames of the examples from `first` on one behind the other. */
static void join(const struct temp *temp, const char *path, unsigned first,
		 unsigned count, bool table, const struct foreign *foreign)
{
	uint32_t *numbers = calloc(3 * (size_t)count, sizeof(*numbers));
	FILE *file = create(path);

	assert_non_null(numbers);
	for (unsigned i = 0; i < count; i++) {
		char name[64];
		char part[TEMP_PATH_MAX];
		size_t size;
		uint8_t *bytes = foreign_content(foreign, first + i, &size);

		free(bytes);
		numbers[count + i] = (uint32_t)size;
		snprintf(name, sizeof(name), "parts/%06u.zst", first + i);
		bytes = examples_read(temp_name(temp, name, part), &size);
		numbers[i] = (uint32_t)size;
		/* The last four bytes of a frame are its checksum, which is
		 * the one that a seek table has. */
		memcpy(&numbers[2 * count + i], bytes + size - 4, 4);
		assert_int_equal(fwrite(bytes, 1, size, file), size);
		free(bytes);
	}
	assert_int_equal(fclose(file), 0);
	if (table)
		foreign_seek_table(path, numbers, numbers + count,
				   foreign->no_checksums ? NULL :
							   numbers + 2 * count,
				   count);
	free(numbers);
}

static void make_zstd(const struct temp *temp, const char *name, bool table,
		      const struct foreign *foreign)
{
	unsigned shards = foreign->shards ? foreign->shards : 1;
	unsigned each = (foreign->count + shards - 1) / shards;
	char path[TEMP_PATH_MAX];
	char part[64];

	compress(temp, foreign);
	if (foreign->shards)
		assert_int_equal(mkdir(temp_name(temp, name, path), 0777), 0);
	for (unsigned shard = 0; shard < shards; shard++) {
		unsigned first = shard * each;
		unsigned count = foreign->count - first;

		snprintf(part, sizeof(part), "%s", name);
		if (foreign->shards)
			snprintf(part, sizeof(part), "%s/part-%u.zst", name,
				 shard);
		join(temp, temp_name(temp, part, path), first,
		     count < each ? count : each, table, foreign);
	}
}

void foreign_make(const struct temp *temp, const char *name, const char *format,
		  const struct foreign *foreign)
{
	char parts[TEMP_PATH_MAX];
	const char *const clean[] = { "rm", "-rf",
				      temp_name(temp, "parts", parts), NULL };

	if (!strcmp(format, "files"))
		make_files(temp, name, foreign);
	else if (!strcmp(format, "lmdb-environment"))
		make_environment(temp, name, foreign);
	else
		make_zstd(temp, name, !strcmp(format, "zstd-seekable"),
			  foreign);
	assert_int_equal(program_run(clean, NULL, 0, NULL), 0);
}
