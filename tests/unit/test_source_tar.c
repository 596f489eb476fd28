/* SPDX-License-Identifier: MIT */
/* Tars that the program tar made, and some that it would not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "storage/pack/source.h"
#include "tests/support/examples.h"
#include "tests/support/program.h"
#include "tests/support/temp.h"

#define BLOCK_BYTES 512

/* Runs a shell script in the test's folder. */
static void run(const struct temp *temp, const char *script)
{
	char text[2 * TEMP_PATH_MAX];
	const char *const arguments[] = { "sh", "-ec", text, NULL };

	snprintf(text, sizeof(text), "cd '%s'; %s", temp->path, script);
	assert_int_equal(program_run(arguments, NULL, 0, NULL), 0);
}

static struct source *open_tar(const struct temp *temp, const char *name,
			       char path[TEMP_PATH_MAX])
{
	struct source *source;

	temp_name(temp, name, path);
	assert_int_equal(source_open_tar(&source, path, NULL, 0), 0);
	return source;
}

static void expect(struct source *source, const char *content)
{
	struct fault fault = { 0 };
	uint64_t bytes;
	char *got;

	if (source_next(source, &bytes, &fault) != 1)
		fail_msg("%s", fault.text);
	assert_int_equal(bytes, strlen(content));
	got = calloc(1, bytes + 1);
	assert_non_null(got);
	assert_int_equal(source_read(source, got, &fault), 0);
	assert_string_equal(got, content);
	free(got);
}

static void expect_end(struct source *source, uint64_t skipped)
{
	struct fault fault = { 0 };
	uint64_t bytes;

	for (int again = 0; again < 2; again++)
		assert_int_equal(source_next(source, &bytes, &fault), 0);
	assert_int_equal(source->skipped, skipped);
}

/* Goes through the whole tar; its error, with its text. */
static int walk(const struct temp *temp, const char *name, struct fault *fault)
{
	char path[TEMP_PATH_MAX];
	struct source *source = open_tar(temp, name, path);
	uint64_t bytes;
	int got;

	memset(fault, 0, sizeof(*fault));
	while ((got = source_next(source, &bytes, fault)) > 0)
		;
	source_close(source);
	if (got) {
		assert_non_null(strstr(fault->text, name));
		assert_null(strchr(fault->text, '\n'));
	}
	return got;
}

static const char makes_set[] =
	"mkdir -p d/a.b; printf one >d/1.jpg; printf 1 >d/1.cls;"
	"printf ONE >d/a.b/1.jpg; printf two >d/2.jpg; printf x >d/2.seg.png;"
	"printf three >d/3;";

static void members_of_one_stem_are_one_example(void **state)
{
	const struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct source *source;

	run(temp, makes_set);
	run(temp, "tar cf t d/1.jpg d/1.cls d/a.b d/2.jpg d/2.seg.png d/3");
	source = open_tar(temp, "t", path);
	expect(source, "one1");
	expect(source, "ONE");
	expect(source, "twox");
	expect(source, "three");
	expect_end(source, 0);
	source_close(source);
}

/* Before any byte was read there is no memory for them: a sanitizer says what
 * copying none of it is. */
static void a_first_example_may_be_empty(void **state)
{
	const struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct source *source;

	run(temp, ": >1; printf two >2; tar cf t 1 2");
	source = open_tar(temp, "t", path);
	expect(source, "");
	expect(source, "two");
	expect_end(source, 0);
	source_close(source);
}

static void a_stem_that_comes_again_is_another_example(void **state)
{
	const struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct source *source;

	run(temp, makes_set);
	run(temp, "tar cf t d/1.jpg d/2.jpg d/1.cls");
	source = open_tar(temp, "t", path);
	expect(source, "one");
	expect(source, "two");
	expect(source, "1");
	expect_end(source, 0);
	source_close(source);
}

