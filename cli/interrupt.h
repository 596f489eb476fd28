/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C: the first asks whatever runs to stop and hand over what it has; the
 * second ends the program as usual. SIGTERM and a terminal that goes away are
 * the same.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Starts to listen, for the rest of the program. */
void interrupt_catch(void);

/* Set by the first interrupt. */
extern atomic_bool interrupt_stop;

#endif
