/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/dataset/dataset.h"
#include "storage/lmdb.h"
#include "storage/pack/pack.h"
#include "tests/support/examples.h"
#include "tests/support/program.h"
#include "tests/support/temp.h"

#define FILES 300u
#define FILE_BYTES_MAX 6000u

/* A folder of files and where to pack it to. */
struct ground {
	struct temp temp;
	char source[TEMP_PATH_MAX];
	char target[TEMP_PATH_MAX];
	uint8_t *content;
	size_t size;
};

static int set_up(void **state)
{
	struct ground *ground = calloc(1, sizeof(*ground));

	if (!ground || temp_open(&ground->temp))
		return -1;
	temp_name(&ground->temp, "in", ground->source);
	temp_name(&ground->temp, "set", ground->target);
	examples_make(&ground->temp, "in", FILES, FILE_BYTES_MAX,
		      &ground->content, &ground->size);
	*state = ground;
	return 0;
}

static int tear_down(void **state)
{
	struct ground *ground = *state;

	temp_close(&ground->temp);
	free(ground->content);
	free(ground);
	return 0;
}

static struct pack_result pack(const struct ground *ground, const char *format,
			       int level)
{
	struct pack_options options =
		examples_options(ground->source, ground->target, format, level);

	return examples_pack(&options);
}

static void verify(const struct ground *ground, struct dataset_facts *facts)
{
	struct fault fault = { 0 };
	int error;

	error = dataset_verify(ground->target, NULL, NULL, NULL, facts, &fault);
	if (error)
		print_error("%s\n", fault.text);
	assert_int_equal(error, 0);
}

static void shards_give_every_byte_back_to_the_zstd_program(void **state)
{
	struct ground *ground = *state;
	char path[TEMP_PATH_MAX + 32];
	const char *const test[] = { "zstd", "-tq", path, NULL };
	const char *const unpack[] = { "zstd", "-dcq", path, NULL };
	uint8_t *back = malloc(ground->size + 1);
	struct pack_result result = pack(ground, "shards", 3);
	size_t at = 0;

	/* 50 files each, as the options say. */
	assert_int_equal(result.shards, FILES / 50);
	for (unsigned shard = 0; shard < result.shards; shard++) {
		size_t size;

		snprintf(path, sizeof(path), "%s/shard-%05u.zst",
			 ground->target, shard);
		assert_int_equal(program_run(test, NULL, 0, NULL), 0);
		assert_int_equal(program_run(unpack, back + at,
					     ground->size + 1 - at, &size),
				 0);
		at += size;
	}
	assert_int_equal(at, ground->size);
	assert_memory_equal(back, ground->content, at);
	free(back);
}

/* Each value, unpacked by the zstd program, is a file. */
static void lmdb_values_are_frames_of_one_file_each(void **state)
{
	struct ground *ground = *state;
	char path[TEMP_PATH_MAX];
	const char *const unpack[] = { "zstd", "-dcq", path, NULL };
	uint8_t *back = malloc(ground->size + 1);
	struct fault fault = { 0 };
	struct store_value value;
	struct store *store;
	size_t at = 0;

	pack(ground, "lmdb", 3);
	temp_name(&ground->temp, "value", path);
	assert_int_equal(store_open(&store, ground->target, &fault), 0);
	assert_int_equal(store_count(store), FILES);
	while (store_next(store, &value, &fault) == 1) {
		size_t size;

		assert_int_equal(temp_write(&ground->temp, "value", value.data,
					    value.size),
				 0);
		assert_int_equal(program_run(unpack, back + at,
					     ground->size + 1 - at, &size),
				 0);
		at += size;
	}
	store_close(store);
	assert_int_equal(at, ground->size);
	assert_memory_equal(back, ground->content, at);
	free(back);
}

