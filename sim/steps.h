/* SPDX-License-Identifier: MIT */
/*
 * Steps (private to the engine's files): accelerators take batches, step, and
 * what they consume is counted: fresh uses, repeats, duplicates in a batch,
 * and how many steps lie between two uses of one example.
 */
#ifndef SIM_STEPS_H
#define SIM_STEPS_H

#include "sim/loader.h"

/* Gives batches to the waiting accelerators of a host and starts what steps
 * can start. */
void steps_start(struct engine *engine, struct loader *loader);

/* A step ends, at engine->now_ns: of the given accelerator, or of all when
 * they keep together. */
void steps_finish(struct engine *engine, uint32_t accelerator);

#endif
