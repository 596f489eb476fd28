/* SPDX-License-Identifier: MIT */
/*
 * The workloads of MLPerf Storage and DLIO as they are published: each row of
 * the catalogue, and what must follow from it. With storage that is infinitely
 * fast no accelerator idles, whatever the workload; and one that never idles
 * consumes batch x record / step time: 3,177 MB/s for unet3d, 204.8 MB/s for
 * resnet50 and 808 MB/s for cosmoflow on an H100.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "analysis/workload_list.h"
#include "tests/support/close.h"
#include "tests/support/runs.h"
#include "traces/workload/scenario.h"
#include "traces/workloads.h"

/* clang-format off */
static const struct row {
	const char *name;
	uint64_t files, samples_per_file;
	double record_bytes, record_stdev_bytes;
	uint64_t batch_size;
	double step_s;
	uint64_t epochs, read_threads;
	double au_target;
	double demand_mb_per_s, rounding;
} rows[] = {
	{ "unet3d-v100", 168, 1, 146600628, 68341808, 4, 1.3604, 5, 4, 0.90, 431, 0.5 },
	{ "unet3d-a100", 168, 1, 146600628, 68341808, 7, 0.636, 5, 4, 0.90, 1613.5, 0.05 },
	{ "unet3d-h100", 168, 1, 146600628, 68341808, 7, 0.323, 5, 4, 0.90, 3177.1, 0.05 },
	{ "unet3d-b200", 7200, 1, 146600628, 68341808, 7, 0.162, 5, 4, 0.90, 6334.6, 0.05 },
	{ "resnet50-v100", 1024, 1251, 114660, 0, 64, 0.195, 5, 8, 0.90, 37.6, 0.05 },
	{ "resnet50-a100", 1024, 1251, 114660, 0, 400, 0.435, 5, 8, 0.90, 105.4, 0.05 },
	{ "resnet50-h100", 1024, 1251, 114660, 0, 400, 0.224, 5, 8, 0.90, 204.8, 0.05 },
	{ "cosmoflow-v100", 524288, 1, 2828486, 71311, 1, 0.00936, 5, 4, 0.70, 302.2, 0.05 },
	{ "cosmoflow-a100", 524288, 1, 2828486, 71311, 1, 0.00551, 5, 4, 0.70, 513.3, 0.05 },
	{ "cosmoflow-h100", 524288, 1, 2828486, 71311, 1, 0.0035, 5, 4, 0.70, 808.1, 0.05 },
	{ "bert-v100", 500, 313532, 2500, 0, 48, 0.968, 1, 1, 0.90, 0.124, 0.0005 },
	{ "dlrm-generic", 1, 1024, 671088640, 0, 1, 0.064296, 1, 1, 0.90, 10437, 0.5 },
	{ "megatron-deepspeed-generic",
		1, 277203535, 2048, 0, 16, 2.44, 3, 1, 0.90, 0.013, 0.0005 },
	{ "retinanet-b200", 1170301, 1, 322957, 0, 24, 0.04755, 8, 8, 0.85, 163.0, 0.05 },
	{ "retinanet-mi355", 1170301, 1, 322957, 0, 32, 0.0634, 8, 8, 0.85, 163.0, 0.05 },
	{ "dlrm-parquet-b200", 1024, 4718592, 160, 0, 16384, 0.000375, 1, 4, 0.70, 6990, 0.6 },
	{ "dlrm-parquet-mi355",
		1024, 4718592, 160, 0, 16384, 0.0005625, 1, 4, 0.70, 4660, 0.5 },
	{ "flux-b200", 4296, 288, 2164832, 0, 48, 1.35, 1, 8, 0.90, 77.0, 0.05 },
	{ "flux-mi355", 4296, 288, 2164832, 0, 72, 2.025, 1, 8, 0.90, 77.0, 0.05 },
};
/* clang-format on */

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

static void every_published_workload_is_in_the_catalogue(void **state)
{
	struct fault fault = { 0 };
	struct workload workload;
	size_t i;

	(void)state;
	assert_int_equal(workloads.count, ROW_COUNT);
	for (i = 0; i < ROW_COUNT; i++) {
		const struct row *row = &rows[i];
		const struct embedded_file *entry =
			embedded_find(&workloads, row->name);

		assert_non_null(entry);
		assert_int_equal(workload_parse(&workload, NULL, entry->name,
						entry->text, entry->size,
						&fault),
				 0);
		assert_int_equal(workload.files, row->files);
		assert_int_equal(workload.samples_per_file,
				 row->samples_per_file);
		assert_true(workload.record_bytes == row->record_bytes);
		assert_true(workload.record_stdev_bytes ==
			    row->record_stdev_bytes);
		assert_int_equal(workload.batch_size, row->batch_size);
		assert_close(workload.step_ns.mean, row->step_s * 1e9, 0.5);
		assert_int_equal(workload.epochs, row->epochs);
		assert_int_equal(workload.read_threads, row->read_threads);
		assert_true(workload.au_target == row->au_target);
		assert_string_not_equal(workload.source, "");
		assert_string_not_equal(workload.as_of, "");
	}
}

