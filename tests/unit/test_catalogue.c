/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "storage/dataset/catalogue.h"
#include "tests/support/temp.h"

#define FILE_BYTES_MAX ((uint64_t)16 << 20)

static const uint32_t lengths[] = { 30, 0, 70 };

/* Three blocks of 3, 1 and 3 examples in two shards. */
static const struct catalogue_record three[] = {
	{ .first_example = 0,
	  .offset_bytes = 0,
	  .checksum = 0x1111,
	  .shard = 0,
	  .examples = 3,
	  .stored_bytes = 60,
	  .content_bytes = 100 },
	{ .first_example = 3,
	  .offset_bytes = 60,
	  .checksum = 0x2222,
	  .shard = 0,
	  .examples = 1,
	  .stored_bytes = 10,
	  .content_bytes = 0 },
	{ .first_example = 4,
	  .offset_bytes = 0,
	  .checksum = 0x3333,
	  .shard = 1,
	  .examples = 3,
	  .stored_bytes = 65,
	  .content_bytes = 100 },
};

static void write_three(const struct temp *temp,
			const struct catalogue_record *records,
			struct manifest *manifest)
{
	struct fault fault = { 0 };
	struct catalogue *catalogue;

	memset(manifest, 0, sizeof(*manifest));
	assert_int_equal(catalogue_create(&catalogue, temp->path,
					  FILE_BYTES_MAX, &fault),
			 0);
	for (unsigned index = 0; index < 3; index++)
		assert_int_equal(catalogue_append(catalogue, &records[index],
						  lengths, &fault),
				 0);
	assert_int_equal(catalogue_finish(catalogue,
					  &manifest->catalogue_checksum,
					  &fault),
			 0);
	catalogue_close(catalogue);
	manifest->examples = 7;
	manifest->blocks = 3;
	manifest->shards = 2;
	manifest->stored_bytes = 135;
	manifest->content_bytes = 200;
}

static int load(const struct temp *temp, const struct manifest *manifest,
		struct fault *fault)
{
	struct catalogue_tables tables;
	int error;

	memset(fault, 0, sizeof(*fault));
	error = catalogue_load(&tables, temp->path, manifest, fault);
	if (error)
		assert_true(fault->text[0] != 0);
	else
		catalogue_release(&tables);
	return error;
}

static void a_record_is_encoded_as_its_header_says(void **state)
{
	static const uint8_t expected[] = {
		1,    0,    0, 0, 3,   0, 0, 0, /* shard, examples */
		8,    7,    6, 5, 4,   3, 2, 1, /* offset */
		9,    0,    0, 0, 0,   0, 0, 0, /* first example */
		65,   0,    0, 0, 100, 0, 0, 0, /* stored, content */
		0x33, 0x33, 0, 0, 0,   0, 0, 0, /* checksum */
		30,   0,    0, 0, 0,   0, 0, 0, 70, 0, 0, 0,
	};
	struct catalogue_record record = three[2];
	struct catalogue_record back;
	uint8_t value[sizeof(expected)];

	(void)state;
	record.offset_bytes = 0x0102030405060708;
	record.first_example = 9;
	assert_int_equal(catalogue_record_bytes(3), sizeof(value));
	catalogue_encode(value, &record, lengths);
	assert_memory_equal(value, expected, sizeof(value));
	assert_int_equal(catalogue_decode(&back, value, sizeof(value)), 0);
	assert_int_equal(back.offset_bytes, record.offset_bytes);
	assert_int_equal(back.first_example, 9);
	assert_int_equal(back.stored_bytes, 65);
	assert_int_equal(back.content_bytes, 100);
	assert_int_equal(back.checksum, 0x3333);
	assert_int_equal(back.shard, 1);
	assert_int_equal(back.examples, 3);
}

/* Decodes from memory of exactly that size. */
static int decode(const uint8_t *value, size_t size)
{
	struct catalogue_record record;
	uint8_t *copy = malloc(size ? size : 1);
	int error;

	assert_non_null(copy);
	memcpy(copy, value, size);
	error = catalogue_decode(&record, copy, size);
	free(copy);
	return error;
}

static void a_record_is_refused_at_every_other_length(void **state)
{
	uint8_t value[64] = { 0 };
	size_t whole = catalogue_record_bytes(3);

	(void)state;
	catalogue_encode(value, &three[0], lengths);
	for (size_t size = 0; size < sizeof(value); size++)
		assert_int_equal(decode(value, size),
				 size == whole ? 0 : -EBADMSG);
}

