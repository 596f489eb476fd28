/* SPDX-License-Identifier: MIT */
#include "analysis/seal.h"

#include <inttypes.h>
#include <stdio.h>

void seal_result(struct result *result)
{
	snprintf(result->digest, sizeof(result->digest), "%016" PRIx64,
		 result->figures.digest);
}

struct metric_value seal_digest(const struct result *result)
{
	return value_text(result->digest[0] ? result->digest : NULL);
}
