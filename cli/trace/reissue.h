/* SPDX-License-Identifier: MIT */
/* run --replay: a recording's requests, issued again. */
#ifndef CLI_REISSUE_H
#define CLI_REISSUE_H

#include "cli/options.h"

/* Returns the exit status. */
int reissue_run(const struct options *options);

#endif
