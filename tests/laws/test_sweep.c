/* SPDX-License-Identifier: MIT */
/*
 * Sweeps of an ideal pipeline: storage of bandwidth b alone feeds accelerators
 * that want D bytes a second, so that AU = min(1, e b / D), the knee is where
 * e b = D, and below it the bandwidth is what limits. However the jobs are
 * done, the outcome is the same.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sweep/sweep.h"
#include "tests/support/printed.h"

/* 10 examples of 1 MB in 100 ms: 100 MB/s. */
#define DEMAND 100e6

static const char text[] =
	"dataset: {examples: 40000, example_bytes: 1 MB, block_bytes: 1 MB}\n"
	"storage: {device: {bandwidth: 150 MB/s}, request_bytes: 1 MB,\n"
	"          order: sequential}\n"
	"pipeline: {batch_size: 10}\n"
	"accelerator: {step_time: 100 ms}\n"
	"run: {steps: 2000}\n";

struct bench {
	struct scenario scenario;
	struct sweep sweep;
	struct fault fault;
	struct notes notes;
};

static const struct simulation_watch patience = { .memory_max = SIZE_MAX };

/* Axes end with NULL. */
static int begin(struct bench *bench, const char *const *axes, uint32_t repeat)
{
	struct sweep *sweep = &bench->sweep;

	memset(bench, 0, sizeof(*bench));
	assert_int_equal(scenario_parse(&bench->scenario, "ideal", text,
					strlen(text), NULL, 0, &bench->fault),
			 0);
	for (; *axes; axes++)
		assert_int_equal(vary_parse(&sweep->axes[sweep->axis_count++],
					    *axes, &bench->fault),
				 0);
	sweep->base.scenario = &bench->scenario;
	sweep->name = "ideal";
	sweep->repeat = repeat;
	sweep->explains = true;
	return sweep_init(sweep, &bench->fault);
}

static void end(struct bench *bench)
{
	sweep_release(&bench->sweep);
	while (bench->sweep.axis_count)
		vary_release(&bench->sweep.axes[--bench->sweep.axis_count]);
}

static void do_job(struct bench *bench, uint32_t job)
{
	assert_int_equal(
		sweep_job(&bench->sweep, job, &patience, &bench->fault), 0);
}

static void do_all(struct bench *bench)
{
	uint32_t job;

	for (job = 0; job < sweep_jobs(&bench->sweep); job++)
		do_job(bench, job);
	sweep_finish(&bench->sweep);
	assert_true(bench->sweep.complete);
}

static char *written(struct bench *bench, const char *printer, size_t *size)
{
	const struct sweep_report report = { .sweep = &bench->sweep,
					     .notes = &bench->notes };
	char *shown = printed(sweep_document(&report), printer);

	*size = strlen(shown);
	return shown;
}

static double au(const struct bench *bench, uint32_t point)
{
	return sweep_value(&bench->sweep, point, "au").real;
}

static void au_is_the_least_of_one_and_bandwidth_by_demand(void **state)
{
	const char *const axes[] = {
		"storage.device.bandwidth=20 MB/s..320 MB/s:log:9", NULL
	};
	struct bench *bench = *state;
	const struct vary_value *value;
	struct metric_value limit;
	uint32_t i;

	assert_int_equal(begin(bench, axes, 1), 0);
	do_all(bench);
	for (i = 0; i < 9; i++) {
		value = &bench->sweep.axes[0].values[i];
		assert_true(fabs(au(bench, i) -
				 fmin(1, value->number / DEMAND)) < 0.002);
		limit = sweep_value(&bench->sweep, i, "bottleneck.resource");
		assert_string_equal(limit.text, value->number < DEMAND ?
							"device bandwidth" :
							"step time");
	}
	end(bench);
}

static void the_knee_is_where_bandwidth_meets_demand(void **state)
{
	const char *const axes[] = {
		"echo=none,batch:2",
		"storage.device.bandwidth=20 MB/s..320 MB/s:log:13", NULL
	};
	struct bench *bench = *state;
	const struct vary *axis = &bench->sweep.axes[1];
	struct knee knee;
	uint32_t i;

	assert_int_equal(begin(bench, axes, 1), 0);
	do_all(bench);
	for (i = 0; i < 2; i++) {
		knee = sweep_knee(&bench->sweep, 1, i * axis->count + 5);
		assert_int_equal(knee.verdict, KNEE_FOUND);
		assert_true(axis->values[knee.index].number >=
			    DEMAND / (i + 1));
		assert_true(axis->values[knee.index - 1].number <
			    DEMAND / (i + 1));
		assert_true(fabs(knee.estimate * (i + 1) / DEMAND - 1) < 0.02);
	}
	assert_int_equal(sweep_knee(&bench->sweep, 0, 0).verdict, KNEE_UNKNOWN);
	end(bench);
}

