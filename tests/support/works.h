/* SPDX-License-Identifier: MIT */
/*
 * Three kinds of work that loaders of all makes were put to: what each of 1,600
 * examples takes, in nanoseconds.
 */
#ifndef TESTS_SUPPORT_WORKS_H
#define TESTS_SUPPORT_WORKS_H

#define TABLE_EXAMPLES 1600

/* As the last of these filled it. */
extern double table_ns[TABLE_EXAMPLES];

void work_constant(void); /* 10 ms */

/* Every sixteenth, the first included, takes 160 ms instead. */
void work_slow_one_in_sixteen(void);

/* Python's random.Random(1).lognormvariate(log(0.01), 1), in seconds. */
void work_lognormal(void);

#endif
