/* SPDX-License-Identifier: MIT */
/*
 * Steps (private to the engine's files): accelerators take batches, step, and
 * what they consume is counted: fresh uses, repeats, duplicates in a batch,
 * and how many steps lie between two uses of one example.
 *
 * Who gets a batch: a host's accelerators that have none stand in line, and a
 * batch goes to the one that has waited longest, that is, whose last step
 * ended first; at the start, and where steps ended together, to the one of the
 * lower number. A batch echo's copies go to the accelerator that had the
 * batch.
 *
 * When each goes its own way (sync none), the run has its number of steps
 * times accelerators in all, whoever takes them, and ends as the last of them
 * ends. The measured window is one and the same for all: it begins as the last
 * accelerator ends its warm-up, and what others have under way then counts
 * from that moment on.
 */
#ifndef SIM_STEPS_H
#define SIM_STEPS_H

#include "sim/loader.h"

/* All accelerators of a host wait, the first one longest. */
void steps_line_up(struct engine *engine, struct loader *loader);

/* Gives batches to the waiting accelerators of a host and starts what steps
 * can start. */
void steps_start(struct engine *engine, struct loader *loader);

/* An accelerator has its batch in hand: starts what steps can start. */
void steps_handed_over(struct engine *engine, uint32_t accelerator);

/* A step ends, at engine->now_ns: of the given accelerator, or of all when
 * they keep together. */
void steps_finish(struct engine *engine, uint32_t accelerator);

#endif
