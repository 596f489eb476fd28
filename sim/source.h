/* SPDX-License-Identifier: MIT */
/*
 * The source (private to the engine's files): in which order a host asks for
 * the examples of each epoch. Over all hosts every example comes exactly once
 * an epoch: each host has one contiguous slice of the epoch's sequence of
 * blocks (random order: of examples), the sequence being a new seeded order
 * each epoch.
 */
#ifndef SIM_SOURCE_H
#define SIM_SOURCE_H

#include <stdbool.h>

#include "sim/loader.h"

void source_init(struct engine *engine, struct loader *loader);

/* Makes source.plan the next request, unless it is made already. False when
 * the last epoch has been planned to its end. */
bool source_plan(struct engine *engine, struct loader *loader);

/* The plan has become a request. */
void source_take(struct engine *engine, struct loader *loader);

#endif
