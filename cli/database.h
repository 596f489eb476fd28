/* SPDX-License-Identifier: MIT */
/* Which database of an LMDB environment did the person mean? */
#ifndef CLI_DATABASE_H
#define CLI_DATABASE_H

#include "sim/fault.h"

/* After a dataset could not be opened: when there is no database of that name
 * (NULL or empty: none was asked for), adds the nearest to the fault. */
void database_suggest(const char *path, const char *database,
		      struct fault *fault);

#endif
