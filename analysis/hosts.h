/* SPDX-License-Identifier: MIT */
/*
 * What a scenario's figures are of, in a sentence: how many accelerators there
 * are in all and in each host, and whether the hosts share their storage or
 * each has its own. Figures without it are read for a host where they are of
 * all, and the other way round.
 */
#ifndef ANALYSIS_HOSTS_H
#define ANALYSIS_HOSTS_H

#include <stddef.h>

#include "traces/scenario.h"

#define HOSTS_TEXT_MAX (SCENARIO_TEXT_MAX + 160)

/* "32 accelerators in all, 8 in each of 4 hosts; storage: nvme-pcie4, one in
 * each host". Returns text. */
const char *hosts_say(const struct scenario *scenario, char *text, size_t size);

#endif
