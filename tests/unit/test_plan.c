/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "storage/pack/plan.h"

static struct pack_options synthetic(const char *format)
{
	return (struct pack_options){
		.format = format,
		.target = "unused",
		.synthetic_examples = 1000,
		.synthetic_bytes = distribution_constant(1000),
		.synthetic_ratio = 1,
		.block_bytes = 10000,
		.level = 3,
		.seed = 1,
	};
}

static struct estimate estimate_of(const struct pack_options *options)
{
	const struct format *format;
	struct estimate estimate;
	struct fault fault = { 0 };

	assert_int_equal(plan_check(options, &format, &fault), 0);
	assert_int_equal(plan_estimate(options, format, &estimate, &fault), 0);
	return estimate;
}

static void a_block_takes_examples_up_to_its_size(void **state)
{
	struct pack_options options = synthetic("shards");
	struct plan plan;

	(void)state;
	plan_init(&plan, &options, &format_shards);
	assert_true(plan_takes(&plan, 4000));
	plan_add(&plan, 4000);
	assert_true(plan_takes(&plan, 6000));
	assert_false(plan_takes(&plan, 6001));
	assert_false(plan_takes(&plan, UINT64_MAX));
	plan_add(&plan, 6000);
	assert_true(plan_takes(&plan, 0));
	assert_false(plan_takes(&plan, 1));
	plan_next(&plan);
	assert_true(plan_takes(&plan, 6001));
}

static void a_large_example_has_a_block_of_its_own(void **state)
{
	struct pack_options options = synthetic("shards");
	struct plan plan;

	(void)state;
	plan_init(&plan, &options, &format_shards);
	assert_true(plan_takes(&plan, 1000000));
	plan_add(&plan, 1000000);
	assert_false(plan_takes(&plan, 1));
}

static void a_shard_starts_a_new_block(void **state)
{
	struct pack_options options = synthetic("shards");
	struct estimate estimate;

	(void)state;
	/* 10 examples fit a block; shards of 25 make 10, 10, 5. */
	estimate = estimate_of(&options);
	assert_int_equal(estimate.examples, 1000);
	assert_int_equal(estimate.content_bytes, 1000000);
	assert_int_equal(estimate.blocks, 100);
	options.shard_examples = 25;
	estimate = estimate_of(&options);
	assert_int_equal(estimate.blocks, 120);
}

static void empty_examples_do_not_fill_a_block_without_end(void **state)
{
	struct pack_options options = synthetic("shards");
	struct plan plan;

	(void)state;
	plan_init(&plan, &options, &format_shards);
	for (uint32_t count = 0; count < CATALOGUE_EXAMPLES_MAX; count++) {
		assert_true(plan_takes(&plan, 0));
		plan_add(&plan, 0);
	}
	assert_false(plan_takes(&plan, 0));
}

static void an_lmdb_block_is_one_example(void **state)
{
	struct pack_options options = synthetic("lmdb");

	(void)state;
	assert_int_equal(estimate_of(&options).blocks, 1000);
	/* And asks for no block size. */
	options.block_bytes = 0;
	assert_int_equal(estimate_of(&options).blocks, 1000);
}

static int check(const struct pack_options *options, struct fault *fault)
{
	const struct format *format;

	memset(fault, 0, sizeof(*fault));
	return plan_check(options, &format, fault);
}

static void options_without_sense_are_refused(void **state)
{
	struct pack_options options = synthetic("tar");
	struct fault fault;

	(void)state;
	assert_int_equal(check(&options, &fault), -EINVAL);
	assert_string_equal(fault.text,
			    "unknown format 'tar'; expected shards or lmdb");
	options = synthetic("shards");
	options.level = 0;
	assert_int_equal(check(&options, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "takes 1 to 19"));
	options.level = 20;
	assert_int_equal(check(&options, &fault), -EINVAL);
	options = synthetic("lmdb");
	options.level = 0;
	assert_int_equal(check(&options, &fault), 0);
	options.level = -1;
	assert_int_equal(check(&options, &fault), -EINVAL);
	options = synthetic("shards");
	options.block_bytes = 0;
	assert_int_equal(check(&options, &fault), -EINVAL);
	options.block_bytes = (UINT64_C(1) << 30) + 1;
	assert_int_equal(check(&options, &fault), -EINVAL);
	options.block_bytes = UINT64_C(1) << 30;
	assert_int_equal(check(&options, &fault), 0);
	options.synthetic_ratio = 0.5;
	assert_int_equal(check(&options, &fault), -EINVAL);
	options.synthetic_ratio = 0.0 / 0.0;
	assert_int_equal(check(&options, &fault), -EINVAL);
	options = synthetic("shards");
	options.synthetic_examples = 0;
	assert_int_equal(check(&options, &fault), -EINVAL);
}

