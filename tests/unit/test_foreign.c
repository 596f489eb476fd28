/* SPDX-License-Identifier: MIT */
/*
 * Datasets that other programs made: every byte that is read of them must be
 * the source's, whatever way they are written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/dataset/dataset.h"
#include "storage/dataset/files.h"
#include "storage/dataset/unpacker.h"
#include "tests/support/examples.h"
#include "tests/support/foreign.h"
#include "tests/support/program.h"
#include "tests/support/temp.h"

static struct dataset *open_named(const struct temp *temp, const char *name,
				  const char *database, const char *format)
{
	char path[TEMP_PATH_MAX];
	struct fault fault = { 0 };
	struct dataset *dataset;

	if (dataset_open(&dataset, temp_name(temp, name, path), database, true,
			 &fault))
		fail_msg("%s", fault.text);
	assert_string_equal(dataset_facts(dataset)->format, format);
	assert_true(dataset_facts(dataset)->foreign);
	return dataset;
}

/* Reads a block as the engine has it read: widened to the alignment. */
static uint8_t *read_block(const struct dataset *dataset,
			   const struct layout_block *block, size_t *skip)
{
	uint64_t alignment = dataset_facts(dataset)->alignment_bytes;
	uint64_t start = block->offset_bytes / alignment * alignment;
	size_t size = block->offset_bytes + block->stored_bytes - start;
	uint8_t *bytes;
	int fd = dataset_take_fd(dataset, block->shard);

	size = (size + alignment - 1) / alignment * alignment;
	bytes = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
	assert_non_null(bytes);
	assert_true(fd >= 0);
	*skip = block->offset_bytes - start;
	assert_true(pread(fd, bytes, size, (off_t)start) >=
		    (ssize_t)(*skip + block->stored_bytes));
	dataset_release_fd(dataset, fd);
	return bytes;
}

/* Is every example the source's, and none too many? */
static void check_content(struct dataset *dataset,
			  const struct foreign *foreign)
{
	struct layout layout = dataset_layout(dataset);
	struct unpacker *unpacker;
	struct fault fault = { 0 };

	assert_int_equal(layout.examples, foreign->count);
	assert_int_equal(unpacker_open(&unpacker, dataset), 0);
	for (unsigned i = 0; i < foreign->count; i++) {
		struct layout_block block;
		const uint8_t *content;
		uint8_t *expected;
		uint8_t *bytes;
		size_t size;
		size_t skip;

		layout_block(&layout, layout_block_of(&layout, i), &block);
		bytes = read_block(dataset, &block, &skip);
		if (unpacker_content(unpacker, i, bytes + skip,
				     block.stored_bytes, &content, &fault))
			fail_msg("%s", fault.text);
		expected = foreign_content(foreign, i, &size);
		assert_int_equal(block.content_bytes, size);
		assert_memory_equal(content, expected, size);
		free(expected);
		free(bytes);
	}
	unpacker_close(unpacker);
}

static uint64_t verify(const struct temp *temp, const char *name,
		       const char *database)
{
	char path[TEMP_PATH_MAX];
	struct dataset_facts facts;
	struct fault fault = { 0 };

	if (dataset_verify(temp_name(temp, name, path), database, NULL, NULL,
			   &facts, &fault))
		fail_msg("%s", fault.text);
	return facts.checked;
}

static void check(const struct temp *temp, const char *format,
		  const struct foreign *foreign, uint64_t checked)
{
	struct dataset *dataset;

	foreign_make(temp, "set", format, foreign);
	dataset = open_named(temp, "set", foreign->database, format);
	check_content(dataset, foreign);
	dataset_close(dataset);
	assert_int_equal(verify(temp, "set", foreign->database), checked);
}

static void folders_of_files_are_read(void **state)
{
	check(*state, "files", &(struct foreign){ .count = 200 }, 0);
}

static void environments_with_string_keys_are_read(void **state)
{
	check(*state, "lmdb-environment", &(struct foreign){ .count = 300 }, 0);
}

static void environments_with_integer_keys_are_read(void **state)
{
	check(*state, "lmdb-environment",
	      &(struct foreign){ .count = 300, .integer_keys = true }, 0);
}

static void environments_in_one_file_are_read(void **state)
{
	check(*state, "lmdb-environment",
	      &(struct foreign){ .count = 300, .single_file = true }, 0);
}