static const char *const two_axes[] = { "accelerator.count=1,2",
					"storage.queue_depth=1..4", NULL };

static void the_last_axis_changes_fastest(void **state)
{
	struct bench *bench = *state;
	char at[128];

	assert_int_equal(begin(bench, two_axes, 1), 0);
	assert_int_equal(bench->sweep.point_count, 8);
	assert_string_equal(sweep_at(&bench->sweep, 6, at, sizeof(at)),
			    "accelerator.count=2, storage.queue_depth=3");
	end(bench);
}

static void jobs_in_any_order_give_the_same_bytes(void **state)
{
	struct bench *bench = *state;
	char *forwards, *backwards;
	size_t size, other;
	uint32_t job;

	assert_int_equal(begin(bench, two_axes, 3), 0);
	do_all(bench);
	forwards = written(bench, "json", &size);
	end(bench);
	assert_int_equal(begin(bench, two_axes, 3), 0);
	for (job = sweep_jobs(&bench->sweep); job--;)
		do_job(bench, job);
	sweep_finish(&bench->sweep);
	backwards = written(bench, "json", &other);
	end(bench);
	assert_int_equal(size, other);
	assert_memory_equal(forwards, backwards, size);
	free(forwards);
	free(backwards);
}

/* Stops in its first slice. */
static bool never(void *context, double done)
{
	(void)context;
	(void)done;
	return false;
}

/* How many rows of a CSV have this in their column `complete`. */
static uint32_t rows_that_say(const char *csv, const char *complete)
{
	const char *heading = strstr(csv, "complete"), *line = csv;
	uint32_t columns = 0, at, count = 0;
	size_t length = strlen(complete);

	assert_non_null(heading);
	for (; csv < heading; csv++)
		columns += *csv == ',';
	while ((line = strchr(line, '\n')) && *++line) {
		const char *cell = line;

		for (at = 0; at < columns; at++)
			cell = strchr(cell, ',') + 1;
		count += !strncmp(cell, complete, length) &&
			 cell[length] == ',';
	}
	return count;
}

static void an_interrupted_table_is_marked(void **state)
{
	struct bench *bench = *state;
	size_t size;
	char *csv;

	assert_int_equal(begin(bench, two_axes, 1), 0);
	do_job(bench, 1);
	do_job(bench, 4);
	sweep_finish(&bench->sweep);
	csv = written(bench, "csv", &size);
	assert_int_equal(rows_that_say(csv, "true"), 2);
	assert_int_equal(rows_that_say(csv, "false"),
			 bench->sweep.point_count - 2);
	free(csv);
	end(bench);
}

static void a_resumed_sweep_is_as_one_never_interrupted(void **state)
{
	static const char *const printers[] = { "json", "csv", "text" };
	const struct simulation_watch ended = { .go_on = never,
						.memory_max = SIZE_MAX };
	struct bench *bench = *state;
	char *whole[3], *part, *resumed;
	size_t size[3], part_size, other;
	uint32_t i;

	assert_int_equal(begin(bench, two_axes, 2), 0);
	do_all(bench);
	for (i = 0; i < 3; i++)
		whole[i] = written(bench, printers[i], &size[i]);
	end(bench);

	assert_int_equal(begin(bench, two_axes, 2), 0);
	for (i = 5; i < 14; i++)
		do_job(bench, i);
	assert_int_equal(sweep_job(&bench->sweep, 14, &ended, &bench->fault),
			 0);
	do_job(bench, 15);
	sweep_finish(&bench->sweep);
	assert_false(bench->sweep.complete);
	assert_int_equal(sweep_done_count(&bench->sweep), 4);
	part = written(bench, "json", &part_size);
	assert_non_null(strstr(part, "\"complete\": false"));
	end(bench);

	assert_int_equal(begin(bench, two_axes, 2), 0);
	assert_int_equal(sweep_resume(&bench->sweep, "part.json", part,
				      part_size, &bench->fault),
			 0);
	assert_int_equal(sweep_done_count(&bench->sweep), 4);
	do_all(bench);
	for (i = 0; i < 3; i++) {
		resumed = written(bench, printers[i], &other);
		assert_int_equal(size[i], other);
		assert_memory_equal(whole[i], resumed, other);
		free(resumed);
		free(whole[i]);
	}
	end(bench);
	free(part);
}

