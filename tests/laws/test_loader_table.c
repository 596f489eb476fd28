/* SPDX-License-Identifier: MIT */
/*
 * A loader of workers on three kinds of work that loaders of all makes were
 * put to: constant, one slow example in sixteen, and lognormal, in batches of
 * 8 and of 32. What PyTorch's protocol makes of them was found by a program of
 * another hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/close.h"
#include "tests/support/crews.h"
#include "tests/support/works.h"

/* Eight workers, two batches out for each. Where slow batches are not waited
 * for, many things fall on one instant, and in seconds as binary fractions
 * their rounding decides which comes first (last hand-over 4.0400); the row has
 * what another program makes of it in whole nanoseconds. */
static const struct {
	void (*work)(void);
	uint32_t batch_size;
	bool in_order;
	double first_s, last_s, au; /* first_s < 0: not given */
} table_0[] = {
	{ work_constant, 8, true, .0800, 2.4680, 1.0000 },
	{ work_constant, 8, false, .0800, 2.4680, 1.0000 },
	{ work_slow_one_in_sixteen, 8, true, .2300, 5.8340, .4261 },
	{ work_slow_one_in_sixteen, 8, false, .0800, 4.0320, .6043 },
	{ work_lognormal, 8, true, .1434, 4.1212, .6003 },
	{ work_lognormal, 8, false, .0518, 3.4136, .7103 },
	{ work_slow_one_in_sixteen, 32, true, -1, 4.3880, .6242 },
	{ work_slow_one_in_sixteen, 32, false, -1, 4.3880, .6242 },
	{ work_lognormal, 32, true, -1, 4.0204, .6774 },
	{ work_lognormal, 32, false, -1, 3.4930, .7402 },
};

static void eight_workers_fare_as_pytorch_s_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table_0) / sizeof(table_0[0]); i++) {
		struct pipeline pipeline = crew_pipeline(TABLE_EXAMPLES, 8, 2,
							 table_0[i].in_order);
		double step_s = 0.0015 * table_0[i].batch_size;

		table_0[i].work();
		pipeline.batch_size = table_0[i].batch_size;
		pipeline.stages[STAGE_DECODE].time_ns =
			crew_cycle(table_ns, TABLE_EXAMPLES);
		pipeline.accelerators.step_ns = seconds(step_s);
		crew_run(&pipeline, 0);
		if (table_0[i].first_s >= 0)
			assert_close(seconds_of(handovers.times_ns[0]),
				     table_0[i].first_s, 1e-4);
		assert_close(handovers_last_s(), table_0[i].last_s, 1e-4);
		assert_close(handovers_au(step_s), table_0[i].au, 1e-4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_workers_fare_as_pytorch_s_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
