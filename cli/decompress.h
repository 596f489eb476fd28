/* SPDX-License-Identifier: MIT */
/* What decompression costs in simulations, where the scenario does not say. */
#ifndef CLI_DECOMPRESS_H
#define CLI_DECOMPRESS_H

#include "cli/runner.h"

/* Beside a live run, what one thread of this host was measured to do becomes
 * the scenario's own; alone, simulations charge nothing. Either is said. `sim`,
 * `live`: the modes it is run in; `replays_live`: a live run's recording. */
int decompress_settle(struct runner *runner, bool replays_live, bool sim,
		      bool live, struct fault *fault)
	__attribute__((warn_unused_result));

#endif