static void raw_lmdb_values_are_the_files(void **state)
{
	struct ground *ground = *state;
	char path[TEMP_PATH_MAX + 16];
	struct fault fault = { 0 };
	struct store_value value;
	struct store *store;
	size_t at = 0;

	/* The one empty file cannot be stored raw. */
	snprintf(path, sizeof(path), "%s/a-0000", ground->source);
	assert_int_equal(unlink(path), 0);
	pack(ground, "lmdb", 0);
	assert_int_equal(store_open(&store, ground->target, &fault), 0);
	while (store_next(store, &value, &fault) == 1) {
		assert_memory_equal(value.data, ground->content + at,
				    value.size);
		at += value.size;
	}
	store_close(store);
	assert_int_equal(at, ground->size);
}

static void an_empty_file_at_level_0_is_named(void **state)
{
	struct ground *ground = *state;
	struct pack_options options =
		examples_options(ground->source, ground->target, "lmdb", 0);
	struct pack_result result;
	struct fault fault = { 0 };

	assert_int_equal(pack_run(&options, &result, &fault), -EINVAL);
	assert_string_equal(fault.text, "example 0 is empty, which level 0 "
					"cannot store; use level 1");
	assert_int_equal(examples_count_names(ground->temp.path), 1);
}

static void mdb_stat_reads_catalogue_and_dataset(void **state)
{
	struct ground *ground = *state;
	char path[TEMP_PATH_MAX + 16];
	const char *const stat[] = { "mdb_stat", path, NULL };
	struct pack_result result = pack(ground, "shards", 3);
	char expected[64];
	char text[4096];
	size_t size;
	int status;

	snprintf(path, sizeof(path), "%s/catalogue", ground->target);
	status = program_run(stat, text, sizeof(text) - 1, &size);
	if (status == PROGRAM_MISSING)
		skip();
	assert_int_equal(status, 0);
	text[size] = 0;
	snprintf(expected, sizeof(expected), "Entries: %u\n",
		 (unsigned)result.blocks);
	assert_non_null(strstr(text, expected));
	temp_name(&ground->temp, "second", ground->target);
	pack(ground, "lmdb", 3);
	snprintf(path, sizeof(path), "%s", ground->target);
	assert_int_equal(program_run(stat, text, sizeof(text) - 1, &size), 0);
	text[size] = 0;
	assert_non_null(strstr(text, "Entries: 300\n"));
}

static void what_is_packed_is_found_sound(void **state)
{
	static const struct {
		const char *format;
		int level;
	} kinds[] = { { "shards", 1 }, { "shards", 19 }, { "lmdb", 1 } };
	struct ground *ground = *state;

	for (unsigned index = 0; index < 3; index++) {
		struct pack_result result;
		struct dataset_facts facts;
		char name[16];

		snprintf(name, sizeof(name), "set%u", index);
		temp_name(&ground->temp, name, ground->target);
		result = pack(ground, kinds[index].format, kinds[index].level);
		verify(ground, &facts);
		assert_string_equal(facts.format, kinds[index].format);
		assert_int_equal(facts.examples, FILES);
		assert_int_equal(facts.content_bytes, ground->size);
		assert_int_equal(facts.stored_bytes, result.stored_bytes);
		assert_int_equal(facts.blocks, result.blocks);
		assert_int_equal(facts.shards, result.shards);
		assert_int_equal(result.examples, FILES);
		assert_int_equal(result.content_bytes, ground->size);
		assert_true(result.elapsed_ns > 0);
	}
}

static bool same_files(const char *left, const char *right)
{
	uint8_t *bytes[2];
	size_t size[2];
	bool same;

	bytes[0] = examples_read(left, &size[0]);
	bytes[1] = examples_read(right, &size[1]);
	same = size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0;
	free(bytes[0]);
	free(bytes[1]);
	return same;
}

static void packing_twice_gives_the_same_bytes(void **state)
{
	static const char *const names[] = { "echosim.dataset",
					     "shard-00000.zst",
					     "shard-00005.zst",
					     "catalogue/data.mdb" };
	struct ground *ground = *state;
	char first[TEMP_PATH_MAX + 32];
	char second[TEMP_PATH_MAX + 32];

	pack(ground, "shards", 3);
	temp_name(&ground->temp, "again", ground->target);
	pack(ground, "shards", 3);
	for (unsigned index = 0; index < 4; index++) {
		snprintf(first, sizeof(first), "%s/set/%s", ground->temp.path,
			 names[index]);
		snprintf(second, sizeof(second), "%s/again/%s",
			 ground->temp.path, names[index]);
		assert_true(same_files(first, second));
	}
}

