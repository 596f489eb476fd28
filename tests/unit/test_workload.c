/* SPDX-License-Identifier: MIT */
/* Workload files: what a key means, what is listed, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/close.h"
#include "tests/support/mistake.h"
#include "traces/workload/workload.h"

#define LEAST                                                                  \
	"dataset: {num_files_train: 100, record_length_bytes: 1000}\n"         \
	"reader: {batch_size: 4}\n"                                            \
	"train: {computation_time: 0.5}\n"

static struct workload_keys keys;

static struct workload parsed(const char *text)
{
	struct fault fault = { 0 };
	struct workload workload;

	if (workload_parse(&workload, &keys, "w.yaml", text, strlen(text),
			   &fault))
		fail_msg("refused: %s", fault.text);
	return workload;
}

static bool is_seen(const char *name)
{
	size_t i;

	for (i = 0; i < workload_key_count; i++)
		if (strcmp(workload_key_table[i].name, name) == 0)
			return keys.seen[i];
	fail_msg("no key %s", name);
	return false;
}

static void what_is_not_given_is_as_dlio_has_it(void **state)
{
	struct workload workload = parsed(LEAST);

	(void)state;
	assert_int_equal(workload.files, 100);
	assert_int_equal(workload.samples_per_file, 1);
	assert_true(workload.record_bytes == 1000);
	assert_true(workload.stored_bytes == 1000);
	assert_int_equal(workload.read_threads, 1);
	assert_int_equal(workload.prefetch_batches, 2);
	assert_int_equal(workload.epochs, 1);
	assert_int_equal(workload.warmup_steps, 1);
	assert_false(workload.file_shuffle);
	assert_true(workload.step_ns.mean == 5e8);
	assert_true(distribution_is_zero(&workload.decode_ns));
	/* 4 x 1000 / 0.5 */
	assert_close(workload_demand_bytes_per_s(&workload), 8000, 1e-9);
	assert_true(is_seen("reader.batch_size"));
	assert_false(is_seen("reader.read_threads"));
}

static void every_key_finds_its_member(void **state)
{
	struct workload workload = parsed(
		"model: {name: m, type: cnn}\n"
		"framework: pytorch\n"
		"workflow: {train: True, checkpoint: False}\n"
		"dataset:\n"
		"  format: npz\n"
		"  num_files_train: 7\n"
		"  num_samples_per_file: 3\n"
		"  record_length_bytes: 114660.07\n"
		"  record_length_bytes_stdev: 5\n"
		"reader: {data_loader: pytorch, batch_size: 2,\n"
		"  read_threads: 8, prefetch_size: 5, file_shuffle: seed,\n"
		"  sample_shuffle: random, shuffle_size: 9,\n"
		"  transfer_size: 262144, preprocess_time: 0.002}\n"
		"train: {epochs: 6, computation_time: 1e-3,\n"
		"  total_training_steps: 1000, seed: 4}\n"
		"output: {metric: {exclude_start_steps: 2}}\n"
		"metric: {au: 0.9}\n");

	(void)state;
	assert_string_equal(workload.model, "m");
	assert_string_equal(workload.format, "npz");
	assert_string_equal(workload.loader, "pytorch");
	assert_int_equal(workload.files, 7);
	assert_int_equal(workload.samples_per_file, 3);
	assert_true(workload.record_bytes == 114660.07);
	assert_true(workload.record_stdev_bytes == 5);
	assert_int_equal(workload.batch_size, 2);
	assert_int_equal(workload.read_threads, 8);
	assert_int_equal(workload.prefetch_batches, 5);
	assert_true(workload.file_shuffle);
	assert_true(workload.sample_shuffle);
	assert_int_equal(workload.shuffle_examples, 9);
	assert_int_equal(workload.transfer_bytes, 262144);
	assert_close(workload.decode_ns.mean, 2e6, 1e-6);
	assert_int_equal(workload.epochs, 6);
	assert_close(workload.step_ns.mean, 1e6, 1e-6);
	assert_int_equal(workload.steps, 1000);
	assert_int_equal(workload.seed, 4);
	assert_int_equal(workload.warmup_steps, 2);
	assert_true(workload.au_target == 0.9);
	assert_int_equal(keys.unknown_count, 0);
	assert_true(is_seen("model.type"));
	assert_true(is_seen("framework"));
	assert_true(is_seen("workflow.checkpoint"));
}

