/* SPDX-License-Identifier: MIT */
#include "sim/check.h"

__attribute__((weak)) _Noreturn void sim_panic(const char *claim,
					       const char *file, int line)
{
	(void)claim;
	(void)file;
	(void)line;
	__builtin_trap();
}
