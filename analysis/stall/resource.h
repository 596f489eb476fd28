/* SPDX-License-Identifier: MIT */
/*
 * Resources: what a run may wait for, and what one could buy more of. A row
 * each in a table: its name, the key of the scenario that sets it, and how to
 * improve it. An improvement by 1.1 is ten per cent more of a rate or a
 * number, or a time divided by 1.1; so whatever alone limits a run raises its
 * rate by exactly ten per cent.
 */
#ifndef ANALYSIS_RESOURCE_H
#define ANALYSIS_RESOURCE_H

#include <stddef.h>

#include "sim/pipeline.h"
#include "sim/tiers.h"

/* All that a simulated run depends on. */
struct setting {
	struct pipeline pipeline;
	struct tiers_profile tiers;
};

/* Which share of the whole it is part of: nothing within a group raises the
 * rate more than the whole group without limits does. */
enum resource_group {
	RESOURCE_STORAGE, /* device, link, cache, and waiting for them */
	RESOURCE_LOADER,  /* the stages, and what only helps them */
	RESOURCE_ACCELERATOR,
};

struct resource {
	const char *name; /* "device bandwidth" */
	const char *key;  /* of the scenario */
	enum resource_group group;
	enum stage_name stage; /* for workers */
	/* Makes it better by this factor, or by as near to it as whole numbers
	 * come, and returns the factor that it became; 1 when the setting has
	 * no such limit. */
	double (*improve)(const struct resource *resource,
			  struct setting *setting, double factor);
};

/* Improved by this much it limits nothing any more. */
#define RESOURCE_UNLIMITED 1e6

extern const struct resource resource_table[];
extern const size_t resource_count;

/* `setting` with this resource improved, read-ahead following where it had its
 * default. Returns the factor, as above. */
double resource_improve(const struct resource *resource,
			struct setting *setting, double factor);

/* Storage takes no time; the stages take none. */
void resource_free_storage(struct setting *setting);
void resource_free_stages(struct setting *setting);

#endif
