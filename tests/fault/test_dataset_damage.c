/* SPDX-License-Identifier: MIT */
/*
 * Damaged datasets: every region of every file, cut at any length or with a
 * bit flipped. Nothing may crash; and what passes has all its content, which
 * verifying compares by a 64-bit checksum.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/dataset/catalogue.h"
#include "storage/dataset/dataset.h"
#include "storage/lmdb.h"
#include "storage/dataset/manifest.h"
#include "storage/pack/pack.h"
#include "tests/support/examples.h"
#include "tests/support/temp.h"

struct ground {
	struct temp temp;
	char target[TEMP_PATH_MAX];
};

static int set_up(void **state)
{
	struct ground *ground = calloc(1, sizeof(*ground));
	uint8_t *content;
	size_t size;

	if (!ground || temp_open(&ground->temp))
		return -1;
	examples_make(&ground->temp, "in", 12, 900, &content, &size);
	free(content);
	*state = ground;
	return 0;
}

static int tear_down(void **state)
{
	struct ground *ground = *state;

	temp_close(&ground->temp);
	free(ground);
	return 0;
}

static void pack(struct ground *ground, const char *format)
{
	char source[TEMP_PATH_MAX];
	struct pack_options options;

	options = examples_options(
		temp_name(&ground->temp, "in", source),
		temp_name(&ground->temp, "set", ground->target), format, 3);
	options.block_bytes = 1800;
	options.shard_examples = 8;
	examples_pack(&options);
}

static const char *file_of(const struct ground *ground, const char *name,
			   char *path, size_t *size)
{
	struct stat status;

	snprintf(path, TEMP_PATH_MAX, "%.400s/%s", ground->target, name);
	assert_int_equal(stat(path, &status), 0);
	*size = (size_t)status.st_size;
	return path;
}

/* Flips a bit in every `step`-th byte. Returns how many were not noticed. */
static unsigned flip_all(const struct ground *ground, const char *name,
			 size_t step)
{
	char path[TEMP_PATH_MAX];
	struct fault fault;
	unsigned unnoticed = 0;
	size_t size;

	file_of(ground, name, path, &size);
	for (size_t at = 0; at < size; at += step) {
		examples_flip(path, at, at % 8);
		unnoticed += examples_verify(ground->target, &fault) == 0;
		examples_flip(path, at, at % 8);
	}
	assert_int_equal(examples_verify(ground->target, &fault), 0);
	return unnoticed;
}

/* Cuts a copy of the file to every `step`-th length. */
static void cut_all(const struct ground *ground, const char *name, size_t step)
{
	char path[TEMP_PATH_MAX];
	struct fault fault;
	uint8_t *whole;
	size_t size;
	int fd;

	whole = examples_read(file_of(ground, name, path, &size), &size);
	for (size_t at = size; at > 0; at -= at < step ? at : step) {
		assert_int_equal(truncate(path, (off_t)at - 1), 0);
		assert_true(examples_verify(ground->target, &fault) < 0);
	}
	/* And longer than it was. */
	fd = open(path, O_WRONLY);
	assert_int_equal(pwrite(fd, whole, size, 0), (ssize_t)size);
	assert_int_equal(examples_verify(ground->target, &fault), 0);
	assert_int_equal(pwrite(fd, whole, 1, (off_t)size), 1);
	if (strstr(name, "data.mdb") == NULL)
		assert_true(examples_verify(ground->target, &fault) < 0);
	assert_int_equal(truncate(path, (off_t)size), 0);
	close(fd);
	free(whole);
}

static void flipped_bits_of_a_shard_are_noticed(void **state)
{
	struct ground *ground = *state;

	pack(ground, "shards");
	/* zstd has bits without a meaning, and more than one way to say the
	 * same: of 2000 flips a few give the same content. */
	assert_true(flip_all(ground, "shard-00000.zst", 1) <= 20);
	assert_true(flip_all(ground, "shard-00001.zst", 1) <= 20);
}

static void flipped_bits_of_a_manifest_are_noticed(void **state)
{
	struct ground *ground = *state;

	pack(ground, "shards");
	assert_int_equal(flip_all(ground, "echosim.dataset", 1), 0);
}

/* Most of its pages is empty room, or was left by an earlier batch. */
static void flipped_bits_of_a_catalogue_do_no_harm(void **state)
{
	struct ground *ground = *state;

	pack(ground, "shards");
	flip_all(ground, "catalogue/data.mdb", 7);
}