/* As hydra composes it, and as the first versions of DLIO had it. */
static void other_spellings_mean_the_same(void **state)
{
	struct workload workload =
		parsed("defaults: [a]\n"
		       "workload:\n"
		       "  model: old\n"
		       "  dataset: {num_files_train: 5, record_length: 2000,\n"
		       "    record_length_stdev: 7}\n"
		       "  data_reader: {batch_size: 3, read_threads: 6}\n"
		       "  train: {computation_time: 2}\n");

	(void)state;
	assert_string_equal(workload.model, "old");
	assert_true(workload.record_bytes == 2000);
	assert_true(workload.record_stdev_bytes == 7);
	assert_true(workload.old_record_bytes == 2000);
	assert_int_equal(workload.read_threads, 6);
	assert_int_equal(keys.unknown_count, 0);
	/* Where both are given DLIO reads the new one. */
	workload = parsed("dataset: {num_files_train: 5, record_length: 2000,\n"
			  "  record_length_bytes: 3000}\n"
			  "reader: {batch_size: 3}\n"
			  "train: {computation_time: 2}\n");
	assert_true(workload.record_bytes == 3000);
	assert_true(workload.old_record_bytes == 0);
}

static struct distribution step(const char *text)
{
	char whole[512];

	snprintf(whole, sizeof(whole),
		 "dataset: {num_files_train: 1, record_length_bytes: 1}\n"
		 "reader: {batch_size: 1}\n"
		 "train: {%s}\n",
		 text);
	return parsed(whole).step_ns;
}

static void times_may_be_spread(void **state)
{
	struct distribution time;

	(void)state;
	time = step("computation_time: {mean: 0.3, stdev: 0.01}");
	assert_int_equal(time.kind, DISTRIBUTION_NORMAL);
	assert_close(time.mean, 3e8, 1e-6);
	assert_close(time.stdev, 1e7, 1e-6);
	time = step("computation_time: {type: uniform, min: 0.1, max: 0.4}");
	assert_int_equal(time.kind, DISTRIBUTION_UNIFORM);
	assert_close(distribution_mean(&time), 2.5e8, 1e-6);
	time = step("computation_time: {type: exponential, scale: 2}");
	assert_int_equal(time.kind, DISTRIBUTION_EXPONENTIAL);
	assert_close(distribution_mean(&time), 2e9, 1e-6);
	time = step("computation_time: {mean: 0.3}");
	assert_int_equal(time.kind, DISTRIBUTION_CONSTANT);
	/* In whichever order. */
	time = step("computation_time: 1, computation_time_stdev: 0.1");
	assert_int_equal(time.kind, DISTRIBUTION_NORMAL);
	assert_close(time.stdev, 1e8, 1e-6);
	time = step("computation_time_stdev: 0.1, computation_time: 1");
	assert_int_equal(time.kind, DISTRIBUTION_NORMAL);
	assert_close(time.mean, 1e9, 1e-6);
	assert_close(time.stdev, 1e8, 1e-6);
}

/* 27 columns of four bytes, 5 of eight, 4 of two and 4 of one are read in the
 * published dlrm: 160 of 761 bytes. */
static void of_columns_only_those_that_are_read_count(void **state)
{
	static const struct {
		int columns;
		const char *dtype;
	} groups[] = {
		{ 27, "float32" },
		{ 5, "float64" },
		{ 4, "float16" },
		{ 4, "int8" },
	};
	struct workload workload;
	char *text = NULL;
	size_t size = 0, i;
	FILE *out = open_memstream(&text, &size);
	int column;

	(void)state;
	fputs("dataset:\n  num_files_train: 1\n  record_length_bytes: 761\n"
	      "  parquet:\n    read_mode: row_group\n    columns:\n"
	      "    - {name: a, dtype: float64, read: false}\n",
	      out);
	for (i = 0; i < 4; i++)
		for (column = 0; column < groups[i].columns; column++)
			fprintf(out, "    - {dtype: %s, read: true}\n",
				groups[i].dtype);
	fputs("reader: {batch_size: 1}\ntrain: {computation_time: 1}\n", out);
	fclose(out);
	workload = parsed(text);
	assert_true(workload.record_bytes == 160);
	assert_true(workload.stored_bytes == 761);
	free(text);
	/* All of them are read: the record is what it is said to be. */
	workload = parsed("dataset: {num_files_train: 1,\n"
			  "  record_length_bytes: 761,\n"
			  "  parquet: {columns: [{dtype: int8, size: 9}]}}\n"
			  "reader: {batch_size: 1}\n"
			  "train: {computation_time: 1}\n");
	assert_true(workload.record_bytes == 761);
}