static uint64_t files_bytes(const char *folder)
{
	static const char *const names[] = {
		"echosim.dataset", "shard-00000.zst", "shard-00001.zst",
		"shard-00002.zst", "shard-00003.zst", "shard-00004.zst",
		"shard-00005.zst", "data.mdb",	      "catalogue/data.mdb"
	};
	uint64_t bytes = 0;

	for (unsigned index = 0; index < 9; index++) {
		char path[TEMP_PATH_MAX + 32];
		struct stat status;

		snprintf(path, sizeof(path), "%s/%s", folder, names[index]);
		if (stat(path, &status) == 0)
			bytes += (uint64_t)status.st_size;
	}
	return bytes;
}

struct bound {
	uint64_t examples, content_bytes, disk_bytes_max;
};

static void note_bound(void *context, uint64_t examples, uint64_t content_bytes,
		       uint64_t disk_bytes_max)
{
	*(struct bound *)context =
		(struct bound){ examples, content_bytes, disk_bytes_max };
}

static void the_estimate_bounds_the_true_size(void **state)
{
	static const char *const formats[] = { "shards", "lmdb" };
	struct ground *ground = *state;

	for (unsigned index = 0; index < 2; index++) {
		struct pack_options options;
		struct pack_result result;
		struct bound bound = { 0 };

		temp_name(&ground->temp, formats[index], ground->target);
		options = examples_options(ground->source, ground->target,
					   formats[index], 1);
		options.estimated = note_bound;
		options.context = &bound;
		result = examples_pack(&options);
		assert_int_equal(bound.examples, result.examples);
		assert_int_equal(bound.content_bytes, result.content_bytes);
		assert_int_equal(result.disk_bytes,
				 files_bytes(ground->target));
		assert_true(result.disk_bytes <= bound.disk_bytes_max);
		assert_true(result.disk_bytes > result.stored_bytes);
	}
}

/* What this process has read so far, whoever asked for it. */
static uint64_t read_so_far(void)
{
	FILE *file = fopen("/proc/self/io", "re");
	char line[64] = "";

	if (!file)
		return 0;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return strtoull(line + strcspn(line, " "), NULL, 10); /* "rchar: N" */
}

static void a_tar_is_read_once(void **state)
{
	struct ground *ground = *state;
	char tar[TEMP_PATH_MAX], script[2 * TEMP_PATH_MAX];
	const char *const arguments[] = { "sh", "-ec", script, NULL };
	struct pack_options options;
	uint64_t before, again;

	temp_name(&ground->temp, "t.tar", tar);
	snprintf(script, sizeof(script),
		 "cd '%s'; for n in 1 2 3 4; do head -c 8388608 /dev/zero >$n; "
		 "done; tar cf t.tar 1 2 3 4; rm 1 2 3 4",
		 ground->temp.path);
	assert_int_equal(program_run(arguments, NULL, 0, NULL), 0);
	temp_name(&ground->temp, "of-tar", ground->target);
	options = examples_options(tar, ground->target, "shards", 1);
	before = read_so_far();
	if (!before)
		skip(); /* the kernel does not say */
	assert_int_equal(examples_pack(&options).examples, 4);
	again = read_so_far() - before;
	assert_in_range(again, 32 << 20, 40 << 20);
}

static void nothing_but_the_dataset_is_left(void **state)
{
	struct ground *ground = *state;
	char path[TEMP_PATH_MAX + 16];

	pack(ground, "shards", 3);
	assert_int_equal(examples_count_names(ground->temp.path), 2);
	/* Manifest, catalogue, shards. */
	assert_int_equal(examples_count_names(ground->target), 2 + FILES / 50);
	snprintf(path, sizeof(path), "%s/catalogue", ground->target);
	assert_int_equal(examples_count_names(path), 1);
	temp_name(&ground->temp, "second", ground->target);
	pack(ground, "lmdb", 3);
	assert_int_equal(examples_count_names(ground->target), 3);
}

