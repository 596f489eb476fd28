/* SPDX-License-Identifier: MIT */
/*
 * What is compared, side by side: variants of a scenario, loaders in it, or
 * scenarios. Each side has the options of the command with a name, a file or a
 * variant of its own; without any there is one, which has no name.
 */
#ifndef CLI_SIDES_H
#define CLI_SIDES_H

#include "cli/options.h"

/* What was asked for besides the common options. */
struct sides_request {
	const char *paths[VARIANTS_MAX]; /* of the scenarios but the first */
	uint32_t path_count;
	const char *variants[VARIANTS_MAX]; /* arguments of --variant */
	uint32_t variant_count;
};

struct sides {
	uint32_t count;
	struct options *items;
	struct variants variants;
	char *texts[VARIANTS_MAX]; /* of the scenarios */
	char names[VARIANTS_MAX][VARIANT_NAME_MAX];
};

/* Makes them. NULL asks for the scenario as it is; without --variant those of
 * its file are taken. -EINVAL and a fault, -ENOMEM, the world's errno, or 0;
 * to be released in any case. */
int sides_open(struct sides *sides, const struct options *options,
	       const struct sides_request *request, struct fault *fault)
	__attribute__((warn_unused_result));
void sides_close(struct sides *sides);

/* What a side changes, as --set takes it; NULL: it is a scenario of its own.
 * Otherwise returns text. */
const char *sides_say(const struct options *side, char *text, size_t size);

#endif