static void small_values_within_pages_are_read(void **state)
{
	check(*state, "lmdb-environment",
	      &(struct foreign){ .count = 20000, .bytes = 24 }, 0);
}

/* mdb_load adds a database to an environment that is there. */
static void databases_are_chosen_by_name(void **state)
{
	const struct temp *temp = *state;
	struct foreign val = { .count = 50, .database = "val" };
	struct foreign train = { .count = 300,
				 .database = "train",
				 .integer_keys = true };
	char path[TEMP_PATH_MAX];
	struct fault fault = { 0 };
	struct dataset *dataset;

	foreign_make(temp, "set", "lmdb-environment", &val);
	check(temp, "lmdb-environment", &train, 0);
	dataset = open_named(temp, "set", "val", "lmdb-environment");
	check_content(dataset, &val);
	dataset_close(dataset);
	temp_name(temp, "set", path);
	assert_int_equal(dataset_open(&dataset, path, NULL, true, &fault),
			 -ENOENT);
	assert_non_null(strstr(fault.text, "its databases are train, val"));
	memset(&fault, 0, sizeof(fault));
	assert_int_equal(dataset_open(&dataset, path, "trian", true, &fault),
			 -ENOENT);
	assert_non_null(strstr(fault.text, "has no database 'trian'"));
	assert_non_null(strstr(fault.text, "train, val"));
}

/* Where Debian's python3-lmdb is installed. */
static void environments_of_py_lmdb_are_read(void **state)
{
	const struct temp *temp = *state;
	struct foreign foreign = { .count = 300 };
	struct dataset *dataset;
	char script[2 * TEMP_PATH_MAX];
	const char *const arguments[] = { "/usr/bin/python3", "-c", script,
					  NULL };

	foreign_make(temp, "files", "files", &foreign);
	snprintf(script, sizeof(script),
		 "import os, lmdb\n"
		 "os.chdir('%s')\n"
		 "e = lmdb.open('set', subdir=False, map_size=1 << 28)\n"
		 "with e.begin(write=True) as t:\n"
		 "    for n in os.listdir('files'):\n"
		 "        t.put(n.encode(), open('files/' + n, 'rb').read())\n",
		 temp->path);
	if (program_run(arguments, NULL, 0, NULL) != 0) {
		print_message("there is no python3-lmdb\n");
		skip();
	}
	dataset = open_named(temp, "set", NULL, "lmdb-environment");
	check_content(dataset, &foreign);
	dataset_close(dataset);
}

static void only_environments_have_databases(void **state)
{
	const struct temp *temp = *state;
	struct fault fault = { 0 };
	struct dataset *dataset;
	char path[TEMP_PATH_MAX];

	foreign_make(temp, "set", "files", &(struct foreign){ .count = 3 });
	temp_name(temp, "set", path);
	assert_int_equal(dataset_open(&dataset, path, "train", true, &fault),
			 -EINVAL);
	assert_non_null(strstr(fault.text, "only an LMDB environment has"));
}

static void sorted_duplicates_are_refused(void **state)
{
	static const char dump[] =
		"VERSION=3\nformat=bytevalue\ntype=btree\nmapsize=1048576\n"
		"duplicates=1\ndupsort=1\nHEADER=END\n 61\n 62\n 61\n 63\n"
		"DATA=END\n";
	const struct temp *temp = *state;
	char from[TEMP_PATH_MAX];
	char path[TEMP_PATH_MAX];
	const char *const load[] = { "mdb_load", "-f",
				     temp_name(temp, "dump", from),
				     temp_name(temp, "set", path), NULL };
	struct fault fault = { 0 };
	struct dataset *dataset;

	assert_int_equal(temp_write(temp, "dump", dump, sizeof(dump) - 1), 0);
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(program_run(load, NULL, 0, NULL), 0);
	assert_int_equal(dataset_open(&dataset, path, NULL, true, &fault),
			 -EINVAL);
	assert_non_null(strstr(fault.text, "MDB_DUPSORT"));
}

static void seekable_files_are_read_and_checked(void **state)
{
	check(*state, "zstd-seekable",
	      &(struct foreign){ .count = 120, .shards = 3 }, 120);
}

