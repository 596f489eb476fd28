/* SPDX-License-Identifier: MIT */
/* The files of analysis/laws, compiled in. */
#ifndef ANALYSIS_LAW_TEXTS_H
#define ANALYSIS_LAW_TEXTS_H

#include "traces/embedded.h"

extern const struct embedded law_texts;

#endif
