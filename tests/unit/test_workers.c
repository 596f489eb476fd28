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

#define JOBS 50

/* What was done, and gates that let it go on job by job. */
struct jobs {
	uint32_t calls[JOBS];
	uint32_t workers[JOBS]; /* who did it last */
	pthread_t thread[WORKERS];
	sem_t gate[JOBS];
	sem_t entered;
};

static void count_call(void *context, uint32_t worker, uint32_t job)
{
	struct jobs *jobs = context;

	jobs->calls[job]++;
	jobs->workers[job] = worker;
	jobs->thread[worker] = pthread_self();
}

static void pass_gate(void *context, uint32_t worker, uint32_t job)
{
	struct jobs *jobs = context;

	sem_post(&jobs->entered);
	while (sem_wait(&jobs->gate[job]))
		;
	jobs->calls[job]++;
	jobs->workers[job] = worker;
}

static void say_and_work(void *context, uint32_t worker, uint32_t job)
{
	struct jobs *jobs = context;

	sem_post(&jobs->entered);
	for (volatile int i = 0; i < 1000000; i++)
		;
	jobs->calls[job]++;
	jobs->workers[job] = worker;
}

static void init_gates(struct jobs *jobs)
{
	for (uint32_t i = 0; i < JOBS; i++)
		sem_init(&jobs->gate[i], 0, 0);
	sem_init(&jobs->entered, 0, 0);
}

static void destroy_gates(struct jobs *jobs)
{
	for (uint32_t i = 0; i < JOBS; i++)
		sem_destroy(&jobs->gate[i]);
	sem_destroy(&jobs->entered);
}

/* Waits until a job is finished, without watching the clock. */
static uint32_t take(struct workers *workers, struct reader_wake *wake)
{
	struct pollfd readable = { .fd = wake->fd, .events = POLLIN };
	uint32_t job;
	int64_t at_ns;

	for (;;) {
		reader_wake_look(wake);
		if (workers_take(workers, &job, &at_ns))
			return job;
		if (reader_wake_sleep(wake))
			poll(&readable, 1, -1);
		reader_wake_up(wake);
	}
}

static void each_put_is_one_call_on_a_workers_thread(void **state)
{
	struct jobs jobs = { 0 };
	struct reader_wake wake;
	struct workers *workers;
	uint32_t round;
	uint32_t i;

	(void)state;
	assert_int_equal(reader_wake_init(&wake), 0);
	assert_int_equal(workers_start(&workers, WORKERS, JOBS, count_call,
				       &jobs, &wake),
			 0);
	for (round = 0; round < 1000; round++) {
		for (i = 0; i < JOBS; i++)
			workers_put(workers, i);
		for (i = 0; i < JOBS; i++)
			take(workers, &wake);
	}
	for (i = 0; i < JOBS; i++) {
		assert_int_equal(jobs.calls[i], 1000);
		assert_true(jobs.workers[i] < WORKERS);
		assert_false(pthread_equal(jobs.thread[jobs.workers[i]],
					   pthread_self()));
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
	init_gates(&jobs);
	assert_int_equal(reader_wake_init(&wake), 0);
	assert_int_equal(workers_start(&workers, WORKERS, JOBS, pass_gate,
				       &jobs, &wake),
			 0);
	for (i = 0; i < WORKERS; i++)
		workers_put(workers, i);
	for (i = 0; i < WORKERS; i++) {
		sem_post(&jobs.gate[order[i]]);
		assert_int_equal(take(workers, &wake), order[i]);
	}
	workers_stop(workers);
	reader_wake_release(&wake);
	destroy_gates(&jobs);
}

static void
one_worker_does_its_queue_in_order_while_another_is_held_up(void **state)
{
	struct jobs jobs = { 0 };
	struct reader_wake wake;
	struct workers *workers;
	uint32_t held = JOBS - 1;
	uint32_t i;

	(void)state;
	init_gates(&jobs);
	assert_int_equal(reader_wake_init(&wake), 0);
	assert_int_equal(
		workers_start(&workers, 2, JOBS, pass_gate, &jobs, &wake), 0);
	workers_put(workers, held);
	while (sem_wait(&jobs.entered))
		;
	for (i = 0; i < held; i++) {
		sem_post(&jobs.gate[i]);
		workers_put(workers, i);
	}
	for (i = 0; i < held; i++)
		assert_int_equal(take(workers, &wake), i);
	sem_post(&jobs.gate[held]);
	assert_int_equal(take(workers, &wake), held);
	for (i = 0; i < held; i++)
		assert_int_not_equal(jobs.workers[i], jobs.workers[held]);
	workers_stop(workers);
	reader_wake_release(&wake);
	destroy_gates(&jobs);
}

/* Two jobs go round and round a queue of two places, so that a worker that is
 * held up between its claim and its look would find another's job there. */
static void no_job_is_lost_or_doubled_when_the_queue_goes_round(void **state)
{
	enum { ROUNDS = 20000 };
	struct jobs jobs = { 0 };
	struct reader_wake wake;
	struct workers *workers;
	uint32_t puts[2] = { 1, 1 };

	(void)state;
	assert_int_equal(reader_wake_init(&wake), 0);
	assert_int_equal(workers_start(&workers, WORKERS, 2, count_call, &jobs,
				       &wake),
			 0);
	workers_put(workers, 0);
	workers_put(workers, 1);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t job = take(workers, &wake);

		puts[job]++;
		workers_put(workers, job);
	}
	take(workers, &wake);
	take(workers, &wake);
	workers_stop(workers);
	reader_wake_release(&wake);
	assert_int_equal(jobs.calls[0], puts[0]);
	assert_int_equal(jobs.calls[1], puts[1]);
}

static void stopping_waits_for_what_is_being_done(void **state)
{
	struct jobs jobs = { 0 };
	struct reader_wake wake;
	struct workers *workers;

	(void)state;
	init_gates(&jobs);
	assert_int_equal(reader_wake_init(&wake), 0);
	assert_int_equal(workers_start(&workers, 1, JOBS, say_and_work, &jobs,
				       &wake),
			 0);
	workers_put(workers, 3);
	while (sem_wait(&jobs.entered))
		;
	workers_stop(workers);
	assert_int_equal(jobs.calls[3], 1);
	reader_wake_release(&wake);
	destroy_gates(&jobs);
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
		cmocka_unit_test(each_put_is_one_call_on_a_workers_thread),
		cmocka_unit_test(
			the_finished_come_in_the_order_in_which_they_finished),
		cmocka_unit_test(
			one_worker_does_its_queue_in_order_while_another_is_held_up),
		cmocka_unit_test(
			no_job_is_lost_or_doubled_when_the_queue_goes_round),
		cmocka_unit_test(stopping_waits_for_what_is_being_done),
		cmocka_unit_test(a_post_after_the_look_forbids_to_sleep),
		cmocka_unit_test(
			only_a_post_to_a_sleeper_makes_the_descriptor_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