static void the_list_says_what_each_demands(void **state)
{
	struct grid grid = workload_grid();
	size_t demand = 0, i, row;

	(void)state;
	assert_string_equal(grid.name, "workloads");
	assert_int_equal(grid.row_count, ROW_COUNT);
	while (strcmp(grid.columns[demand].path, "demand_bytes_per_s") != 0)
		assert_true(++demand < grid.column_count);
	for (i = 0; i < ROW_COUNT; i++) {
		for (row = 0; strcmp(grid.cell(grid.context, row, 0).text,
				     rows[i].name) != 0;)
			assert_true(++row < grid.row_count);
		assert_close(grid.cell(grid.context, row, demand).real / 1e6,
			     rows[i].demand_mb_per_s, rows[i].rounding * 1.001);
	}
}

/* As sim --workload NAME --set ... runs it. */
static void run(struct scenario *scenario, const char *name,
		const char *const *overrides, uint32_t count,
		struct figures *figures)
{
	const struct workload_origin origin = {
		.name = name,
		.overrides = overrides,
		.override_count = count,
	};
	struct workload_decision decision;
	struct fault fault = { 0 };
	struct tiers_profile tiers;
	struct pipeline pipeline;

	if (workload_scenario(scenario, &origin, &decision, &fault))
		fail_msg("%s: %s", name, fault.text);
	scenario_tiers(scenario, &tiers);
	scenario_pipeline(scenario, &scenario->echoes[0], NULL, &pipeline);
	run_tiers(&pipeline, &tiers, NULL, figures);
}

/* As fast as a scenario may have it. */
static const char *const infinite[] = {
	"storage.device={bandwidth: 1 PB/s, latency: 0 ns, iops: "
	"1000000000}",
};

/* A worker reads the blocks that its batch lies in, whose first and last lie in
 * other batches too: of n examples a block, (n - 1) / n of a block more than
 * the batch fills, wherever it begins. */
static double read_of_consumed(const struct scenario *scenario)
{
	double in_block = floor((double)scenario->dataset.block_bytes /
				scenario->dataset.example_bytes.mean);

	if (scenario->loading.kind == LOADER_STAGES || in_block <= 1)
		return 1;
	return 1 + (in_block - 1) / scenario->batch_size;
}

static void
with_infinite_storage_none_idles_and_each_meets_its_demand(void **state)
{
	static struct scenario scenario;
	struct figures figures;
	size_t i;

	(void)state;
	for (i = 0; i < ROW_COUNT; i++) {
		double mb_per_s;

		run(&scenario, rows[i].name, infinite, 1, &figures);
		assert_true(figures.complete);
		/* Transfers of picoseconds still take a nanosecond each. */
		assert_close(idle_fraction(&figures), 0, 1e-6);
		mb_per_s = (double)figures.consumed_examples *
			   rows[i].record_bytes /
			   seconds_of(figures.elapsed_ns) / 1e6;
		assert_close(mb_per_s, rows[i].demand_mb_per_s,
			     rows[i].rounding * 1.001);
		/* What was really read is drawn, and read ahead. */
		assert_close((double)figures.storage.bytes /
				     (double)figures.consumed_examples /
				     rows[i].record_bytes,
			     read_of_consumed(&scenario), 0.04);
	}
}

/* Eight accelerators on each of two hosts demand sixteen times as much, and
 * half of that from storage leaves them idle half of the time. */
static void demand_grows_with_accelerators_and_hosts(void **state)
{
	static const char *const overrides[] = {
		"accelerator.count=8",
		"accelerator.hosts=2",
		/* 16 x 204.75 MB/s / 2 */
		"storage.device={bandwidth: 1638 MB/s}",
		"storage.scope=shared",
		"storage.queue_depth=64",
		"run.warmup_steps=100",
	};
	static struct scenario scenario;
	struct figures figures;

	(void)state;
	run(&scenario, "resnet50-h100", overrides, 6, &figures);
	assert_int_equal(figures.accelerators, 16);
	assert_close(idle_fraction(&figures), 0.5, 0.002);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_published_workload_is_in_the_catalogue),
		cmocka_unit_test(the_list_says_what_each_demands),
		cmocka_unit_test(
			with_infinite_storage_none_idles_and_each_meets_its_demand),
		cmocka_unit_test(demand_grows_with_accelerators_and_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