static void misspelt_keys_are_told_with_the_nearest(void **state)
{
	static const struct {
		const char *text, *key, *near;
		int line;
	} cases[] = {
		{ LEAST "raeder: {a: 1}\n", "raeder", "reader", 4 },
		{ LEAST "metric: {ua: 0.9}\n", "metric.ua", "metric.au", 4 },
		{ LEAST "checkpiont: {a: {b: 1}}\n", "checkpiont", "checkpoint",
		  4 },
		{ LEAST "read_threads: 4\n", "read_threads",
		  "reader.read_threads", 4 },
		{ LEAST "model:\n  wheather: 4\n", "model.wheather", "", 5 },
		{ LEAST "reader.read_threads: 4\n", "reader.read_threads", "",
		  4 },
		{ LEAST "\"a\\eb\": 4\n", "a?b", "", 4 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parsed(cases[i].text);
		assert_int_equal(keys.unknown_count, 1);
		assert_string_equal(keys.unknown[0].key, cases[i].key);
		assert_string_equal(keys.unknown[0].near, cases[i].near);
		assert_int_equal(keys.unknown[0].line, cases[i].line);
	}
}

static void many_unknown_keys_are_counted(void **state)
{
	char *text = NULL;
	size_t size = 0, i;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	fputs(LEAST, out);
	for (i = 0; i < 500; i++)
		fprintf(out, "strange_%zu: [1, {a: 2}]\n", i);
	fclose(out);
	parsed(text);
	assert_int_equal(keys.unknown_count, 500);
	free(text);
}

static void a_file_that_cannot_be_read_has_no_keys(void **state)
{
	struct fault fault = { 0 };
	struct workload workload;

	(void)state;
	memset(&keys, 0x55, sizeof(keys));
	assert_int_equal(workload_read(&workload, &keys, "no/such.yaml",
				       &fault),
			 -ENOENT);
	assert_int_equal(keys.unknown_count, 0);
}

static void refuse_files(const struct mistake *mistakes, size_t count)
{
	struct workload workload;
	size_t i;

	for (i = 0; i < count; i++) {
		struct fault fault = { 0 };

		assert_int_equal(workload_parse(&workload, &keys, "w.yaml",
						mistakes[i].text,
						strlen(mistakes[i].text),
						&fault),
				 -EINVAL);
		mistake_check(&mistakes[i], "w.yaml", &fault);
	}
}

#define DATASET "dataset: {num_files_train: 100, record_length_bytes: 1000}\n"
#define READER "reader: {batch_size: 4}\n"
#define TRAIN "train: {computation_time: 0.5}\n"

static void wrong_values_are_refused_word_for_word(void **state)
{
	static const struct mistake mistakes[] = {
		{ DATASET READER "train: {computation_time: 0}\n", 3,
		  "train.computation_time: found \"0\"; expected seconds from "
		  "1e-09 to 3600" },
		{ DATASET READER "train: {computation_time: -1}\n", 3,
		  "train.computation_time: found \"-1\"; expected seconds from "
		  "1e-09 to 3600" },
		{ DATASET READER "train: {computation_time: 5 ms}\n", 3,
		  "train.computation_time: found \"5 ms\"; expected seconds "
		  "from 1e-09 to 3600" },
		{ DATASET READER "train: {computation_time: [1]}\n", 3,
		  "train.computation_time: found a list; expected seconds from "
		  "1e-09 to 3600" },
		{ DATASET READER
		  "train: {computation_time: {type: gamma, shape: 1}}\n",
		  3,
		  "train.computation_time: found \"gamma\"; expected one of "
		  "normal, uniform, exponential, constant" },
		{ DATASET READER
		  "train: {computation_time: {type: uniform, min: 2, max: "
		  "1}}\n",
		  3,
		  "train.computation_time: found a map; expected min not above "
		  "max" },
		{ DATASET READER "train: {computation_time: {stdev: 1}}\n", 3,
		  "train.computation_time.mean: not given; expected seconds" },
	};

	(void)state;
	refuse_files(mistakes, sizeof(mistakes) / sizeof(mistakes[0]));
}

static void wrong_counts_and_kinds_are_refused_too(void **state)
{
	static const struct mistake mistakes[] = {
		{ "dataset:\n  num_files_train: ${files}\n", 2,
		  "dataset.num_files_train: found \"${files}\"; expected a "
		  "whole number from 1 to 1000000000000 (what hydra would fill "
		  "in is not known here)" },
		{ "dataset: {num_files_train: 0}\n", 1,
		  "dataset.num_files_train: found \"0\"; expected a whole "
		  "number from 1 to 1000000000000" },
		{ "dataset: {num_files_train: 1.5}\n", 1,
		  "dataset.num_files_train: found \"1.5\"; expected a whole "
		  "number from 1 to 1000000000000" },
		{ "dataset: {num_files_train: 1e300}\n", 1,
		  "dataset.num_files_train: found \"1e300\"; expected a whole "
		  "number from 1 to 1000000000000" },
		{ "dataset: {num_files_train: 99999999999999999999999999}\n", 1,
		  "dataset.num_files_train: found "
		  "\"99999999999999999999999999\"; expected a whole number "
		  "from 1 to 1000000000000" },
		{ "dataset: {num_files_train: }\n", 1,
		  "dataset.num_files_train: found nothing; expected a whole "
		  "number from 1 to 1000000000000" },
		{ "reader: {file_shuffle: maybe}\n", 1,
		  "reader.file_shuffle: found \"maybe\"; expected one of off, "
		  "seed, random" },
		{ "reader: 4\n", 1,
		  "reader: found \"4\"; expected a map of keys" },
		{ "reader: [4]\n", 1,
		  "reader: found a list; expected a map of keys" },
		{ "metric: {au: 90}\n", 1,
		  "metric.au: found \"90\"; expected a number from 0 to 1" },
		{ "model: {name: \"a\\nb\"}\n", 1,
		  "model.name: found \"a?b\"; expected plain letters" },
		{ "dataset: {parquet: {columns: {a: 1}}}\n", 1,
		  "dataset.parquet.columns: found a map; expected a list of "
		  "columns" },
		{ "dataset: {parquet: {columns: [{dtype: flaot32}]}}\n", 1,
		  "dataset.parquet.columns: found \"flaot32\"; expected a "
		  "dtype such as float32, int8 or bool" },
		{ "[1, 2]\n", 1,
		  "workload: found a list; expected a map with DLIO's keys: "
		  "dataset, reader, train" },
		{ "", 1,
		  "workload: found nothing; expected a map with DLIO's keys: "
		  "dataset, reader, train" },
		{ "a: &x [1]\nb: *x\n", 1,
		  "an anchor (&) or alias (*) is used; expected plain values" },
	};

	(void)state;
	refuse_files(mistakes, sizeof(mistakes) / sizeof(mistakes[0]));
}

static void what_is_missing_is_named(void **state)
{
	static const struct mistake mistakes[] = {
		{ READER TRAIN, 0,
		  "dataset.num_files_train: not given; nothing can be said of "
		  "a workload without it" },
		{ "dataset: {num_files_train: 3}\n" READER TRAIN, 0,
		  "dataset.record_length_bytes: not given; nothing can be said "
		  "of a workload without it" },
		{ DATASET TRAIN, 0,
		  "reader.batch_size: not given; nothing can be said of a "
		  "workload without it" },
		{ DATASET READER, 0,
		  "train.computation_time: not given; nothing can be said of a "
		  "workload without it" },
		{ DATASET TRAIN "reader: {batchsize: 4}\n", 3,
		  "unknown key \"reader.batchsize\", and reader.batch_size is "
		  "not given; did you mean that?" },
		{ LEAST "workflow: {train: False}\n", 0,
		  "workflow.train: false; expected a workload that trains: "
		  "this one reads nothing that waits for an accelerator" },
		{ "dataset: {num_files_train: 1e12, num_samples_per_file: "
		  "1e12,\n  record_length_bytes: 5}\n" READER TRAIN,
		  0,
		  "dataset.num_files_train: with num_samples_per_file these "
		  "are 1e+24 samples; expected at most 1e12" },
	};

	(void)state;
	refuse_files(mistakes, sizeof(mistakes) / sizeof(mistakes[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_given_is_as_dlio_has_it),
		cmocka_unit_test(every_key_finds_its_member),
		cmocka_unit_test(other_spellings_mean_the_same),
		cmocka_unit_test(times_may_be_spread),
		cmocka_unit_test(of_columns_only_those_that_are_read_count),
		cmocka_unit_test(misspelt_keys_are_told_with_the_nearest),
		cmocka_unit_test(many_unknown_keys_are_counted),
		cmocka_unit_test(a_file_that_cannot_be_read_has_no_keys),
		cmocka_unit_test(wrong_values_are_refused_word_for_word),
		cmocka_unit_test(wrong_counts_and_kinds_are_refused_too),
		cmocka_unit_test(what_is_missing_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
