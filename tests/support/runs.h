/* SPDX-License-Identifier: MIT */
/*
 * Simulated runs for tests: a plain pipeline to start from, and one call that
 * runs it against a device to the end.
 */
#ifndef TESTS_SUPPORT_RUNS_H
#define TESTS_SUPPORT_RUNS_H

#include "sim/engine.h"
#include "sim/tiers.h"

#define NS_PER_S INT64_C(1000000000)

/* Constant distributions. */
struct distribution seconds(double value);
struct distribution bytes(double value);

/* A computed dataset of this many examples of constant size, 10 a block, 10
 * blocks a shard, read in order one block at a time; every stage costs
 * nothing; one accelerator, batch 10, no time a step; no echo; one epoch, no
 * warm-up. Fill in what the test is about, then read_ahead_examples if the
 * default will not do. */
struct pipeline plain_pipeline(uint64_t examples, double example_bytes);

/* A device of this bandwidth and nothing else. */
struct device_profile plain_device(uint64_t bandwidth_bytes_per_s);

/* Runs to the end (read_ahead_examples 0: the default) and gives the figures;
 * watcher may be NULL. */
void run_pipeline(const struct pipeline *pipeline,
		  const struct device_profile *device,
		  const struct watcher *watcher, struct figures *figures);

/* The same with a cache and links as well. */
void run_tiers(const struct pipeline *pipeline,
	       const struct tiers_profile *profile,
	       const struct watcher *watcher, struct figures *figures);

double seconds_of(int64_t time_ns);

/* 1 - au. */
double idle_fraction(const struct figures *figures);

#endif
