/* SPDX-License-Identifier: MIT */
/* The one clock: what the live driver takes for granted about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include <cmocka.h>

#include "storage/clock.h"

#define READINGS 20000

static void time_never_goes_back(void **state)
{
	int64_t last_ns = clock_now_ns();

	(void)state;
	for (int i = 0; i < READINGS; i++) {
		int64_t now_ns = clock_now_ns();

		assert_true(now_ns >= last_ns);
		last_ns = now_ns;
	}
}

/* Two threads hand a reading to and fro; each must see it in its past. */
struct relay {
	_Atomic int turn;
	int64_t at_ns;
	_Atomic int backwards;
};

static void relay_run(struct relay *relay, int self)
{
	for (int i = 0; i < READINGS / 10; i++) {
		int64_t now_ns;

		while (atomic_load(&relay->turn) != self)
			sched_yield();
		now_ns = clock_now_ns();
		if (now_ns < relay->at_ns)
			atomic_fetch_add(&relay->backwards, 1);
		relay->at_ns = now_ns;
		atomic_store(&relay->turn, !self);
	}
}

static void *relay_other(void *relay)
{
	relay_run(relay, 1);
	return NULL;
}

static void threads_agree_on_the_time(void **state)
{
	struct relay relay = { 0 };
	pthread_t other;

	(void)state;
	assert_int_equal(pthread_create(&other, NULL, relay_other, &relay), 0);
	relay_run(&relay, 0);
	assert_int_equal(pthread_join(other, NULL), 0);
	assert_int_equal(atomic_load(&relay.backwards), 0);
}

static void a_thread_uses_no_more_cpu_than_time_passes(void **state)
{
	int64_t start_ns = clock_now_ns();
	int64_t start_cpu_ns = clock_thread_cpu_ns();
	int64_t used_ns;

	(void)state;
	do {
		used_ns = clock_thread_cpu_ns() - start_cpu_ns;
	} while (used_ns < 1000 * 1000);
	assert_true(clock_now_ns() - start_ns >= used_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_never_goes_back),
		cmocka_unit_test(threads_agree_on_the_time),
		cmocka_unit_test(a_thread_uses_no_more_cpu_than_time_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