static void flipped_bits_of_an_lmdb_dataset_do_no_harm(void **state)
{
	struct ground *ground = *state;

	pack(ground, "lmdb");
	flip_all(ground, "data.mdb", 23);
	flip_all(ground, "catalogue/data.mdb", 7);
}

static void a_cut_shard_is_refused_at_every_length(void **state)
{
	struct ground *ground = *state;

	pack(ground, "shards");
	cut_all(ground, "shard-00001.zst", 1);
}

static void a_cut_manifest_is_refused_at_every_length(void **state)
{
	struct ground *ground = *state;

	pack(ground, "shards");
	cut_all(ground, "echosim.dataset", 1);
}

static void a_cut_catalogue_is_refused_at_every_length(void **state)
{
	struct ground *ground = *state;

	pack(ground, "shards");
	cut_all(ground, "catalogue/data.mdb", 101);
}

static void a_cut_lmdb_dataset_is_refused_at_every_length(void **state)
{
	struct ground *ground = *state;

	pack(ground, "lmdb");
	cut_all(ground, "data.mdb", 101);
}

/* Removes one file after the other, each put back, and looks at the text. */
static void check_missing(const struct ground *ground, const char *name,
			  const char *text)
{
	char path[TEMP_PATH_MAX];
	char aside[TEMP_PATH_MAX];
	struct fault fault;
	size_t size;

	file_of(ground, name, path, &size);
	temp_name(&ground->temp, "aside", aside);
	assert_int_equal(rename(path, aside), 0);
	assert_int_equal(examples_verify(ground->target, &fault), -ENOENT);
	assert_non_null(strstr(fault.text, text));
	/* A pipe of that name must not be waited for. */
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_true(examples_verify(ground->target, &fault) < 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0777), 0);
	assert_true(examples_verify(ground->target, &fault) < 0);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rename(aside, path), 0);
	assert_int_equal(examples_verify(ground->target, &fault), 0);
}

static void missing_files_are_named(void **state)
{
	struct ground *ground = *state;

	pack(ground, "shards");
	check_missing(ground, "echosim.dataset", "no echosim.dataset");
	check_missing(ground, "shard-00000.zst", "set/shard-00000.zst: ");
	check_missing(ground, "shard-00001.zst", "set/shard-00001.zst: ");
	check_missing(ground, "catalogue/data.mdb", "catalogue/data.mdb: ");
}

static void a_missing_lmdb_file_is_named(void **state)
{
	struct ground *ground = *state;

	pack(ground, "lmdb");
	check_missing(ground, "data.mdb", "set/data.mdb: ");
}

static void files_that_may_not_be_read_are_named(void **state)
{
	static const char *const names[] = { "echosim.dataset",
					     "shard-00001.zst",
					     "catalogue/data.mdb" };
	struct ground *ground = *state;

	pack(ground, "shards");
	for (unsigned index = 0; index < 3; index++) {
		char path[TEMP_PATH_MAX];
		struct fault fault;
		int error;
		size_t size;

		file_of(ground, names[index], path, &size);
		assert_int_equal(chmod(path, 0), 0);
		examples_be_nobody(&ground->temp);
		error = examples_verify(ground->target, &fault);
		examples_be_oneself();
		assert_int_equal(error, -EACCES);
		assert_non_null(strstr(fault.text, names[index]));
		assert_non_null(strstr(fault.text, "Permission denied"));
		assert_int_equal(chmod(path, 0644), 0);
	}
}

/* Two shards of one dataset changed places. */
static void exchanged_shards_are_refused(void **state)
{
	struct ground *ground = *state;
	char first[TEMP_PATH_MAX];
	char second[TEMP_PATH_MAX];
	struct fault fault;
	size_t size;

	pack(ground, "shards");
	file_of(ground, "shard-00000.zst", first, &size);
	file_of(ground, "shard-00001.zst", second, &size);
	assert_int_equal(renameat2(AT_FDCWD, first, AT_FDCWD, second,
				   RENAME_EXCHANGE),
			 0);
	assert_int_equal(examples_verify(ground->target, &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "set/shard-00000.zst: "));
}

