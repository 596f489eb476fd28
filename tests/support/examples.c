/* SPDX-License-Identifier: MIT */
#include "tests/support/examples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/random.h"
#include "storage/dataset/dataset.h"

void examples_fill(uint8_t *to, size_t size, uint64_t seed)
{
	struct random_stream stream = { seed };

	for (size_t index = 0; index < size; index++) {
		uint64_t bits = random_bits(stream, index / 8);

		to[index] = index / 64 % 2 ? (uint8_t)seed :
					     (uint8_t)(bits >> index % 8 * 8);
	}
}

/* Names whose order tells sorting by path from sorting by name: "a-b" comes
 * before "a/", which comes before "a0". */
static void name_of(char *name, size_t room, unsigned index, unsigned count)
{
	static const char *const places[] = { "a-",   "a/", "a/b.",
					      "a/b/", "a0", "\xc3\xa4/" };
	const unsigned kinds = sizeof(places) / sizeof(places[0]);
	const unsigned each = (count + kinds - 1) / kinds;

	snprintf(name, room, "%s%04u", places[index / each], index % each);
}

void examples_make(const struct temp *temp, const char *name, unsigned count,
		   size_t bytes_max, uint8_t **content, size_t *size)
{
	static const char *const folders[] = { "", "/a", "/a/b", "/\xc3\xa4" };
	char path[TEMP_PATH_MAX];
	char file[TEMP_PATH_MAX];
	uint8_t *bytes = malloc((size_t)count * bytes_max + 1);

	assert_non_null(bytes);
	for (unsigned index = 0; index < 4; index++) {
		snprintf(file, sizeof(file), "%s%s", name, folders[index]);
		assert_int_equal(mkdir(temp_name(temp, file, path), 0777), 0);
	}
	*size = 0;
	for (unsigned index = 0; index < count; index++) {
		size_t each = count > 1 ? index * bytes_max / (count - 1) :
					  bytes_max;
		char part[64];

		name_of(part, sizeof(part), index, count);
		snprintf(file, sizeof(file), "%s/%s", name, part);
		examples_fill(bytes + *size, each, index + 1);
		assert_int_equal(temp_write(temp, file, bytes + *size, each),
				 0);
		*size += each;
	}
	*content = bytes;
}

uint8_t *examples_read(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*size = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
}

void examples_flip(const char *path, size_t byte, unsigned bit)
{
	int fd = open(path, O_RDWR);
	uint8_t value;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &value, 1, (off_t)byte), 1);
	value ^= (uint8_t)(1u << bit);
	assert_int_equal(pwrite(fd, &value, 1, (off_t)byte), 1);
	close(fd);
}

struct pack_options examples_options(const char *source, const char *target,
				     const char *format, int level)
{
	return (struct pack_options){
		.source = source,
		.target = target,
		.format = format,
		.block_bytes = 16384,
		.shard_examples = 50,
		.level = level,
		.seed = 1,
	};
}

struct pack_result examples_pack(const struct pack_options *options)
{
	struct pack_result result;
	struct fault fault = { 0 };
	int error = pack_run(options, &result, &fault);

	if (error)
		print_error("%s\n", fault.text);
	assert_int_equal(error, 0);
	return result;
}

#define NOBODY 65534u

void examples_be_nobody(const struct temp *temp)
{
	if (geteuid() != 0)
		return;
	assert_int_equal(chmod(temp->path, 0777), 0);
	assert_int_equal(seteuid(NOBODY), 0);
}

void examples_be_oneself(void)
{
	assert_int_equal(seteuid(getuid()), 0);
}

unsigned examples_count_names(const char *path)
{
	DIR *stream = opendir(path);
	struct dirent *entry;
	unsigned count = 0;

	assert_non_null(stream);
	while ((entry = readdir(stream)))
		count += strcmp(entry->d_name, ".") != 0 &&
			 strcmp(entry->d_name, "..") != 0;
	closedir(stream);
	return count;
}

int examples_verify(const char *path, struct fault *fault)
{
	struct dataset_facts facts;
	int error;

	memset(fault, 0, sizeof(*fault));
	error = dataset_verify(path, NULL, NULL, NULL, &facts, fault);
	if (error)
		assert_true(fault->text[0] != 0);
	return error;
}
