/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>

#include "storage/workers.h"

#define WORKERS 8

/* Counts the calls of each worker, and lets them go on one by one. */
struct jobs {
	uint32_t calls[WORKERS];
	pthread_t thread[WORKERS];
	sem_t gate[WORKERS];
	sem_t entered;
};

static void count_call(void *context, uint32_t worker)
{
	struct jobs *jobs = context;

	jobs->calls[worker]++;
	jobs->thread[worker] = pthread_self();
}

static void pass_gate(void *context, uint32_t worker)
{
	struct jobs *jobs = context;

	while (sem_wait(&jobs->gate[worker]))
		;
	jobs->calls[worker]++;
}

static void say_and_work(void *context, uint32_t worker)
{
	struct jobs *jobs = context;

	sem_post(&jobs->entered);
	for (volatile int i = 0; i < 1000000; i++)
		;
	jobs->calls[worker]++;
}

/* Waits until a worker is finished, without watching the clock. */
static uint32_t take(struct workers *workers, struct reader_wake *wake)
{
	struct pollfd readable = { .fd = wake->fd, .events = POLLIN };
	uint32_t worker;
	int64_t at_ns;

	for (;;) {
		reader_wake_look(wake);
		if (workers_take(workers, &worker, &at_ns))
			return worker;
		if (reader_wake_sleep(wake))
			poll(&readable, 1, -1);
		reader_wake_up(wake);
	}
}

static void each_put_is_one_call_on_the_workers_own_thread(void **state)
{
	struct jobs jobs = { 0 };
	struct reader_wake wake;
	struct workers *workers;
	uint32_t round;
	uint32_t i;

	(void)state;
	assert_int_equal(reader_wake_init(&wake), 0);
	assert_int_equal(
		workers_start(&workers, WORKERS, count_call, &jobs, &wake), 0);
	for (round = 0; round < 1000; round++) {
		for (i = 0; i < WORKERS; i++)
			workers_put(workers, i);
		for (i = 0; i < WORKERS; i++)
			take(workers, &wake);
	}
	for (i = 0; i < WORKERS; i++) {
		assert_int_equal(jobs.calls[i], 1000);
		assert_false(pthread_equal(jobs.thread[i], pthread_self()));
		assert_false(pthread_equal(jobs.thread[i],
					   jobs.thread[(i + 1) % WORKERS]));
	}
	assert_true(workers_stop(workers) > 0);
	reader_wake_release(&wake);
}

static void the_finished_come_in_the_order_in_which_they_finished(void **state)
{
	static const uint32_t order[WORKERS] = { 5, 0, 7, 2, 1, 6, 4, 3 };
	struct jobs jobs = { 0 };
	struct reader_wake wake;
	struct workers *workers;
	uint32_t i;

	(void)state;
	for (i = 0; i < WORKERS; i++)
		sem_init(&jobs.gate[i], 0, 0);
	assert_int_equal(reader_wake_init(&wake), 0);
	assert_int_equal(
		workers_start(&workers, WORKERS, pass_gate, &jobs, &wake), 0);
	for (i = 0; i < WORKERS; i++)
		workers_put(workers, i);
	for (i = 0; i < WORKERS; i++) {
		sem_post(&jobs.gate[order[i]]);
		assert_int_equal(take(workers, &wake), order[i]);
	}
	workers_stop(workers);
	reader_wake_release(&wake);
	for (i = 0; i < WORKERS; i++)
		sem_destroy(&jobs.gate[i]);
}

static void stopping_waits_for_what_is_being_done(void **state)
{
	struct jobs jobs = { 0 };
	struct reader_wake wake;
	struct workers *workers;

	(void)state;
	sem_init(&jobs.entered, 0, 0);
	assert_int_equal(reader_wake_init(&wake), 0);
	assert_int_equal(workers_start(&workers, 1, say_and_work, &jobs, &wake),
			 0);
	workers_put(workers, 0);
	while (sem_wait(&jobs.entered))
		;
	workers_stop(workers);
	assert_int_equal(jobs.calls[0], 1);
	reader_wake_release(&wake);
	sem_destroy(&jobs.entered);
	assert_int_equal(workers_stop(NULL), 0);
}

static void a_post_after_the_look_forbids_to_sleep(void **state)
{
	struct reader_wake wake;

	(void)state;
	assert_int_equal(reader_wake_init(&wake), 0);
	reader_wake_look(&wake);
	reader_wake_post(&wake);
	assert_false(reader_wake_sleep(&wake));
	reader_wake_look(&wake);
	assert_true(reader_wake_sleep(&wake));
	reader_wake_up(&wake);
	reader_wake_release(&wake);
}

static void only_a_post_to_a_sleeper_makes_the_descriptor_readable(void **state)
{
	struct reader_wake wake;
	struct pollfd readable = { .events = POLLIN };

	(void)state;
	assert_int_equal(reader_wake_init(&wake), 0);
	readable.fd = wake.fd;
	reader_wake_post(&wake);
	assert_int_equal(poll(&readable, 1, 0), 0);
	reader_wake_look(&wake);
	assert_true(reader_wake_sleep(&wake));
	reader_wake_post(&wake);
	assert_int_equal(poll(&readable, 1, 0), 1);
	reader_wake_release(&wake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			each_put_is_one_call_on_the_workers_own_thread),
		cmocka_unit_test(
			the_finished_come_in_the_order_in_which_they_finished),
		cmocka_unit_test(stopping_waits_for_what_is_being_done),
		cmocka_unit_test(a_post_after_the_look_forbids_to_sleep),
		cmocka_unit_test(
			only_a_post_to_a_sleeper_makes_the_descriptor_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
