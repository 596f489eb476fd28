/* SPDX-License-Identifier: MIT */
/*
 * Loaders of stages that differ in their window: tf.data (a map in order, as
 * elements finish, fused with the batch), DALI and FFCV on three kinds of work.
 * What each makes of them was found by a program of another hand from the rules
 * in their sources; the laws of windows hold for any.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/crews.h"
#include "tests/support/works.h"

#define THREADS 8

/* A loader with one window, and room for so many batches behind it. */
struct kind {
	uint32_t window, window_most;
	enum window_unit unit;
	enum window_token token;
	uint32_t batches;
	bool ordered;
};

#define ELEMENTS(window)                                                       \
	{                                                                      \
		window, 0, WINDOW_EXAMPLE, WINDOW_ASK, 2, true                 \
	}
#define ANY_ORDER(window)                                                      \
	{                                                                      \
		window, 0, WINDOW_EXAMPLE, WINDOW_TAKE, 2, false               \
	}
#define FUSED                                                                  \
	{                                                                      \
		1, 16, WINDOW_BATCH, WINDOW_TAKE, 2, true                      \
	}
#define ONE_BATCH(batches)                                                     \
	{                                                                      \
		1, 0, WINDOW_BATCH, WINDOW_ASK, batches, true                  \
	}

static struct pipeline pipeline_of(const struct kind *kind, uint32_t batch_size,
				   double step_s)
{
	struct pipeline pipeline = plain_pipeline(TABLE_EXAMPLES, 1000);

	pipeline.ordered = kind->ordered;
	pipeline.batch_size = batch_size;
	pipeline.prefetch_batches = kind->batches - 1; /* one being made */
	pipeline.loading = (struct loading){
		.window = kind->window,
		.window_most = kind->window_most,
		.window_unit = kind->unit,
		.window_token = kind->token,
	};
	pipeline.stages[STAGE_DECODE].workers = THREADS;
	pipeline.stages[STAGE_DECODE].time_ns =
		crew_cycle(table_ns, TABLE_EXAMPLES);
	pipeline.accelerators.step_ns = seconds(step_s);
	return pipeline;
}

static const struct {
	void (*work)(void);
	uint32_t batch_size;
	struct kind kind;
	double first_s, last_s, au; /* first_s < 0: not given */
} table_0[] = {
	{ work_constant, 8, FUSED, .0100, 2.3980, 1 },
	{ work_constant, 8, ELEMENTS(9), .0100, 2.3980, 1 },
	{ work_constant, 8, ELEMENTS(17), .0100, 2.3980, 1 },
	{ work_constant, 8, ANY_ORDER(8), .0100, 2.3980, 1 },
	{ work_constant, 8, ONE_BATCH(2), .0100, 2.3980, 1 },
	{ work_constant, 8, ONE_BATCH(4), .0100, 2.3980, 1 },
	{ work_slow_one_in_sixteen, 8, FUSED, .1600, 3.9720, .6264 },
	{ work_slow_one_in_sixteen, 8, ELEMENTS(9), .1600, 16.0120, .1506 },
	{ work_slow_one_in_sixteen, 8, ELEMENTS(17), .1600, 9.0160, .2696 },
	{ work_slow_one_in_sixteen, 8, ANY_ORDER(8), .0200, 3.9600, .6061 },
	{ work_slow_one_in_sixteen, 8, ONE_BATCH(2), .1600, 17.0020, .1418 },
	{ work_slow_one_in_sixteen, 8, ONE_BATCH(4), .1600, 17.0020, .1418 },
	{ work_lognormal, 8, FUSED, .0342, 3.5041, .6882 },
	{ work_lognormal, 8, ELEMENTS(9), .0342, 7.8508, .3055 },
	{ work_lognormal, 8, ELEMENTS(17), .0342, 5.8295, .4121 },
	{ work_lognormal, 8, ANY_ORDER(8), .0184, 3.3415, .7186 },
	{ work_lognormal, 8, ONE_BATCH(2), .0342, 10.0138, .2393 },
	{ work_lognormal, 8, ONE_BATCH(4), .0342, 10.0138, .2393 },
	{ work_slow_one_in_sixteen, 32, FUSED, -1, 3.9600, .6222 },
	{ work_slow_one_in_sixteen, 32, ELEMENTS(9), -1, 16.0100, .1500 },
	{ work_slow_one_in_sixteen, 32, ONE_BATCH(2), -1, 9.0000, .2667 },
	{ work_lognormal, 32, FUSED, -1, 3.3881, .7105 },
	{ work_lognormal, 32, ELEMENTS(9), -1, 7.8508, .3041 },
	{ work_lognormal, 32, ONE_BATCH(2), -1, 5.7448, .4150 },
};

