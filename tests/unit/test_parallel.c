/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "storage/parallel.h"

#define JOBS 200

static atomic_uint calls[JOBS];
static atomic_bool stop;
static uint32_t told;

static void work(void *context, uint32_t job)
{
	atomic_fetch_add(&calls[job], 1);
	if (context && job == 3)
		stop = true;
}

static void progress(void *context, uint32_t done)
{
	(void)context;
	assert_true(done >= told && done <= JOBS);
	told = done;
}

static void run_on(uint32_t threads, uint32_t jobs, void *context)
{
	const struct parallel parallel = { .threads = threads,
					   .jobs = jobs,
					   .work = work,
					   .progress = progress,
					   .context = context,
					   .stop = &stop };

	for (uint32_t i = 0; i < JOBS; i++)
		atomic_store(&calls[i], 0);
	stop = false;
	told = 0;
	assert_int_equal(parallel_run(&parallel), 0);
}

static void every_job_is_done_once_on_any_number_of_threads(void **state)
{
	static const uint32_t threads[] = { 0, 1, 2, 7, 1000 };

	(void)state;
	for (int i = 0; i < 5; i++) {
		run_on(threads[i], JOBS, NULL);
		assert_int_equal(told, JOBS);
		for (uint32_t job = 0; job < JOBS; job++)
			assert_int_equal(atomic_load(&calls[job]), 1);
	}
}

static void nothing_to_do_is_done(void **state)
{
	(void)state;
	run_on(2, 0, NULL);
	assert_int_equal(told, 0);
}

static void a_stop_leaves_the_rest(void **state)
{
	uint32_t done = 0;

	(void)state;
	run_on(1, JOBS, &told);
	for (uint32_t job = 0; job < JOBS; job++)
		done += atomic_load(&calls[job]);
	assert_int_equal(done, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			every_job_is_done_once_on_any_number_of_threads),
		cmocka_unit_test(nothing_to_do_is_done),
		cmocka_unit_test(a_stop_leaves_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