static void tars_may_be_compressed(void **state)
{
	const struct temp *temp = *state;
	char path[TEMP_PATH_MAX];

	run(temp, makes_set);
	run(temp,
	    "tar cf t d/1.jpg d/1.cls; gzip -c t >t.gz; zstd -qc t >t.zst");
	for (int i = 0; i < 2; i++) {
		struct source *source =
			open_tar(temp, i ? "t.zst" : "t.gz", path);

		expect(source, "one1");
		expect_end(source, 0);
		source_close(source);
	}
}

static void an_example_does_not_go_on_in_the_next_tar(void **state)
{
	const struct temp *temp = *state;
	char first[TEMP_PATH_MAX];
	char second[TEMP_PATH_MAX];
	const char *const more[] = { temp_name(temp, "u", second) };
	struct source *source;

	run(temp, makes_set);
	run(temp, "tar cf t d/2.jpg d/1.jpg; tar cf u d/1.cls d/3");
	temp_name(temp, "t", first);
	assert_int_equal(source_open_tar(&source, first, more, 1), 0);
	expect(source, "two");
	expect(source, "one");
	expect(source, "1");
	expect(source, "three");
	expect_end(source, 0);
	source_close(source);
}

static void formats_of_tar_are_all_the_same(void **state)
{
	static const char *const formats[] = { "v7", "ustar", "gnu", "pax" };
	const struct temp *temp = *state;

	run(temp, "n=$(printf 'n%.0s' $(seq 80)); mkdir $n; printf x >$n/1.a");
	for (int i = 0; i < 4; i++) {
		char path[TEMP_PATH_MAX];
		char script[100];
		struct source *source;

		snprintf(script, sizeof(script), "tar -H %s -cf t n*",
			 formats[i]);
		run(temp, script);
		source = open_tar(temp, "t", path);
		expect(source, "x");
		expect_end(source, 0);
		source_close(source);
	}
}

static void links_and_hidden_files_are_left_out_and_counted(void **state)
{
	const struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct source *source;

	run(temp, "printf one >1.jpg; ln 1.jpg 2.jpg; ln -s 1.jpg 3.jpg;"
		  "printf x >._1.jpg; mkfifo 4; ln -s /etc/passwd 5;"
		  "tar cf t 1.jpg 2.jpg 3.jpg ._1.jpg 4 5");
	source = open_tar(temp, "t", path);
	expect(source, "one");
	expect_end(source, 5);
	source_close(source);
}

static void paths_that_lead_out_lead_nowhere(void **state)
{
	const struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct source *source;

	run(temp,
	    "mkdir a; printf one >1.jpg; cd a;"
	    "tar -P --hard-dereference -cf ../t ../1.jpg \"$PWD/../1.jpg\"");
	source = open_tar(temp, "t", path);
	expect(source, "one");
	expect(source, "one");
	expect_end(source, 0);
	source_close(source);
}

static void what_is_no_tar_is_said_to_be_none(void **state)
{
	const struct temp *temp = *state;
	struct fault fault;
	char rubbish[3000];

	assert_int_equal(temp_write(temp, "empty", "", 0), 0);
	assert_int_equal(walk(temp, "empty", &fault), -EINVAL);
	examples_fill((uint8_t *)rubbish, sizeof(rubbish), 1);
	assert_int_equal(temp_write(temp, "rubbish", rubbish, sizeof(rubbish)),
			 0);
	assert_int_equal(walk(temp, "rubbish", &fault), -EINVAL);
	assert_int_equal(walk(temp, "nowhere", &fault), -ENOENT);
}

/* Cut within its data, a tar is damaged; behind it, the end is missing and
 * nothing else. */
static void cut_tars_are_refused(void **state)
{
	const struct temp *temp = *state;
	struct fault fault;
	char path[TEMP_PATH_MAX];

	run(temp, "head -c 5000 /dev/zero >1.bin; tar cf t 1.bin;"
		  "zstd -qc t >t.zst");
	for (off_t size = BLOCK_BYTES; size < BLOCK_BYTES + 5000; size += 499) {
		run(temp, "cp t cut");
		assert_int_equal(truncate(temp_name(temp, "cut", path), size),
				 0);
		assert_int_equal(walk(temp, "cut", &fault), -EBADMSG);
	}
	assert_int_equal(truncate(temp_name(temp, "t.zst", path), 60), 0);
	assert_int_not_equal(walk(temp, "t.zst", &fault), 0);
}

