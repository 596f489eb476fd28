/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_VERSION_H
#define ANALYSIS_VERSION_H

#include "sim/fault.h"

#define ECHOSIM_VERSION "0.1.0"

/* Is the text a version of this program, no newer than this one? -EINVAL and
 * the fault; NULL is none. */
int version_check(const char *text, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
