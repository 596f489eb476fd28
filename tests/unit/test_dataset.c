/* SPDX-License-Identifier: MIT */
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/checksum.h"
#include "storage/dataset/dataset.h"
#include "storage/dataset/files.h"
#include "storage/dataset/manifest.h"
#include "storage/dataset/unpacker.h"
#include "tests/support/examples.h"
#include "tests/support/temp.h"

#define FILES 120u
#define FILE_BYTES_MAX 6000u

/* One folder of files, packed in each way; made once for all tests. */
static struct ground {
	struct temp temp;
	uint8_t *content;
	size_t size;
} ground;

static const struct kind {
	const char *name;
	const char *format;
	int level;
} kinds[] = {
	{ "shards", "shards", 3 },
	{ "lmdb", "lmdb", 3 },
	{ "raw", "lmdb", 0 },
};
#define KINDS 3

static int set_up(void **state)
{
	char source[TEMP_PATH_MAX];
	char target[TEMP_PATH_MAX];
	char path[TEMP_PATH_MAX];

	(void)state;
	if (temp_open(&ground.temp))
		return -1;
	examples_make(&ground.temp, "in", FILES, FILE_BYTES_MAX,
		      &ground.content, &ground.size);
	/* Raw values cannot be empty. */
	unlink(temp_name(&ground.temp, "in/a-0000", path));
	temp_name(&ground.temp, "in", source);
	for (unsigned kind = 0; kind < KINDS; kind++) {
		struct pack_options options = examples_options(
			source,
			temp_name(&ground.temp, kinds[kind].name, target),
			kinds[kind].format, kinds[kind].level);

		examples_pack(&options);
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	temp_close(&ground.temp);
	free(ground.content);
	return 0;
}

static struct dataset *open_kind(unsigned kind, bool direct)
{
	char path[TEMP_PATH_MAX];
	struct dataset *dataset;
	struct fault fault = { 0 };
	int error;

	error = dataset_open(&dataset,
			     temp_name(&ground.temp, kinds[kind].name, path),
			     NULL, direct, &fault);
	if (error)
		print_error("%s\n", fault.text);
	assert_int_equal(error, 0);
	return dataset;
}

/* Reads a block as the engine has it read: widened to the alignment. */
static const uint8_t *read_block(const struct dataset *dataset,
				 const struct layout_block *block,
				 uint8_t *buffer, size_t room)
{
	uint64_t alignment = dataset_facts(dataset)->alignment_bytes;
	uint64_t start = block->offset_bytes / alignment * alignment;
	uint64_t end =
		(block->offset_bytes + block->stored_bytes + alignment - 1) /
		alignment * alignment;
	ssize_t got;

	assert_true(end - start <= room);
	got = pread(dataset_fd(dataset, block->shard), buffer, end - start,
		    (off_t)start);
	assert_true(got >= 0);
	assert_true(start + (uint64_t)got >=
		    block->offset_bytes + block->stored_bytes);
	return buffer + (block->offset_bytes - start);
}

static void check_contents(unsigned kind, bool direct)
{
	struct dataset *dataset = open_kind(kind, direct);
	struct layout layout = dataset_layout(dataset);
	struct unpacker *unpacker;
	struct fault fault = { 0 };
	uint8_t *buffer = aligned_alloc(65536, 262144);
	size_t at = 0;

	assert_int_equal(unpacker_open(&unpacker, dataset), 0);
	for (uint64_t index = 0; index < layout.blocks; index++) {
		struct layout_block block;
		const uint8_t *content;
		const uint8_t *stored;

		layout_block(&layout, index, &block);
		stored = read_block(dataset, &block, buffer, 262144);
		assert_int_equal(unpacker_content(unpacker, index, stored,
						  block.stored_bytes, &content,
						  &fault),
				 0);
		assert_memory_equal(content, ground.content + at,
				    block.content_bytes);
		at += block.content_bytes;
	}
	assert_int_equal(at, ground.size);
	unpacker_close(unpacker);
	free(buffer);
	dataset_close(dataset);
}

static void every_block_is_where_the_layout_says(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		check_contents(kind, false);
		check_contents(kind, true);
	}
}