static void seekable_files_without_checksums_are_read(void **state)
{
	check(*state, "zstd-seekable",
	      &(struct foreign){ .count = 120, .no_checksums = true }, 0);
}

static void frames_without_an_index_are_read(void **state)
{
	check(*state, "zstd-frames",
	      &(struct foreign){ .count = 120, .shards = 3 }, 120);
}

static void frames_without_checksums_are_read(void **state)
{
	check(*state, "zstd-frames",
	      &(struct foreign){ .count = 120, .no_checksums = true }, 0);
}

static void frames_that_do_not_say_what_they_hold_are_read(void **state)
{
	check(*state, "zstd-frames",
	      &(struct foreign){ .count = 40, .no_sizes = true }, 40);
}

/* A seek table may say what the frames do not bear out. */
static void a_seek_table_that_lies_does_not_pass(void **state)
{
	const struct temp *temp = *state;
	struct foreign foreign = { .count = 20 };
	char path[TEMP_PATH_MAX];
	struct fault fault;
	size_t size;
	uint8_t *bytes;

	foreign_make(temp, "set", "zstd-seekable", &foreign);
	bytes = examples_read(temp_name(temp, "set", path), &size);
	free(bytes);
	/* The checksum, the content size, the stored size of frame 19. */
	for (size_t back = 10; back <= 18; back += 4) {
		examples_flip(path, size - back, 0);
		assert_int_not_equal(examples_verify(path, &fault), 0);
		examples_flip(path, size - back, 0);
	}
	assert_int_equal(examples_verify(path, &fault), 0);
}

static void skippable_frames_are_passed_over(void **state)
{
	static const uint8_t skippable[] = { 0x50, 0x2a, 0x4d, 0x18, 3, 0,
					     0,	   0,	 1,    2,    3 };
	const struct temp *temp = *state;
	struct foreign foreign = { .count = 10 };
	char path[TEMP_PATH_MAX];
	struct dataset *dataset;
	size_t size;
	uint8_t *bytes;
	FILE *file;

	foreign_make(temp, "set", "zstd-frames", &foreign);
	bytes = examples_read(temp_name(temp, "set", path), &size);
	file = fopen(path, "wb");
	assert_non_null(file);
	fwrite(skippable, 1, sizeof(skippable), file);
	fwrite(bytes, 1, size, file);
	fwrite(skippable, 1, sizeof(skippable), file);
	assert_int_equal(fclose(file), 0);
	free(bytes);
	dataset = open_named(temp, "set", NULL, "zstd-frames");
	check_content(dataset, &foreign);
	dataset_close(dataset);
}

/* Cut anywhere, one is refused when it is opened, or is a shorter one of
 * whole frames. */
static void cut_files_are_refused_when_opened(void **state)
{
	static const char *const formats[] = { "zstd-frames", "zstd-seekable",
					       "lmdb-environment" };
	const struct temp *temp = *state;
	struct foreign foreign = { .count = 12, .single_file = true };

	for (size_t f = 0; f < 3; f++) {
		char path[TEMP_PATH_MAX];
		size_t whole;
		uint8_t *bytes;

		foreign_make(temp, formats[f], formats[f], &foreign);
		bytes = examples_read(temp_name(temp, formats[f], path),
				      &whole);
		free(bytes);
		for (size_t size = whole - 1; size > 97; size -= 97) {
			struct fault fault = { 0 };
			struct dataset *dataset;

			assert_int_equal(truncate(path, (off_t)size), 0);
			if (dataset_open(&dataset, path, NULL, true, &fault)) {
				assert_true(fault.text[0]);
				assert_null(strchr(fault.text, '\n'));
				continue;
			}
			assert_string_equal(formats[f], "zstd-frames");
			dataset_close(dataset);
		}
	}
}

static void a_flipped_bit_of_a_frame_is_found(void **state)
{
	static const char *const formats[] = { "zstd-frames", "zstd-seekable" };
	const struct temp *temp = *state;
	struct foreign foreign = { .count = 12 };

	for (size_t f = 0; f < 2; f++) {
		char path[TEMP_PATH_MAX];
		struct fault fault;
		size_t size;

		foreign_make(temp, formats[f], formats[f], &foreign);
		free(examples_read(temp_name(temp, formats[f], path), &size));
		for (size_t at = 40; at < size / 2; at += 311) {
			examples_flip(path, at, at % 8);
			assert_int_not_equal(examples_verify(path, &fault), 0);
			examples_flip(path, at, at % 8);
		}
		assert_int_equal(examples_verify(path, &fault), 0);
	}
}