static void windows_fare_as_their_libraries_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table_0) / sizeof(table_0[0]); i++) {
		double step_s = 0.0015 * table_0[i].batch_size;
		struct pipeline pipeline;

		table_0[i].work();
		pipeline = pipeline_of(&table_0[i].kind, table_0[i].batch_size,
				       step_s);
		crew_run(&pipeline, 0);
		if (table_0[i].first_s >= 0)
			assert_close(seconds_of(handovers.times_ns[0]),
				     table_0[i].first_s, 1e-4);
		assert_close(handovers_last_s(), table_0[i].last_s, 1e-4);
		assert_close(handovers_au(step_s), table_0[i].au, 1e-4);
	}
}

/* About ceil(window / 16) slow ones are done together: one example more in the
 * window may be worth nearly twice the speed. */
static void one_more_in_the_window_can_be_worth_twice(void **state)
{
	static const struct {
		uint32_t window;
		double last_s;
	} law[] = {
		{ 8, 17.00 }, { 9, 16.01 }, { 16, 16.00 }, { 17, 9.01 },
		{ 32, 8.02 }, { 33, 6.10 }, { 64, 4.11 },  { 128, 3.96 },
	};

	(void)state;
	work_slow_one_in_sixteen();
	for (size_t i = 0; i < sizeof(law) / sizeof(law[0]); i++) {
		const struct kind kind = { .window = law[i].window,
					   .unit = WINDOW_EXAMPLE,
					   .token = WINDOW_TAKE,
					   .batches = 2,
					   .ordered = true };
		struct pipeline pipeline = pipeline_of(&kind, 1, 0);

		crew_run(&pipeline, 0);
		assert_close(handovers_last_s(), law[i].last_s, 0.005);
	}
}

/* ---- against a recursion ---- */

#define CASES 1000
#define CASE_EXAMPLES 240

static int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* When each example is asked for and taken, each batch opened and handed over:
 * in order, one after the other. */
struct recursion {
	const struct pipeline *pipeline;
	int64_t free_ns[THREADS];
	int64_t asked_ns[CASE_EXAMPLES];
	int64_t taken_ns[CASE_EXAMPLES];
	int64_t opened_ns[CASE_EXAMPLES];
	int64_t given_ns[CASE_EXAMPLES];
};

/* The n-th of a list, of which those before the first are at 0. */
static int64_t earlier(const int64_t *times_ns, int64_t n)
{
	return n < 0 ? 0 : times_ns[n];
}

static int64_t let_in_ns(const struct recursion *it, int64_t i)
{
	const struct loading *loading = &it->pipeline->loading;
	int64_t size = it->pipeline->batch_size, window = loading->window;

	if (loading->window_unit == WINDOW_EXAMPLE)
		return loading->window_token == WINDOW_ASK ?
			       earlier(it->asked_ns, i - window + 1) :
			       earlier(it->taken_ns, i - window);
	if (loading->window_token == WINDOW_ASK)
		return earlier(it->opened_ns, i / size - window + 1);
	return earlier(it->taken_ns, (i / size - window + 1) * size - 1);
}

static int64_t open_batch_ns(const struct recursion *it, int64_t i)
{
	int64_t slots = it->pipeline->prefetch_batches + 1;

	return latest(earlier(it->taken_ns, i - 1),
		      earlier(it->given_ns,
			      i / it->pipeline->batch_size - slots));
}

