/* SPDX-License-Identifier: MIT */
/*
 * Which examples a rank gets, against what torch's DistributedSampler gives
 * without shuffle: ten examples for four ranks, padded from the head of the
 * order or, with drop_last, cut.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/sampler.h"
#include "tests/support/runs.h"

#define RANKS 4
#define EXAMPLES 10

static struct pipeline ranks_pipeline(enum read_order order, bool pads)
{
	struct pipeline pipeline = plain_pipeline(EXAMPLES, 1000);

	pipeline.order = order;
	pipeline.loading.pads = pads;
	pipeline.accelerators.count = 2;
	pipeline.accelerators.hosts = RANKS / 2;
	return pipeline;
}

static void padded_ranks_get_the_head_once_more(void **state)
{
	static const uint64_t wanted[RANKS][3] = {
		{ 0, 4, 8 }, { 1, 5, 9 }, { 2, 6, 0 }, { 3, 7, 1 }
	};
	struct pipeline pipeline = ranks_pipeline(ORDER_SEQUENTIAL, true);
	struct sampler sampler;

	(void)state;
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		sampler_begin(&sampler, &pipeline, rank,
			      (struct random_stream){ 1 });
		assert_int_equal(sampler.count, 3);
		for (int i = 0; i < 3; i++)
			assert_int_equal(sampler_next(&sampler),
					 wanted[rank][i]);
	}
}

static void others_end_early(void **state)
{
	static const uint64_t wanted[RANKS][2] = {
		{ 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 }
	};
	struct pipeline pipeline = ranks_pipeline(ORDER_SEQUENTIAL, false);
	struct sampler sampler;

	(void)state;
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		sampler_begin(&sampler, &pipeline, rank,
			      (struct random_stream){ 1 });
		assert_int_equal(sampler.count, 2);
		for (int i = 0; i < 2; i++)
			assert_int_equal(sampler_next(&sampler),
					 wanted[rank][i]);
	}
}

/* Whatever is shuffled, two examples come twice and all others once. */
static void padding_doubles_no_more_than_it_must(void **state)
{
	(void)state;
	for (int order = ORDER_SHUFFLED_SHARDS; order <= ORDER_RANDOM;
	     order++) {
		struct pipeline pipeline =
			ranks_pipeline((enum read_order)order, true);
		int given[EXAMPLES] = { 0 };
		int twice = 0;

		for (uint32_t rank = 0; rank < RANKS; rank++) {
			struct sampler sampler;

			sampler_begin(&sampler, &pipeline, rank,
				      (struct random_stream){ 7 });
			while (sampler.given < sampler.count)
				given[sampler_next(&sampler)]++;
		}
		for (int i = 0; i < EXAMPLES; i++) {
			assert_true(given[i] == 1 || given[i] == 2);
			twice += given[i] == 2;
		}
		assert_int_equal(twice, 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(padded_ranks_get_the_head_once_more),
		cmocka_unit_test(others_end_early),
		cmocka_unit_test(padding_doubles_no_more_than_it_must),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