static int estimate_fails(const struct pack_options *options,
			  struct fault *fault)
{
	const struct format *format;
	struct estimate estimate;
	int error;

	memset(fault, 0, sizeof(*fault));
	error = plan_check(options, &format, fault);
	return error ? error : plan_estimate(options, format, &estimate, fault);
}

static void what_no_dataset_can_hold_is_refused_before_packing(void **state)
{
	struct pack_options options = synthetic("shards");
	struct fault fault;

	(void)state;
	options.synthetic_bytes = distribution_constant(1073741825);
	assert_int_equal(estimate_fails(&options, &fault), -EINVAL);
	assert_string_equal(fault.text,
			    "example 0 has 1073741825 bytes; at most 1 GiB "
			    "can be packed");
	options = synthetic("shards");
	options.synthetic_examples = 100001;
	options.shard_examples = 1;
	assert_int_equal(estimate_fails(&options, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "100001 shards"));
	options.synthetic_examples = 100000;
	assert_int_equal(estimate_fails(&options, &fault), 0);
}

/* So that their number stays within what can be opened. */
static void shards_grow_with_a_huge_dataset(void **state)
{
	struct pack_options options = synthetic("shards");

	(void)state;
	options.synthetic_bytes = distribution_constant(1 << 30);
	options.block_bytes = 1 << 30;
	options.synthetic_examples = 100000; /* 100 TiB */
	assert_true(estimate_of(&options).content_bytes /
			    estimate_of(&options).shard_bytes <
		    DATASET_SHARDS_MAX);
}

/* A hundred thousand million years of counting, if it had no bound. */
static void more_than_any_dataset_holds_is_refused_in_time(void **state)
{
	struct pack_options options = synthetic("lmdb");
	struct fault fault;

	(void)state;
	options.synthetic_examples = UINT64_C(1000000000000000000);
	assert_int_equal(estimate_fails(&options, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "200000000 blocks"));
	options = synthetic("shards");
	options.synthetic_examples = UINT64_C(1000000000000000000);
	assert_int_equal(estimate_fails(&options, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "200000000 blocks"));
	options.synthetic_bytes = distribution_constant(1);
	assert_int_equal(estimate_fails(&options, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "200000000 blocks"));
}

static bool stop_at_once(void *context, uint64_t done, uint64_t total)
{
	unsigned *calls = context;

	assert_int_equal(done, 0);
	assert_int_equal(total, 0);
	(*calls)++;
	return false;
}

static void an_estimate_stops_when_told_to(void **state)
{
	struct pack_options options = synthetic("shards");
	struct fault fault;
	unsigned calls = 0;

	(void)state;
	options.synthetic_examples = 100000000;
	options.progress = stop_at_once;
	options.context = &calls;
	assert_int_equal(estimate_fails(&options, &fault), -EINTR);
	assert_int_equal(calls, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_takes_examples_up_to_its_size),
		cmocka_unit_test(a_large_example_has_a_block_of_its_own),
		cmocka_unit_test(a_shard_starts_a_new_block),
		cmocka_unit_test(
			empty_examples_do_not_fill_a_block_without_end),
		cmocka_unit_test(an_lmdb_block_is_one_example),
		cmocka_unit_test(options_without_sense_are_refused),
		cmocka_unit_test(
			what_no_dataset_can_hold_is_refused_before_packing),
		cmocka_unit_test(shards_grow_with_a_huge_dataset),
		cmocka_unit_test(
			more_than_any_dataset_holds_is_refused_in_time),
		cmocka_unit_test(an_estimate_stops_when_told_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
