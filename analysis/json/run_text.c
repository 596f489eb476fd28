/* SPDX-License-Identifier: MIT */
#include "analysis/json/run_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/json/build.h"
#include "analysis/json/write.h"

char *json_run_text(const struct result *result)
{
	json_t *run = json_of_run(result);
	char *text = NULL;
	size_t size = 0;
	FILE *out = run ? open_memstream(&text, &size) : NULL;

	if (out) {
		json_write_tree(out, run, 0);
		if (fclose(out)) {
			free(text);
			text = NULL;
		}
	}
	json_decref(run);
	return text;
}
