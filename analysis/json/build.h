/* SPDX-License-Identifier: MIT */
/* Building a tree of jansson's (private to this folder). What is NULL is out of
 * memory; jansson frees what it cannot keep, so that one NULL anywhere makes
 * the whole NULL. */
#ifndef ANALYSIS_JSON_BUILD_H
#define ANALYSIS_JSON_BUILD_H

#include <jansson.h>

#include "analysis/report.h"

/* Text that came from a person: bytes that are no UTF-8 become '?'. */
json_t *json_of_text(const char *text);
json_t *json_of_value(enum metric_kind kind, struct metric_value value);

json_t *json_of_run(const struct result *result);
json_t *json_of_notes(const struct notes *notes);
json_t *json_of_scenario(const struct scenario *scenario);
json_t *json_of_host(const struct host_fact *facts, size_t count,
		     const struct notes *notes);

/* Sets the value at a dotted path, making the objects on the way; takes the
 * value over. 0, or not: out of memory. */
int json_set(json_t *object, const char *path, json_t *value)
	__attribute__((warn_unused_result));

#endif