static void a_run_that_was_not_complete_is_refused(void **state)
{
	static const char whole_run[] = "\"complete\": true,\n        \"steps";
	const char *const axes[] = { "storage.queue_depth=1,2", NULL };
	struct bench *bench = *state;
	char *earlier, *at;
	size_t size;

	assert_int_equal(begin(bench, axes, 1), 0);
	do_all(bench);
	earlier = written(bench, "json", &size);
	end(bench);
	at = strstr(earlier, whole_run);
	assert_non_null(at);
	memcpy(strstr(at, "true,"), "null,", strlen("null,"));
	assert_int_equal(begin(bench, axes, 1), 0);
	assert_int_equal(sweep_resume(&bench->sweep, "earlier", earlier, size,
				      &bench->fault),
			 -EINVAL);
	assert_string_equal(bench->fault.text,
			    "point 1 is damaged: complete is not as sweep "
			    "writes it");
	end(bench);
	free(earlier);
}

/* Of a damaged result nothing is believed: any prefix, and any byte changed, is
 * refused with a reason or holds a point less. */
static void a_damaged_result_is_refused(void **state)
{
	const char *const axes[] = { "storage.queue_depth=1,2", NULL };
	struct bench *bench = *state;
	size_t size, at;
	char *whole;

	assert_int_equal(begin(bench, axes, 1), 0);
	do_all(bench);
	whole = written(bench, "json", &size);
	end(bench);
	for (at = 0; at + 2 < size; at += 97) {
		assert_int_equal(begin(bench, axes, 1), 0);
		assert_int_equal(sweep_resume(&bench->sweep, "cut", whole, at,
					      &bench->fault),
				 -EINVAL);
		assert_true(bench->fault.text[0]);
		end(bench);
	}
	for (at = 0; at < size; at += 7) {
		whole[at] ^= 0x15;
		assert_int_equal(begin(bench, axes, 1), 0);
		if (sweep_resume(&bench->sweep, "hurt", whole, size,
				 &bench->fault))
			assert_true(bench->fault.text[0]);
		end(bench);
		whole[at] ^= 0x15;
	}
	free(whole);
}

static void repeats_have_seeds_of_their_own(void **state)
{
	const char *const axes[] = {
		"accelerator.step_time={dist: exponential, mean: 100 ms},"
		"100 ms",
		NULL
	};
	struct bench *bench = *state;
	const struct interval *random, *constant;

	assert_int_equal(begin(bench, axes, 5), 0);
	do_all(bench);
	random = &bench->sweep.points[0].chief[0];
	constant = &bench->sweep.points[1].chief[0];
	assert_true(random->known && random->min < random->max);
	assert_true(random->low < random->mean && random->mean < random->high);
	assert_true(constant->known && constant->min == constant->max);
	end(bench);
}

static void too_many_points_are_refused(void **state)
{
	const char *const axes[] = { "seed=1..4096:4096",
				     "accelerator.count=1,2", NULL };
	struct bench *bench = *state;

	assert_int_equal(begin(bench, axes, 1), -EINVAL);
	assert_string_equal(bench->fault.text,
			    "the grid has more than 4096 points (with "
			    "--repeat: runs); that is the limit");
	end(bench);
}

static void a_point_that_makes_no_sense_is_named(void **state)
{
	const char *const axes[] = { "pipeline.batch_size=10,50000", NULL };
	struct bench *bench = *state;

	assert_int_equal(begin(bench, axes, 1), -EINVAL);
	assert_non_null(
		strstr(bench->fault.text, "(at pipeline.batch_size=50000)"));
	end(bench);
}

static int setup(void **state)
{
	*state = malloc(sizeof(struct bench));
	return !*state;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			au_is_the_least_of_one_and_bandwidth_by_demand),
		cmocka_unit_test(the_knee_is_where_bandwidth_meets_demand),
		cmocka_unit_test(the_last_axis_changes_fastest),
		cmocka_unit_test(jobs_in_any_order_give_the_same_bytes),
		cmocka_unit_test(a_resumed_sweep_is_as_one_never_interrupted),
		cmocka_unit_test(an_interrupted_table_is_marked),
		cmocka_unit_test(a_run_that_was_not_complete_is_refused),
		cmocka_unit_test(a_damaged_result_is_refused),
		cmocka_unit_test(repeats_have_seeds_of_their_own),
		cmocka_unit_test(too_many_points_are_refused),
		cmocka_unit_test(a_point_that_makes_no_sense_is_named),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
