/* SPDX-License-Identifier: MIT */
/*
 * Resources: what a run may wait for, and what one could buy more of. Each is a
 * row of one table, or several of the same name where several keys make it
 * better: more decode workers, less time for each example. A row names a key of
 * the scenario, and improving it is to give that key another value, with all
 * that --set has follow from it; so what an improvement is found to bring is
 * what the person gets who changes the key. The unit of the key is its field's
 * (traces/field.h).
 *
 * A tenth better is a tenth more of a rate or a size, a tenth less of a time,
 * and of pieces the nearest whole number, at least one more. What cannot be had
 * by tenths (a switch, the first worker at all) counts whole.
 */
#ifndef ANALYSIS_RESOURCE_H
#define ANALYSIS_RESOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/pipeline.h"
#include "sim/tiers.h"
#include "traces/field.h"
#include "traces/scenario.h"

/* All that a simulated run depends on. */
struct setting {
	struct pipeline pipeline;
	struct tiers_profile tiers;
};

/* Which share of the whole it is part of: nothing within a group raises the
 * rate more than the whole group without limits does. */
enum resource_group {
	RESOURCE_STORAGE,  /* device, link, cache, and waiting for them */
	RESOURCE_LOADER,   /* the work, and what only helps it */
	RESOURCE_HANDOVER, /* what lies between work and step, and start-up */
	RESOURCE_ACCELERATOR,
};

/* How it is improved. */
enum resource_way {
	RESOURCE_MORE,
	RESOURCE_LESS,
	RESOURCE_SWITCH, /* to another word */
};

struct resource {
	const char *name; /* "device bandwidth" */
	const char *key;  /* of the scenario, in which the strategy in question
			     is the only one */
	enum resource_group group;
	enum resource_way way;
	double most; /* so many times more is no limit any more, and what the
			model has room for */
	const char *word;   /* of a switch: the better one */
	unsigned int kinds; /* of loader that it is a resource of, a bit each;
			       0: of all */
};

extern const struct resource resource_table[];
extern const size_t resource_count;

/* Are both ways to improve one thing? */
bool resource_is_same(const struct resource *one, const struct resource *other);

#define RESOURCE_SAID_MAX (FIELD_KEY_MAX + 96)

/* A key that was given another value. */
struct resource_change {
	char set[FIELD_KEY_MAX + 256]; /* as --set takes it */
	char said[RESOURCE_SAID_MAX];  /* "pipeline.decode.workers from 8 to 9",
					  "storage.device.iops 10 % higher" */
	double factor;		       /* by which it is better */
};

enum resource_step {
	RESOURCE_TENTH,
	RESOURCE_AWAY, /* as if it limited nothing */
};

/* Gives the resource's key of a checked scenario a better value; `layout` as
 * scenario_pipeline() has it. False, with an undefined scenario: it has no such
 * limit, or comes no better. */
bool resource_improve(const struct resource *resource, enum resource_step step,
		      const struct layout *layout, struct scenario *scenario,
		      struct resource_change *change);

/* Storage takes no time; the stages take none. */
void resource_free_storage(struct setting *setting);
void resource_free_stages(struct setting *setting);

#endif