static void the_layout_numbers_blocks_and_examples_without_a_gap(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		struct dataset *dataset = open_kind(kind, false);
		const struct dataset_facts *facts = dataset_facts(dataset);
		struct layout layout = dataset_layout(dataset);
		uint64_t examples = 0;
		uint64_t stored = 0;
		uint64_t stored_max = 0;
		uint64_t content_max = 0;

		assert_int_equal(layout.examples, FILES - 1);
		assert_int_equal(layout.blocks, facts->blocks);
		assert_int_equal(layout_shard_start(&layout, layout.shards),
				 layout.blocks);
		for (uint64_t index = 0; index < layout.blocks; index++) {
			struct layout_block block;

			layout_block(&layout, index, &block);
			assert_int_equal(block.first_example, examples);
			examples += block.examples;
			stored += block.stored_bytes;
			if (block.stored_bytes > stored_max)
				stored_max = block.stored_bytes;
			if (block.content_bytes > content_max)
				content_max = block.content_bytes;
			assert_true(block.offset_bytes + block.stored_bytes <=
				    dataset_file_bytes(dataset, block.shard));
		}
		assert_int_equal(examples, FILES - 1);
		assert_int_equal(stored, facts->stored_bytes);
		assert_int_equal(stored_max, facts->block_bytes_max);
		assert_int_equal(content_max, facts->content_bytes_max);
		dataset_close(dataset);
	}
}

static void blocks_keep_to_the_options(void **state)
{
	struct dataset *dataset = open_kind(0, false);
	struct layout layout = dataset_layout(dataset);

	(void)state;
	/* Shards of 50 files, blocks of 16 KiB or one file. */
	assert_int_equal(layout.shards, 3);
	for (uint64_t index = 0; index < layout.blocks; index++) {
		struct layout_block block;

		layout_block(&layout, index, &block);
		assert_int_equal(block.first_example / 50, block.shard);
		assert_true(block.content_bytes <= 16384 ||
			    block.examples == 1);
	}
	dataset_close(dataset);
}

static void buffered_reading_needs_no_alignment(void **state)
{
	struct dataset *dataset = open_kind(0, false);
	const struct dataset_facts *facts = dataset_facts(dataset);

	(void)state;
	assert_false(facts->direct);
	assert_int_equal(facts->alignment_bytes, 1);
	assert_string_equal(facts->alignment_source, "buffered");
	assert_int_equal(fcntl(dataset_fd(dataset, 0), F_GETFL) & O_DIRECT, 0);
	dataset_close(dataset);
}

static void direct_reading_says_where_its_alignment_comes_from(void **state)
{
	struct dataset *dataset = open_kind(0, true);
	const struct dataset_facts *facts = dataset_facts(dataset);
	uint32_t alignment = facts->alignment_bytes;

	(void)state;
	if (facts->direct) {
		assert_true(fcntl(dataset_fd(dataset, 2), F_GETFL) & O_DIRECT);
		assert_true(alignment >= 512);
		assert_int_equal(alignment & (alignment - 1), 0);
		if (strcmp(facts->alignment_source, "fallback") == 0)
			assert_int_equal(alignment, 4096);
		else
			assert_string_equal(facts->alignment_source, "statx");
	} else {
		assert_int_equal(alignment, 1);
		assert_string_equal(facts->alignment_source, "buffered");
	}
	dataset_close(dataset);
}

