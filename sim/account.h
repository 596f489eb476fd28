/* SPDX-License-Identifier: MIT */
/*
 * Accounting (private to the engine's files): the measured window.
 */
#ifndef SIM_ACCOUNT_H
#define SIM_ACCOUNT_H

#include "sim/loader.h"

/* The last accelerator has finished its warm-up: the window begins now, for
 * all of them. */
void account_begin_window(struct engine *engine);

#endif