static void what_is_empty_is_left_out_and_counted(void **state)
{
	const struct temp *temp = *state;
	struct foreign foreign = { .count = 5 };
	struct dataset *dataset;

	foreign_make(temp, "set", "files", &foreign);
	assert_int_equal(temp_write(temp, "set/000002a", "", 0), 0);
	dataset = open_named(temp, "set", NULL, "files");
	assert_int_equal(dataset_facts(dataset)->left_out, 1);
	check_content(dataset, &foreign);
	dataset_close(dataset);
}

/* What README.md of the room states, and what it grows in. */
#define FILE_MEMORY_BYTES 100
#define GROWTH_BYTES 65536

static void many_files_take_the_memory_that_is_stated(void **state)
{
	const struct temp *temp = *state;
	struct foreign foreign = { .count = 20000, .bytes = 3 };
	struct dataset *dataset;
	char path[TEMP_PATH_MAX];
	size_t before;
	size_t taken;

	if (EXAMPLES_SANITIZED) /* whose allocator counts otherwise */
		skip();
	foreign_make(temp, "set", "files", &foreign);
	temp_name(temp, "set", path);
	before = mallinfo2().uordblks + mallinfo2().hblkhd;
	dataset = open_named(temp, "set", NULL, "files");
	taken = mallinfo2().uordblks + mallinfo2().hblkhd - before;
	print_message("%zu bytes a file\n", taken / foreign.count);
	assert_true(taken <
		    foreign.count * (FILE_MEMORY_BYTES + sizeof("000000")) +
			    GROWTH_BYTES);
	dataset_close(dataset);
}

static void refuse(const struct temp *temp, const char *name, const char *words)
{
	char path[TEMP_PATH_MAX];
	struct fault fault = { 0 };
	struct dataset *dataset;

	assert_int_equal(dataset_open(&dataset, temp_name(temp, name, path),
				      NULL, true, &fault),
			 -EINVAL);
	if (!strstr(fault.text, words))
		fail_msg("%s", fault.text);
}

static void what_is_of_no_format_is_said(void **state)
{
	const struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	char tar[TEMP_PATH_MAX];
	const char *const make[] = { "tar", "cf", temp_name(temp, "t.tar", tar),
				     temp_name(temp, "mixed", path), NULL };

	assert_int_equal(mkdir(path, 0777), 0);
	refuse(temp, "mixed", "found no file in the folder");
	assert_int_equal(temp_write(temp, "mixed/a.zst", "x", 1), 0);
	assert_int_equal(temp_write(temp, "mixed/index", "x", 1), 0);
	refuse(temp, "mixed", "found 1 .zst files among 1 others");
	refuse(temp, "mixed/index", "found a file of another kind");
	assert_int_equal(program_run(make, NULL, 0, NULL), 0);
	refuse(temp, "t.tar", "echosim pack makes a dataset of them");
}

#define TEST(test)                                                             \
	cmocka_unit_test_setup_teardown(test, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(folders_of_files_are_read),
		TEST(environments_with_string_keys_are_read),
		TEST(environments_with_integer_keys_are_read),
		TEST(environments_in_one_file_are_read),
		TEST(small_values_within_pages_are_read),
		TEST(databases_are_chosen_by_name),
		TEST(environments_of_py_lmdb_are_read),
		TEST(only_environments_have_databases),
		TEST(sorted_duplicates_are_refused),
		TEST(seekable_files_are_read_and_checked),
		TEST(seekable_files_without_checksums_are_read),
		TEST(frames_without_an_index_are_read),
		TEST(frames_without_checksums_are_read),
		TEST(frames_that_do_not_say_what_they_hold_are_read),
		TEST(a_seek_table_that_lies_does_not_pass),
		TEST(skippable_frames_are_passed_over),
		TEST(cut_files_are_refused_when_opened),
		TEST(a_flipped_bit_of_a_frame_is_found),
		TEST(what_is_empty_is_left_out_and_counted),
		TEST(many_files_take_the_memory_that_is_stated),
		TEST(what_is_of_no_format_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
