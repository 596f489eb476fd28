/* SPDX-License-Identifier: MIT */
#include "traces/embedded.h"

#include <string.h>

const struct embedded_file *embedded_find(const struct embedded *embedded,
					  const char *name)
{
	size_t i;

	for (i = 0; i < embedded->count; i++)
		if (strcmp(embedded->files[i].name, name) == 0)
			return &embedded->files[i];
	return NULL;
}
