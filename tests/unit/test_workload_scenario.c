/* SPDX-License-Identifier: MIT */
/* A workload as a scenario: how large its dataset is, what it becomes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/close.h"
#include "traces/workload/print.h"
#include "traces/workload/scenario.h"
#include "traces/workloads.h"

#define GIB (UINT64_C(1) << 30)

static struct scenario scenario;

static struct workload parsed(const char *text)
{
	struct fault fault = { 0 };
	struct workload workload;

	if (workload_parse(&workload, NULL, "w.yaml", text, strlen(text),
			   &fault))
		fail_msg("refused: %s", fault.text);
	return workload;
}

/* By hand, from rule 3.1.2 of MLPerf Storage:
 * unet3d: 500 x 7 x 8 = 28,000; 5 x 1 x 256 x 2^30 / 146,600,628 = 9,375.1;
 *	5 x 2 x 1024 x 2^30 / 146,600,628 = 75,000.6
 * resnet50: 500 x 400 x 1 = 200,000 / 1251 = 159.9 files; 5 x 1 x 256 x 2^30 /
 *	114,660 = 11,986,652.1 / 1251 = 9,581.7 files */
static void the_rule_gives_what_it_gives_by_hand(void **state)
{
	static const struct {
		const char *name;
		uint32_t accelerators, hosts;
		uint64_t memory_gib;
		uint64_t steps, memory;
		enum workload_bound binding;
		uint64_t files, samples;
	} cases[] = {
		{ "unet3d-h100", 8, 1, 256, 28000, 9376, WORKLOAD_BOUND_STEPS,
		  28000, 28000 },
		{ "unet3d-h100", 1, 1, 256, 3500, 9376, WORKLOAD_BOUND_MEMORY,
		  9376, 9376 },
		{ "unet3d-h100", 4, 2, 1024, 28000, 75001,
		  WORKLOAD_BOUND_MEMORY, 75001, 75001 },
		/* Below 96 GiB memory changes nothing. */
		{ "unet3d-h100", 1, 1, 95, 3500, 3480, WORKLOAD_BOUND_STEPS,
		  3500, 3500 },
		{ "unet3d-h100", 1, 1, 96, 3500, 3516, WORKLOAD_BOUND_MEMORY,
		  3516, 3516 },
		{ "resnet50-h100", 1, 1, 1, 200000, 46823, WORKLOAD_BOUND_STEPS,
		  160, 200160 },
		{ "resnet50-h100", 1, 1, 256, 200000, 11986653,
		  WORKLOAD_BOUND_MEMORY, 9582, 11987082 },
		/* The rows on disk, not what is read of them. */
		{ "dlrm-parquet-b200", 1, 1, 512, 8192000, 3612061853,
		  WORKLOAD_BOUND_MEMORY, 766, 3614441472 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct embedded_file *entry =
			embedded_find(&workloads, cases[i].name);
		struct workload workload = parsed(entry->text);
		const struct workload_setting setting = {
			.accelerators = cases[i].accelerators,
			.hosts = cases[i].hosts,
			.host_memory_bytes = cases[i].memory_gib * GIB,
			.by_rule = true,
		};
		struct workload_size size;

		workload_size(&workload, &setting, &size);
		assert_int_equal(size.steps_samples, cases[i].steps);
		assert_int_equal(size.memory_samples, cases[i].memory);
		assert_int_equal(size.binding, cases[i].binding);
		assert_int_equal(size.files, cases[i].files);
		assert_int_equal(size.samples, cases[i].samples);
	}
}

static void without_memory_the_file_is_a_bound_too(void **state)
{
	struct workload workload =
		parsed(embedded_find(&workloads, "cosmoflow-h100")->text);
	struct workload_setting setting = { .accelerators = 4, .hosts = 1 };
	struct workload_size size;
	char said[WORKLOAD_SAID_MAX];

	(void)state;
	setting.by_rule = true;
	workload_size(&workload, &setting, &size);
	assert_int_equal(size.binding, WORKLOAD_BOUND_FILE);
	assert_int_equal(size.samples, 524288);
	workload_say_size(&workload, &setting, &size, said);
	assert_string_equal(
		said,
		"500 steps an epoch want 2000 samples (5.7 GB); five times "
		"the memory of 1 host is not known (--host-memory). The "
		"file's own number binds: 524288 samples (1482.9 GB) in "
		"524288 files.");
	/* A file of one's own is as large as it is. */
	setting.by_rule = false;
	setting.accelerators = 1024;
	setting.hosts = 4096;
	workload_size(&workload, &setting, &size);
	assert_int_equal(size.samples, 524288);
	/* Memory without end does not overflow. */
	setting.by_rule = true;
	setting.host_memory_bytes = UINT64_C(1) << 60;
	workload_size(&workload, &setting, &size);
	assert_int_equal(size.binding, WORKLOAD_BOUND_MEMORY);
}

static void read_workload(const char *name, const char *const *overrides,
			  uint32_t count, struct workload_decision *decision)
{
	const struct workload_origin origin = {
		.name = name,
		.overrides = overrides,
		.override_count = count,
	};
	struct fault fault = { 0 };

	if (workload_scenario(&scenario, &origin, decision, &fault))
		fail_msg("%s: %s", name, fault.text);
}

static void a_catalogue_name_becomes_a_scenario(void **state)
{
	struct workload_decision decision;

	(void)state;
	read_workload("unet3d-h100", NULL, 0, &decision);
	assert_true(decision.device_assumed);
	assert_string_equal(scenario.name, "unet3d-h100");
	assert_string_equal(scenario.storage.device, WORKLOAD_DEVICE);
	assert_int_equal(scenario.dataset.examples, 3500);
	assert_int_equal(scenario.dataset.shard_examples, 1);
	assert_int_equal(scenario.dataset.example_bytes.kind,
			 DISTRIBUTION_LOGNORMAL);
	assert_true(scenario.dataset.example_bytes.mean == 146600628);
	assert_true(scenario.dataset.example_bytes.stdev == 68341808);
	assert_int_equal(scenario.storage.order, ORDER_SHUFFLED_SHARDS);
	assert_int_equal(scenario.batch_size, 7);
	/* DLIO's DataLoader, with its prefetch_size of 2 over 4 workers. */
	assert_string_equal(scenario.loader_like, "pytorch");
	assert_int_equal(scenario.loading.workers, 4);
	assert_int_equal(scenario.loading.prefetch_factor, 1);
	assert_int_equal(scenario.loading.restart, RESTART_RUN);
	assert_false(scenario.loading.pads);
	assert_true(scenario.accelerators.step_ns.mean == 323e6);
	assert_int_equal(scenario.limit.steps, 500);
}

static void overrides_decide_how_large_the_job_is(void **state)
{
	static const char *const overrides[] = {
		"accelerator={count: 8}",
		"accelerator.hosts=2",
		"pipeline.batch_size=14",
		"storage.device=gcs",
	};
	struct workload_decision decision;

	(void)state;
	read_workload("unet3d-h100", overrides, 4, &decision);
	assert_false(decision.device_assumed);
	/* 500 x 14 x 16 */
	assert_int_equal(scenario.dataset.examples, 112000);
	/* Of each accelerator. */
	assert_int_equal(scenario.loading.workers, 4);
	assert_int_equal(scenario.accelerators.hosts, 2);
	assert_string_equal(scenario.storage.device, "gcs");
	/* tf.data's are of a host. */
	read_workload("resnet50-h100", overrides, 4, &decision);
	assert_int_equal(scenario.loading.kind, LOADER_STAGES);
	assert_int_equal(scenario.storage.queue_depth, 64);
	assert_int_equal(scenario.prefetch_batches, 16);
}

/* unet3d's 500 steps are the preset's; with them ten epochs were one. */
static void an_end_that_a_person_gives_stands_alone(void **state)
{
	static const char *const epochs[] = { "run.epochs=10" };
	static const char *const duration[] = { "run.duration=2 h" };
	static const char *const both[] = { "run.epochs=10", "run.steps=7" };
	struct workload_decision decision;

	(void)state;
	read_workload("unet3d-h100", epochs, 1, &decision);
	assert_int_equal(scenario.limit.epochs, 10);
	assert_int_equal(scenario.limit.steps, 0);
	assert_int_equal(decision.dropped_steps, 500);
	read_workload("unet3d-h100", duration, 1, &decision);
	assert_int_equal(scenario.limit.duration_ns, 7200000000000);
	assert_int_equal(scenario.limit.steps, 0);
	read_workload("unet3d-h100", both, 2, &decision);
	assert_int_equal(scenario.limit.epochs, 10);
	assert_int_equal(scenario.limit.steps, 7);
	assert_int_equal(decision.dropped_steps, 0);
}

static void files_of_many_samples_are_shards(void **state)
{
	struct workload_decision decision;

	(void)state;
	/* Nothing is shuffled. */
	read_workload("resnet50-h100", NULL, 0, &decision);
	assert_int_equal(scenario.dataset.shard_examples, 1251);
	assert_int_equal(scenario.dataset.examples, 1281024);
	assert_int_equal(scenario.storage.order, ORDER_SEQUENTIAL);
	assert_int_equal(scenario.shuffle_examples, 0);
	/* Records of an indexed file are drawn one by one. */
	read_workload("megatron-deepspeed-generic", NULL, 0, &decision);
	assert_int_equal(scenario.storage.order, ORDER_RANDOM);
	assert_int_equal(scenario.dataset.block_bytes, 2048);
	/* Those of TensorFlow's files go through a buffer. */
	read_workload("bert-v100", NULL, 0, &decision);
	assert_int_equal(scenario.storage.order, ORDER_SHUFFLED_SHARDS);
	assert_int_equal(scenario.shuffle_examples, 1024);
}

static void unknown_names_get_the_nearest(void **state)
{
	static const struct {
		const char *name, *says;
	} cases[] = {
		{ "unet3d-h10", "unknown workload \"unet3d-h10\"; did you mean "
				"unet3d-h100?" },
		{ "flux",
		  "unknown workload \"flux\"; did you mean flux-b200 or "
		  "flux-mi355?" },
		{ "/etc/passwd",
		  "unknown workload \"/etc/passwd\"; expected a name of "
		  "`echosim list workloads`; a file of your own goes through "
		  "`echosim import-workload`" },
	};
	struct workload_decision decision;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct workload_origin origin = { .name = cases[i].name };
		struct fault fault = { 0 };

		assert_int_equal(workload_scenario(&scenario, &origin,
						   &decision, &fault),
				 -EINVAL);
		assert_string_equal(fault.text, cases[i].says);
	}
}

