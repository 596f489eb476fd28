/* SPDX-License-Identifier: MIT */
/*
 * Starting (private to the engine's files): the time that a loader's workers
 * need before the run's first epoch, or before every epoch. Where they start
 * anew for every epoch, they do so when the trainer asks for more than the
 * last one had.
 */
#ifndef SIM_START_H
#define SIM_START_H

#include "sim/loader.h"

/* May this epoch begin? Where its workers are to be started first, they are,
 * and the loader is looked at again when that is done. */
bool start_is_over(struct engine *engine, struct loader *loader,
		   uint64_t epoch);

/* The workers have started. */
void start_finish(const struct engine *engine, struct loader *loader);

#endif