/* A file per shard: more than the limit that programs start with. */
static void the_limit_of_open_files_is_raised_as_far_as_it_goes(void **state)
{
	struct rlimit limit;
	struct rlimit before;
	struct dataset *dataset;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	limit = before;
	limit.rlim_cur = 32;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	dataset = open_kind(0, false);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_true(limit.rlim_cur >= 32 + 3);
	dataset_close(dataset);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

/* A hard limit cannot be raised again: a process of its own loses it. */
static void too_few_open_files_are_named(void **state)
{
	const struct rlimit limit = { 32, 32 };
	struct dataset *dataset;
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX];
	int status;
	pid_t child;

	(void)state;
	temp_name(&ground.temp, "shards", path);
	child = fork();
	if (child == 0) {
		int error = setrlimit(RLIMIT_NOFILE, &limit);

		error = error ? error :
				dataset_open(&dataset, path, NULL, false,
					     &fault);
		_exit(error == -EMFILE && strstr(fault.text, "ulimit -n") ? 0 :
									    1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void what_is_no_dataset_is_refused(void **state)
{
	struct dataset *dataset;
	struct fault fault = { 0 };
	char folder[TEMP_PATH_MAX];
	char path[TEMP_PATH_MAX];
	char kept[TEMP_PATH_MAX];

	(void)state;
	temp_name(&ground.temp, "nowhere", path);
	assert_int_equal(dataset_open(&dataset, path, NULL, true, &fault),
			 -ENOENT);
	assert_string_equal(fault.file, path);
	memset(&fault, 0, sizeof(fault));
	temp_name(&ground.temp, "in/a-0001", path);
	assert_int_equal(dataset_open(&dataset, path, NULL, true, &fault),
			 -EINVAL);
	assert_non_null(strstr(fault.text,
			       "not a dataset: found a file of another kind"));
	/* What is left of a dataset whose manifest is gone is none. */
	memset(&fault, 0, sizeof(fault));
	temp_name(&ground.temp, "shards/echosim.dataset", path);
	assert_int_equal(rename(path, temp_name(&ground.temp, "kept", kept)),
			 0);
	temp_name(&ground.temp, "shards", folder);
	assert_int_equal(dataset_open(&dataset, folder, NULL, true, &fault),
			 -ENOENT);
	assert_non_null(strstr(fault.text, "but no echosim.dataset beside it"));
	assert_int_equal(rename(kept, path), 0);
}

/* With nothing but a manifest, which is believed no number. */
static int open_manifest(const struct manifest *manifest, struct fault *fault)
{
	char text[MANIFEST_BYTES_MAX];
	char path[TEMP_PATH_MAX];
	struct dataset *dataset;
	size_t size = manifest_print(text, manifest);

	memset(fault, 0, sizeof(*fault));
	mkdir(temp_name(&ground.temp, "claims", path), 0777);
	assert_int_equal(temp_write(&ground.temp, "claims/echosim.dataset",
				    text, size),
			 0);
	return dataset_open(&dataset, path, NULL, true, fault);
}

static void what_a_manifest_claims_is_bounded(void **state)
{
	struct manifest manifest = {
		.format = "shards", .examples = 10, .blocks = 10, .shards = 1
	};
	struct fault fault;

	(void)state;
	assert_int_equal(open_manifest(&manifest, &fault), -ENOENT);
	manifest.blocks = 200000001;
	manifest.examples = UINT64_MAX;
	assert_int_equal(open_manifest(&manifest, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "at most 200000000 in 100000"));
	manifest.blocks = 200000;
	manifest.shards = 100001;
	assert_int_equal(open_manifest(&manifest, &fault), -EINVAL);
	manifest.shards = 0;
	assert_int_equal(open_manifest(&manifest, &fault), -EBADMSG);
	manifest.shards = 3;
	manifest.blocks = 2;
	assert_int_equal(open_manifest(&manifest, &fault), -EBADMSG);
	manifest.blocks = 11;
	manifest.examples = 10;
	assert_int_equal(open_manifest(&manifest, &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "its counts are impossible"));
	snprintf(manifest.format, sizeof(manifest.format), "tar");
	assert_int_equal(open_manifest(&manifest, &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "unknown format 'tar'"));
}

static void wrong_bytes_are_named_by_shard_block_and_example(void **state)
{
	struct dataset *dataset = open_kind(0, false);
	struct layout layout = dataset_layout(dataset);
	struct layout_block block;
	struct unpacker *unpacker;
	struct fault fault = { 0 };
	uint8_t buffer[65536];
	uint64_t content_bytes;
	uint8_t *stored;
	char expected[64];

	(void)state;
	assert_int_equal(unpacker_open(&unpacker, dataset), 0);
	layout_block(&layout, layout.blocks - 1, &block);
	stored = buffer +
		 (read_block(dataset, &block, buffer, sizeof(buffer)) - buffer);
	stored[block.stored_bytes / 2] ^= 1;
	assert_int_equal(unpacker_check(unpacker, layout.blocks - 1, stored,
					block.stored_bytes, &content_bytes,
					&fault),
			 -EBADMSG);
	snprintf(expected, sizeof(expected),
		 "shard-00002.zst: block %u (first example %u,",
		 (unsigned)layout.blocks - 1, (unsigned)block.first_example);
	assert_non_null(strstr(fault.text, expected));
	assert_int_equal(content_bytes, 0);
	/* A short read, and the same unpacker again with what is right. */
	assert_int_equal(unpacker_check(unpacker, layout.blocks - 1, stored,
					block.stored_bytes - 1, &content_bytes,
					&fault),
			 -EBADMSG);
	stored[block.stored_bytes / 2] ^= 1;
	assert_int_equal(unpacker_check(unpacker, layout.blocks - 1, stored,
					block.stored_bytes, &content_bytes,
					&fault),
			 0);
	assert_int_equal(content_bytes, block.content_bytes);
	unpacker_close(unpacker);
	dataset_close(dataset);
}

static void a_flipped_bit_of_a_raw_value_is_noticed(void **state)
{
	struct dataset *dataset = open_kind(2, false);
	struct layout layout = dataset_layout(dataset);
	struct layout_block block;
	struct unpacker *unpacker;
	struct fault fault = { 0 };
	uint8_t buffer[65536];
	uint64_t content_bytes;
	size_t start;

	(void)state;
	assert_int_equal(unpacker_open(&unpacker, dataset), 0);
	layout_block(&layout, 50, &block);
	start = (size_t)(read_block(dataset, &block, buffer, sizeof(buffer)) -
			 buffer);
	for (size_t at = 0; at < block.stored_bytes; at += 13) {
		buffer[start + at] ^= 0x10;
		assert_int_equal(unpacker_check(unpacker, 50, buffer + start,
						block.stored_bytes,
						&content_bytes, &fault),
				 -EBADMSG);
		buffer[start + at] ^= 0x10;
	}
	assert_non_null(strstr(fault.text, "raw/data.mdb: block 50 (first "));
	assert_int_equal(unpacker_check(unpacker, 50, buffer + start,
					block.stored_bytes, &content_bytes,
					&fault),
			 0);
	unpacker_close(unpacker);
	dataset_close(dataset);
}

/* Whole and sound, but another one than the catalogue says. */
static void a_block_in_the_place_of_another_is_noticed(void **state)
{
	struct dataset *dataset = open_kind(1, false);
	struct layout layout = dataset_layout(dataset);
	struct layout_block block;
	struct unpacker *unpacker;
	struct fault fault = { 0 };
	uint8_t buffer[65536];
	uint64_t content_bytes;
	const uint8_t *stored;

	(void)state;
	assert_int_equal(unpacker_open(&unpacker, dataset), 0);
	layout_block(&layout, 7, &block);
	stored = read_block(dataset, &block, buffer, sizeof(buffer));
	for (uint64_t index = 0; index < layout.blocks; index++)
		assert_int_equal(unpacker_check(unpacker, index, stored,
						block.stored_bytes,
						&content_bytes, &fault),
				 index == 7 ? 0 : -EBADMSG);
	unpacker_close(unpacker);
	dataset_close(dataset);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_block_is_where_the_layout_says),
		cmocka_unit_test(
			the_layout_numbers_blocks_and_examples_without_a_gap),
		cmocka_unit_test(blocks_keep_to_the_options),
		cmocka_unit_test(buffered_reading_needs_no_alignment),
		cmocka_unit_test(
			direct_reading_says_where_its_alignment_comes_from),
		cmocka_unit_test(
			the_limit_of_open_files_is_raised_as_far_as_it_goes),
		cmocka_unit_test(too_few_open_files_are_named),
		cmocka_unit_test(what_is_no_dataset_is_refused),
		cmocka_unit_test(what_a_manifest_claims_is_bounded),
		cmocka_unit_test(
			wrong_bytes_are_named_by_shard_block_and_example),
		cmocka_unit_test(a_flipped_bit_of_a_raw_value_is_noticed),
		cmocka_unit_test(a_block_in_the_place_of_another_is_noticed),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
