/* SPDX-License-Identifier: MIT */
/* Trees of jansson's (private to this folder): what a text would make, and how
 * they are written. */
#ifndef ANALYSIS_JSON_WRITE_H
#define ANALYSIS_JSON_WRITE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Would the tree of a text, which may come from anywhere, take more than a
 * gibibyte? Empty objects need a hundred times the memory of their text. */
bool json_is_dense(const char *text, size_t size);

/* Objects keep the order their keys were set in; numbers carry the digits that
 * they need. */
void json_write_tree(FILE *out, const json_t *tree, int depth);

#endif
