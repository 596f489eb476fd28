/* SPDX-License-Identifier: MIT */
/* Writing a tree of jansson's (private to this folder): objects keep the order
 * their keys were set in; numbers carry the digits that they need. */
#ifndef ANALYSIS_JSON_WRITE_H
#define ANALYSIS_JSON_WRITE_H

#include <jansson.h>
#include <stdio.h>

void json_write_tree(FILE *out, const json_t *tree, int depth);

#endif