static void mistakes_in_overrides_are_said_as_anywhere(void **state)
{
	static const char *const overrides[] = { "accelerator.count=zero" };
	const struct workload_origin origin = {
		.name = "flux-b200",
		.overrides = overrides,
		.override_count = 1,
	};
	struct workload_decision decision;
	struct fault fault = { 0 };

	(void)state;
	assert_int_equal(workload_scenario(&scenario, &origin, &decision,
					   &fault),
			 -EINVAL);
	assert_string_equal(fault.file, "--set");
	assert_string_equal(fault.text,
			    "accelerator.count: found \"zero\"; expected a "
			    "whole number from 1 to 1024");
}

/* What is printed reads back as what was meant, whatever the workload. */
static void spreads_and_preparing_come_through(void **state)
{
	struct workload workload = parsed(
		"model: {name: 'say \"x\\y\"'}\n"
		"dataset: {num_files_train: 1000, record_length_bytes: 9000}\n"
		"reader: {batch_size: 4, read_threads: 3,\n"
		"  preprocess_time: {type: exponential, scale: 0.002},\n"
		"  transfer_size: 4096, prefetch_size: 0}\n"
		"train: {computation_time: {type: uniform, min: 0.1, max: "
		"0.2},\n  epochs: 1}\n");
	const struct workload_setting setting = { .accelerators = 2,
						  .hosts = 1,
						  .device = "gcs" };
	struct fault fault = { 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	workload_print(out, &workload, NULL, &setting);
	fclose(out);
	if (scenario_parse(&scenario, "s.yaml", text, size, NULL, 0, &fault))
		fail_msg("%d: %s", fault.line, fault.text);
	assert_string_equal(scenario.name, "say \"x\\y\"");
	assert_int_equal(scenario.stages[STAGE_DECODE].workers, 6);
	assert_int_equal(scenario.stages[STAGE_DECODE].time_ns.kind,
			 DISTRIBUTION_EXPONENTIAL);
	assert_true(scenario.stages[STAGE_DECODE].time_ns.mean == 2e6);
	assert_int_equal(scenario.accelerators.step_ns.kind,
			 DISTRIBUTION_UNIFORM);
	assert_true(scenario.accelerators.step_ns.high == 2e8);
	assert_int_equal(scenario.storage.request_bytes, 4096);
	assert_int_equal(scenario.prefetch_batches, 2);
	/* 1000 / (4 x 2) steps of one epoch. */
	assert_int_equal(scenario.limit.steps, 125);
	free(text);
}

/* DLIO rounds prefetch_size up over its workers, and takes 2 for 0. */
static void a_data_loader_of_pytorch_is_one_of_workers(void **state)
{
	static const struct {
		const char *reader;
		uint32_t workers, prefetch_factor;
	} rows[] = {
		{ "read_threads: 4, prefetch_size: 9", 4, 3 },
		{ "read_threads: 4, prefetch_size: 0", 4, 2 },
		{ "read_threads: 0, prefetch_size: 3", 0, 3 },
		{ "prefetch_size: 3", 1, 3 },
	};
	const struct workload_setting setting = { .accelerators = 2,
						  .hosts = 1,
						  .device = "gcs" };
	struct fault fault = { 0 };
	char file[512];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct workload workload;
		char *text = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		snprintf(file, sizeof(file),
			 "dataset: {num_files_train: 1000, "
			 "record_length_bytes: 9000}\n"
			 "reader: {data_loader: pytorch, batch_size: 4, "
			 "preprocess_time: 0.02, %s}\n"
			 "train: {computation_time: 0.001}\n",
			 rows[i].reader);
		workload = parsed(file);
		workload_print(out, &workload, NULL, &setting);
		fclose(out);
		if (scenario_parse(&scenario, "s.yaml", text, size, NULL, 0,
				   &fault))
			fail_msg("%d: %s", fault.line, fault.text);
		free(text);
		assert_int_equal(scenario.loading.kind, LOADER_WORKERS);
		assert_int_equal(scenario.loading.workers, rows[i].workers);
		assert_int_equal(scenario.loading.prefetch_factor,
				 rows[i].prefetch_factor);
		assert_true(scenario.stages[STAGE_DECODE].time_ns.mean == 20e6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_gives_what_it_gives_by_hand),
		cmocka_unit_test(without_memory_the_file_is_a_bound_too),
		cmocka_unit_test(a_catalogue_name_becomes_a_scenario),
		cmocka_unit_test(overrides_decide_how_large_the_job_is),
		cmocka_unit_test(an_end_that_a_person_gives_stands_alone),
		cmocka_unit_test(files_of_many_samples_are_shards),
		cmocka_unit_test(unknown_names_get_the_nearest),
		cmocka_unit_test(mistakes_in_overrides_are_said_as_anywhere),
		cmocka_unit_test(spreads_and_preparing_come_through),
		cmocka_unit_test(a_data_loader_of_pytorch_is_one_of_workers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