/* The file of a dataset of one file less, then of one byte more. */
static void the_lmdb_file_of_another_dataset_is_refused(void **state)
{
	static const char *const texts[] = { "has 11 examples",
					     "the catalogue says" };
	struct ground *ground = *state;
	char source[TEMP_PATH_MAX];
	char target[TEMP_PATH_MAX];
	char moved[TEMP_PATH_MAX];
	char path[TEMP_PATH_MAX];
	struct pack_options options;
	struct fault fault;
	size_t size;

	pack(ground, "lmdb");
	temp_name(&ground->temp, "in", source);
	options = examples_options(
		source, temp_name(&ground->temp, "other", target), "lmdb", 3);
	options.force = true;
	for (unsigned index = 0; index < 2; index++) {
		temp_name(&ground->temp, "in/a-0001", path);
		if (index == 0)
			assert_int_equal(unlink(path), 0);
		else
			assert_int_equal(temp_write(&ground->temp, "in/a-0001",
						    "new", 3),
					 0);
		examples_pack(&options);
		assert_int_equal(
			rename(temp_name(&ground->temp, "other/data.mdb", path),
			       file_of(ground, "data.mdb", moved, &size)),
			0);
		assert_int_equal(examples_verify(ground->target, &fault),
				 -EBADMSG);
		assert_non_null(strstr(fault.text, texts[index]));
	}
}

/* Another checksum for block 0 in the catalogue, under a right manifest. */
static void change_checksum(const struct ground *ground, uint64_t flip)
{
	char changed[TEMP_PATH_MAX];
	char path[TEMP_PATH_MAX];
	char text[MANIFEST_BYTES_MAX];
	struct fault fault = { 0 };
	struct manifest manifest;
	struct catalogue *catalogue;
	struct store_value value;
	struct store *store;
	uint8_t *bytes;
	size_t size;

	bytes = examples_read(file_of(ground, "echosim.dataset", path, &size),
			      &size);
	assert_int_equal(
		manifest_parse(&manifest, (char *)bytes, size, "", &fault), 0);
	free(bytes);
	temp_name(&ground->temp, "changed", changed);
	assert_int_equal(mkdir(changed, 0777), 0);
	assert_int_equal(catalogue_create(&catalogue, changed, 1 << 20, &fault),
			 0);
	snprintf(path, sizeof(path), "%.400s/catalogue", ground->target);
	assert_int_equal(store_open(&store, path, &fault), 0);
	while (store_next(store, &value, &fault) == 1) {
		uint32_t lengths[64];
		struct catalogue_record record;

		assert_int_equal(
			catalogue_decode(&record, value.data, value.size), 0);
		assert_in_range(record.examples, 1, 64);
		memcpy(lengths, (const char *)value.data + 40, value.size - 40);
		record.checksum ^= record.first_example ? 0 : flip;
		assert_int_equal(catalogue_append(catalogue, &record, lengths,
						  &fault),
				 0);
	}
	store_close(store);
	assert_int_equal(catalogue_finish(catalogue,
					  &manifest.catalogue_checksum, &fault),
			 0);
	catalogue_close(catalogue);
	size = manifest_print(text, &manifest);
	assert_int_equal(temp_write(&ground->temp, "set/echosim.dataset", text,
				    size),
			 0);
	temp_name(&ground->temp, "changed/catalogue/data.mdb", changed);
	file_of(ground, "catalogue/data.mdb", path, &size);
	assert_int_equal(rename(changed, path), 0);
}

/* The low half is in the seek table and in the frame too. */
static void verifying_compares_the_whole_checksum(void **state)
{
	struct ground *ground = *state;
	struct fault fault;

	pack(ground, "shards");
	change_checksum(ground, UINT64_C(1) << 40);
	assert_int_equal(examples_verify(ground->target, &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "block 0 (first example 0) has "
					   "another checksum"));
}

static void the_low_half_of_a_checksum_is_compared_when_opened(void **state)
{
	struct ground *ground = *state;
	struct fault fault;

	pack(ground, "shards");
	change_checksum(ground, 1);
	assert_int_equal(examples_verify(ground->target, &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "its seek table does not say"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(flipped_bits_of_a_shard_are_noticed),
		TEST(flipped_bits_of_a_manifest_are_noticed),
		TEST(flipped_bits_of_a_catalogue_do_no_harm),
		TEST(flipped_bits_of_an_lmdb_dataset_do_no_harm),
		TEST(a_cut_shard_is_refused_at_every_length),
		TEST(a_cut_manifest_is_refused_at_every_length),
		TEST(a_cut_catalogue_is_refused_at_every_length),
		TEST(a_cut_lmdb_dataset_is_refused_at_every_length),
		TEST(missing_files_are_named),
		TEST(a_missing_lmdb_file_is_named),
		TEST(files_that_may_not_be_read_are_named),
		TEST(exchanged_shards_are_refused),
		TEST(the_lmdb_file_of_another_dataset_is_refused),
		TEST(verifying_compares_the_whole_checksum),
		TEST(the_low_half_of_a_checksum_is_compared_when_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