/* A folder with one file of this many bytes, packed and verified. */
static struct dataset_facts one_example(struct ground *ground, size_t bytes,
					const char *format)
{
	struct dataset_facts facts;
	uint8_t *content;
	size_t size;
	char name[64];

	snprintf(name, sizeof(name), "one-%zu-%s", bytes, format);
	temp_name(&ground->temp, name, ground->source);
	examples_make(&ground->temp, name, 1, bytes, &content, &size);
	free(content);
	snprintf(name, sizeof(name), "set-%zu-%s", bytes, format);
	temp_name(&ground->temp, name, ground->target);
	pack(ground, format, 1);
	verify(ground, &facts);
	assert_int_equal(facts.examples, 1);
	assert_int_equal(facts.content_bytes, bytes);
	return facts;
}

static void one_example_is_a_dataset(void **state)
{
	static const size_t sizes[] = { 0, 1, 2030, 16384, 16385, 5000000 };
	struct ground *ground = *state;

	for (unsigned index = 0; index < 6; index++) {
		one_example(ground, sizes[index], "shards");
		one_example(ground, sizes[index], "lmdb");
	}
}

static void an_empty_folder_is_refused(void **state)
{
	struct ground *ground = *state;
	struct pack_options options;
	struct pack_result result;
	struct fault fault = { 0 };

	temp_name(&ground->temp, "empty", ground->source);
	assert_int_equal(mkdir(ground->source, 0777), 0);
	options = examples_options(ground->source, ground->target, "shards", 1);
	assert_int_equal(pack_run(&options, &result, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "/empty: there is no file in it"));
	assert_int_equal(examples_count_names(ground->temp.path), 2);
}

static void a_target_inside_its_source_is_refused(void **state)
{
	struct ground *ground = *state;
	char inside[TEMP_PATH_MAX];
	struct pack_options options;
	struct pack_result result;
	struct fault fault = { 0 };

	options = examples_options(ground->source,
				   temp_name(&ground->temp, "in/a/set", inside),
				   "shards", 1);
	assert_int_equal(pack_run(&options, &result, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "lies inside its own source"));
	/* A name that only begins like the source's is another folder. */
	assert_int_equal(mkdir(temp_name(&ground->temp, "in2", inside), 0777),
			 0);
	options.target = temp_name(&ground->temp, "in2/set", inside);
	examples_pack(&options);
}

static void force_replaces_a_dataset_by_another(void **state)
{
	struct ground *ground = *state;
	struct pack_options options =
		examples_options(ground->source, ground->target, "lmdb", 1);
	struct pack_result result;
	struct dataset_facts facts;
	struct fault fault = { 0 };

	pack(ground, "shards", 3);
	assert_int_equal(pack_run(&options, &result, &fault), -EEXIST);
	verify(ground, &facts);
	assert_string_equal(facts.format, "shards");
	options.force = true;
	examples_pack(&options);
	verify(ground, &facts);
	assert_string_equal(facts.format, "lmdb");
	assert_int_equal(examples_count_names(ground->temp.path), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(shards_give_every_byte_back_to_the_zstd_program),
		TEST(lmdb_values_are_frames_of_one_file_each),
		TEST(raw_lmdb_values_are_the_files),
		TEST(an_empty_file_at_level_0_is_named),
		TEST(mdb_stat_reads_catalogue_and_dataset),
		TEST(what_is_packed_is_found_sound),
		TEST(packing_twice_gives_the_same_bytes),
		TEST(the_estimate_bounds_the_true_size),
		TEST(a_tar_is_read_once),
		TEST(nothing_but_the_dataset_is_left),
		TEST(one_example_is_a_dataset),
		TEST(an_empty_folder_is_refused),
		TEST(a_target_inside_its_source_is_refused),
		TEST(force_replaces_a_dataset_by_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
