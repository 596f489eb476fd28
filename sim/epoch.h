/* SPDX-License-Identifier: MIT */
/*
 * The end of an epoch (private to the engine's files): what becomes of the
 * examples that make no step.
 *
 * Every host makes batches of its own slice of an epoch, and never one of two
 * epochs. The examples that remain in front of its collation when the slice is
 * at its end fill no batch: they are dropped.
 *
 * Accelerators in step (sync barrier) take batches of one epoch at a time. The
 * epoch is over for all of them when some host has no further batch of it for
 * one of its accelerators, for no step can be made of the rest: batches that
 * accelerators hold already, those that are ready, and those that hosts with a
 * longer slice have still to make are left over, and so are the copies that a
 * batch echo owes. The next epoch's first step is made when every host has
 * given all of the old one up; reading goes on into it meanwhile.
 *
 * Where each goes its own way (sync none) every whole batch finds somebody who
 * takes it; nothing is left over.
 *
 * No echo repeats an item of an epoch in the next one.
 *
 * Each example read is thus one of: fresh (used by a step at least once),
 * dropped or left over (never used; where an example echo has put copies into
 * several batches, the last of them says which), or under way as the run ended.
 */
#ifndef SIM_EPOCH_H
#define SIM_EPOCH_H

#include "sim/loader.h"

/* A host has no further batch for one of its accelerators, which are in step:
 * the epoch is over for all. */
void epoch_end(struct engine *engine);

/* An epoch is over: gives up what a host has of it now. The last host to have
 * nothing left of it opens the next epoch, or ends the run. */
void epoch_give_up(struct engine *engine, struct loader *loader);

/* The run is over because no data is left. */
void epoch_end_data(struct engine *engine);

#endif
