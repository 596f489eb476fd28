/* SPDX-License-Identifier: MIT */
/*
 * Claims about our own code. A false claim is a defect of echosim, never of
 * the person or the world, so it ends the program; it is checked in every
 * build. One claim per CHECK, so that the line says which one failed.
 */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#define CHECK(claim) ((claim) ? (void)0 : sim_panic(#claim, __FILE__, __LINE__))

/*
 * Ends the program. The model's own version only traps, for it has no way to
 * print; a host program may define a better one under the same name.
 */
_Noreturn void sim_panic(const char *claim, const char *file, int line);

#endif
