/* SPDX-License-Identifier: MIT */
#include "cli/database.h"

#include <stdio.h>
#include <string.h>

#include "storage/dataset/dataset.h"
#include "traces/nearest.h"

struct search {
	struct nearest nearest;
	const char *word;
	bool exact;
	char best[NEAREST_WORD_MAX + 1];
};

static void consider(void *context, const char *name, size_t length)
{
	struct search *search = context;

	search->exact |= strlen(search->word) == length &&
			 memcmp(search->word, name, length) == 0;
	if (nearest_take(&search->nearest, name, length))
		snprintf(search->best, sizeof(search->best), "%.*s",
			 (int)length, name);
}

void database_suggest(const char *path, const char *database,
		      struct fault *fault)
{
	struct search search = { .word = database };
	size_t used = strlen(fault->text);

	if (!database || !database[0])
		return;
	search.nearest = nearest_to(database);
	dataset_databases(path, consider, &search);
	if (search.best[0] && !search.exact)
		snprintf(fault->text + used, sizeof(fault->text) - used,
			 "; did you mean \"%s\"?", search.best);
}