static void impossible_numbers_in_a_record_are_refused(void **state)
{
	static const struct {
		size_t at;
		const char *bytes;
		size_t size;
	} changes[] = {
		{ 4, "\0\0\0\0", 4 },			      /* no examples */
		{ 4, "\x01\0\x01\0", 4 },		      /* too many */
		{ 8, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8 }, /* end */
		{ 8, "\0\0\0\0\0\0\0\x80", 8 },		      /* negative */
		{ 24, "\0\0\0\0", 4 },	       /* stored nothing */
		{ 24, "\xff\xff\xff\xff", 4 }, /* stored 4 GiB */
		{ 28, "\x01\0\0\x40", 4 },     /* content > 1 GiB */
		{ 28, "\x65\0\0\0", 4 },       /* not the sum */
		{ 40, "\x1f\0\0\0", 4 },       /* the same */
	};

	(void)state;
	for (size_t index = 0; index < sizeof(changes) / sizeof(changes[0]);
	     index++) {
		uint8_t value[64];

		catalogue_encode(value, &three[0], lengths);
		memcpy(value + changes[index].at, changes[index].bytes,
		       changes[index].size);
		assert_int_equal(decode(value, catalogue_record_bytes(3)),
				 -EBADMSG);
	}
}

static void a_catalogue_comes_back_as_tables(void **state)
{
	struct catalogue_tables tables;
	struct fault fault = { 0 };
	struct manifest manifest;
	struct temp *temp = *state;

	write_three(temp, three, &manifest);
	assert_int_equal(catalogue_load(&tables, temp->path, &manifest, &fault),
			 0);
	assert_int_equal(tables.shard_first_block[0], 0);
	assert_int_equal(tables.shard_first_block[1], 2);
	assert_int_equal(tables.shard_first_block[2], 3);
	for (unsigned index = 0; index < 3; index++) {
		assert_int_equal(tables.checksums[index],
				 three[index].checksum);
		assert_int_equal(tables.entries[index].first_example,
				 three[index].first_example);
		assert_int_equal(tables.entries[index].offset_bytes,
				 three[index].offset_bytes);
		assert_int_equal(tables.entries[index].stored_bytes,
				 three[index].stored_bytes);
		assert_int_equal(tables.entries[index].content_bytes,
				 three[index].content_bytes);
	}
	catalogue_release(&tables);
}

static void a_manifest_that_says_otherwise_is_named(void **state)
{
	struct manifest manifest;
	struct fault fault;
	struct temp *temp = *state;

	write_three(temp, three, &manifest);
	assert_int_equal(load(temp, &manifest, &fault), 0);

	manifest.examples++;
	assert_int_equal(load(temp, &manifest, &fault), -EBADMSG);
	assert_string_equal(fault.text,
			    "catalogue: number of examples is 7, but "
			    "echosim.dataset says 8");
	assert_string_equal(fault.file, temp->path);
	manifest.examples--;
	manifest.blocks = 199999999;
	assert_int_equal(load(temp, &manifest, &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "number of blocks is 3"));
	manifest.blocks = 3;
	manifest.shards = 3;
	assert_int_equal(load(temp, &manifest, &fault), -EBADMSG);
	manifest.shards = 1;
	assert_int_equal(load(temp, &manifest, &fault), -EBADMSG);
	manifest.shards = 2;
	manifest.stored_bytes++;
	assert_int_equal(load(temp, &manifest, &fault), -EBADMSG);
	manifest.stored_bytes--;
	manifest.content_bytes++;
	assert_int_equal(load(temp, &manifest, &fault), -EBADMSG);
	manifest.content_bytes--;
	manifest.catalogue_checksum ^= 1;
	assert_int_equal(load(temp, &manifest, &fault), -EBADMSG);
	assert_non_null(strstr(fault.text, "its checksum is not"));
}

/* Under a right checksum, so that nothing else notices. */
static void a_gap_between_records_is_refused(void **state)
{
	(void)state;

	for (unsigned kind = 0; kind < 4; kind++) {
		struct catalogue_record records[3];
		struct manifest manifest;
		struct fault fault;
		struct temp temp;

		assert_int_equal(temp_open(&temp), 0);
		memcpy(records, three, sizeof(records));
		if (kind == 0)
			records[1].first_example++; /* example missing */
		else if (kind == 1)
			records[2].shard = 2; /* shard missing */
		else if (kind == 2)
			records[0].shard = 1; /* first shard missing */
		else
			records[1].shard = 1, records[2].shard = 0;
		write_three(&temp, records, &manifest);
		assert_int_equal(load(&temp, &manifest, &fault), -EBADMSG);
		assert_non_null(strstr(fault.text, "is damaged"));
		temp_close(&temp);
	}
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_encoded_as_its_header_says),
		cmocka_unit_test(a_record_is_refused_at_every_other_length),
		cmocka_unit_test(impossible_numbers_in_a_record_are_refused),
		TEST(a_catalogue_comes_back_as_tables),
		TEST(a_manifest_that_says_otherwise_is_named),
		cmocka_unit_test(a_gap_between_records_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
