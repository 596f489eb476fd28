/* SPDX-License-Identifier: MIT */
/*
 * Independent jobs on several threads, from start to end: the caller waits and
 * is told how far along they are. Which thread does which job is chance, so a
 * job must write to a place of its own.
 */
#ifndef STORAGE_PARALLEL_H
#define STORAGE_PARALLEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct parallel {
	uint32_t threads; /* 1..WORKERS_MAX; 0: one a processor */
	uint32_t jobs;	  /* numbered from 0, begun in that order */
	void (*work)(void *context, uint32_t job); /* on some thread */
	/* On the caller's thread, some times a second. May be NULL. */
	void (*progress)(void *context, uint32_t done);
	void *context;
	const atomic_bool *stop; /* set: no more jobs are begun */
};

/* 0 when all jobs are done or the run was stopped; negative errno when there
 * are no threads to be had. */
int parallel_run(const struct parallel *parallel)
	__attribute__((warn_unused_result));

/* How many threads that takes. */
uint32_t parallel_threads(const struct parallel *parallel);

#endif
