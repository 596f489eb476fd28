/* SPDX-License-Identifier: MIT */
/*
 * A crew (private to the engine's files): the workers of one accelerator's
 * loader, each of whom carries a whole batch alone, as the processes of
 * PyTorch's DataLoader do.
 *
 * At most prefetch_factor batches for each worker are out: given to a worker
 * and not handed over to the trainer. A batch is given whenever one has been
 * handed over, to the next worker in the cycle that has fewer out; in order
 * that is batch k to worker k mod W. What is out has its slot in the output of
 * collate, so the slots are the tokens, and whether batches are handed over in
 * order or as they finish is whether slots enter the order of leaving when
 * they are given or when they are done. What lies behind (batch echo, steps,
 * accounts) is the same as behind stages.
 *
 * An epoch's first batches are given when the trainer asks for more than the
 * epoch before had. An example echo makes its copies within one worker: of a
 * batch's uses the first of each example is read, and copies left over as the
 * batch is full go into that worker's next one.
 */
#ifndef SIM_CREW_H
#define SIM_CREW_H

#include "sim/loader.h"

void crew_init(struct engine *engine, struct loader *loader);

/* Begins the next epoch, and gives what batches can be given. */
void crew_give(struct engine *engine, struct loader *loader);

/* The trainer has taken the batch in a slot of collate's output. */
void crew_hand_over(const struct engine *engine, struct loader *loader,
		    uint32_t slot);

/* Counts on who idles: to be called when that may have changed. */
void crew_note(struct loader *loader, int64_t now_ns);

#endif
