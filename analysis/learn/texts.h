/* SPDX-License-Identifier: MIT */
/* The data to learn from, compiled in. */
#ifndef ANALYSIS_LEARN_TEXTS_H
#define ANALYSIS_LEARN_TEXTS_H

#include "traces/embedded.h"

extern const struct embedded learn_texts;

#endif
