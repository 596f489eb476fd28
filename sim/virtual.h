/* SPDX-License-Identifier: MIT */
/*
 * The virtual driver: runs an engine against a modelled storage as fast as the
 * processor allows.
 */
#ifndef SIM_VIRTUAL_H
#define SIM_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine.h"
#include "sim/tiers.h"

/* A read as the storage model sees it. */
struct tiers_request virtual_request(const struct engine_task *task);

/* Goes on for at most `events` events; true while there is more to do. A
 * caller that wants progress or interrupts calls it in a loop. */
bool virtual_run(struct engine *engine, struct tiers *tiers, uint64_t events);

#endif