static void follow(struct recursion *it, int64_t i, int64_t step_ns)
{
	int64_t size = it->pipeline->batch_size, batch = i / size;
	int64_t *server = it->free_ns, start_ns;

	it->asked_ns[i] = i % size ? it->taken_ns[i - 1] : open_batch_ns(it, i);
	if (i % size == 0)
		it->opened_ns[batch] = it->asked_ns[i];
	for (int k = 1; k < THREADS; k++)
		if (it->free_ns[k] < *server)
			server = &it->free_ns[k];
	start_ns = latest(*server, let_in_ns(it, i));
	*server = start_ns + (int64_t)table_ns[i];
	it->taken_ns[i] = latest(it->asked_ns[i], *server);
	if (i % size != size - 1)
		return;
	it->given_ns[batch] = latest(
		it->taken_ns[i], batch ? it->given_ns[batch - 1] + step_ns : 0);
}

static struct pipeline any_case(struct random_stream stream)
{
	const struct kind kind = {
		.window =
			1 + (uint32_t)random_below(random_bits(stream, 0), 30),
		.unit = (enum window_unit)random_below(random_bits(stream, 1),
						       2),
		.token = (enum window_token)random_below(random_bits(stream, 2),
							 2),
		.batches =
			2 + (uint32_t)random_below(random_bits(stream, 3), 4),
		.ordered = true,
	};
	uint32_t size = 1 + (uint32_t)random_below(random_bits(stream, 4), 12);
	struct pipeline pipeline = pipeline_of(
		&kind, size,
		0.001 * (double)random_below(random_bits(stream, 5), 50));

	layout_compute(&pipeline.layout, CASE_EXAMPLES / size * size,
		       &pipeline.layout.example_bytes, 1, 10000, 100, 1);
	for (uint64_t i = 0; i < CASE_EXAMPLES; i++)
		table_ns[i] =
			(double)(1 + random_below(random_bits(stream, 100 + i),
						  20) *
					     1000000);
	return pipeline;
}

static void a_window_follows_its_recursion(void **state)
{
	(void)state;
	print_message("seeds 0 to %d\n", CASES - 1);
	for (uint64_t seed = 0; seed < CASES; seed++) {
		struct pipeline pipeline =
			any_case((struct random_stream){ seed });
		struct recursion it = { .pipeline = &pipeline };
		int64_t count = (int64_t)pipeline.layout.examples;

		for (int64_t i = 0; i < count; i++)
			follow(&it, i,
			       (int64_t)pipeline.accelerators.step_ns.mean);
		crew_run(&pipeline, 0);
		assert_int_equal(handovers.count, count / pipeline.batch_size);
		for (uint64_t m = 0; m < handovers.count; m++)
			if (handovers.times_ns[m] != it.given_ns[m])
				fail_msg("seed %llu: batch %llu at %lld, not "
					 "%lld",
					 (unsigned long long)seed,
					 (unsigned long long)m,
					 (long long)handovers.times_ns[m],
					 (long long)it.given_ns[m]);
	}
}

/* ---- epochs ---- */

/* Whatever an epoch leaves over, the next one goes on. */
static void epochs_that_do_not_divide_come_to_no_standstill(void **state)
{
	static const struct kind kinds[] = {
		ELEMENTS(1),  ELEMENTS(9),
		ANY_ORDER(8), FUSED,
		ONE_BATCH(2), { 3, 0, WINDOW_BATCH, WINDOW_TAKE, 2, false },
	};

	(void)state;
	work_lognormal();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		for (uint64_t examples = 20; examples < 45; examples++) {
			struct pipeline pipeline =
				pipeline_of(&kinds[i], 7, 0.012);
			struct figures figures;

			layout_compute(&pipeline.layout, examples,
				       &pipeline.layout.example_bytes, 1, 10000,
				       100, 1);
			pipeline.limit.epochs = 3;
			figures = crew_run(&pipeline, 0);
			assert_true(figures.complete);
			assert_int_equal(handovers.count, 3 * (examples / 7));
			assert_int_equal(figures.fresh_examples,
					 3 * (examples / 7) * 7);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_fare_as_their_libraries_do),
		cmocka_unit_test(one_more_in_the_window_can_be_worth_twice),
		cmocka_unit_test(a_window_follows_its_recursion),
		cmocka_unit_test(
			epochs_that_do_not_divide_come_to_no_standstill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
