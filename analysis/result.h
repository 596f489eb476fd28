/* SPDX-License-Identifier: MIT */
/*
 * The result of one run: what was asked, what the engine counted, and for a
 * live run what the machine did. Metrics are functions of it.
 */
#ifndef ANALYSIS_RESULT_H
#define ANALYSIS_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/burst.h"
#include "analysis/stall/attribution.h"
#include "analysis/plan/cost.h"
#include "analysis/law/answer.h"
#include "sim/figures.h"
#include "sim/pipeline.h"
#include "sim/throttle.h"

/* Its place among the strategies it was compared with. */
enum rank {
	RANK_NONE, /* not known, or neither of these */
	RANK_BEST, /* least time to target */
	RANK_TIE,  /* the law's spread cannot tell it from the best */
};

struct detail; /* analysis/detail.h */

struct result {
	bool live;
	const char *variant; /* one of several that are compared; NULL: none */
	struct echo echo;
	struct pipeline pipeline;
	struct figures figures;
	bool has_cache;
	struct throttle throttle; /* live only */
	uint64_t device_bytes;	  /* live only: really read */
	struct law_answer law;	  /* what the law of training says */
	struct cost cost;
	struct attribution attribution; /* of a live run: its twin's */
	struct burst burst;		/* the device's credit, after the run */
	/* The same at baseline, freed with it; NULL: no credit to begin with,
	 * or not looked for. */
	struct result *sustained;
	bool by_start;	/* goals are put to the run, not to what is sustained */
	double speedup; /* against no echo in the same mode; 0: not known */
	enum rank rank;
	struct detail *detail; /* NULL: not asked for */
};

#endif