/* Writes over a field of the first header, and its checksum anew. */
static void forge(const struct temp *temp, size_t at, const void *field,
		  size_t field_bytes)
{
	char path[TEMP_PATH_MAX];
	unsigned sum = 0;
	size_t size;
	uint8_t *tar = examples_read(temp_name(temp, "t", path), &size);

	memcpy(tar + at, field, field_bytes);
	memset(tar + 148, ' ', 8);
	for (size_t i = 0; i < BLOCK_BYTES; i++)
		sum += tar[i];
	snprintf((char *)tar + 148, 8, "%06o", sum);
	assert_int_equal(temp_write(temp, "forged", tar, size), 0);
	free(tar);
}

static void claimed_sizes_are_not_believed(void **state)
{
	/* Octal, and the base-256 that GNU tar has for more. */
	static const char gigabyte[] = "07777777777";
	static const char more[] = "30000000000";
	static const uint8_t huge[12] = { 0x80, 0,    0,    0,	  0x7f, 0xff,
					  0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const uint8_t negative[12] = { 0xff, 0xff, 0xff, 0xff,
					      0xff, 0xff, 0xff, 0xff,
					      0xff, 0xff, 0xff, 0xf0 };
	const struct temp *temp = *state;
	struct fault fault;

	run(temp, "printf one >1.bin; tar --format=gnu -cf t 1.bin");
	forge(temp, 124, gigabyte, sizeof(gigabyte));
	assert_int_equal(walk(temp, "forged", &fault), -EBADMSG);
	forge(temp, 124, more, sizeof(more));
	assert_int_equal(walk(temp, "forged", &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "member '1.bin'"));
	forge(temp, 124, huge, sizeof(huge));
	assert_true(walk(temp, "forged", &fault) < 0);
	forge(temp, 124, negative, sizeof(negative));
	assert_true(walk(temp, "forged", &fault) < 0);
}

static void what_a_name_does_to_terminals_is_not_shown(void **state)
{
	static const char more[] = "30000000000";
	const struct temp *temp = *state;
	struct fault fault;

	run(temp, "n=$(printf 'a\\n\\033[2Jb'); printf one >\"$n\";"
		  "tar --format=gnu -cf t a*");
	forge(temp, 124, more, sizeof(more));
	assert_int_equal(walk(temp, "forged", &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "member 'a??[2Jb'"));
}

/* With any bit flipped: an error of one line, or examples. */
static void no_flipped_bit_does_harm(void **state)
{
	const struct temp *temp = *state;
	char path[TEMP_PATH_MAX];
	struct fault fault;
	size_t size;

	run(temp, makes_set);
	run(temp, "tar --format=pax -cf t d/1.jpg d/2.jpg");
	free(examples_read(temp_name(temp, "t", path), &size));
	for (size_t bit = 0; bit < size * 8 && bit < 8 * 4096; bit += 13) {
		examples_flip(path, bit / 8, bit % 8);
		(void)walk(temp, "t", &fault);
		examples_flip(path, bit / 8, bit % 8);
	}
	assert_int_equal(walk(temp, "t", &fault), 0);
}

#define TEST(test)                                                             \
	cmocka_unit_test_setup_teardown(test, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(members_of_one_stem_are_one_example),
		TEST(a_first_example_may_be_empty),
		TEST(a_stem_that_comes_again_is_another_example),
		TEST(tars_may_be_compressed),
		TEST(an_example_does_not_go_on_in_the_next_tar),
		TEST(formats_of_tar_are_all_the_same),
		TEST(links_and_hidden_files_are_left_out_and_counted),
		TEST(paths_that_lead_out_lead_nowhere),
		TEST(what_is_no_tar_is_said_to_be_none),
		TEST(cut_tars_are_refused),
		TEST(claimed_sizes_are_not_believed),
		TEST(what_a_name_does_to_terminals_is_not_shown),
		TEST(no_flipped_bit_does_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
