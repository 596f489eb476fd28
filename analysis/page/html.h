/* SPDX-License-Identifier: MIT */
/*
 * Text within a page. Whatever came from a person or a file goes through one
 * of these, so that it is shown and never run.
 */
#ifndef ANALYSIS_HTML_H
#define ANALYSIS_HTML_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/value.h"

/* Between tags, or between the quotes of an attribute. */
void html_text(FILE *out, const char *text);

/* A JSON string with its quotes, within a script element: also one that says
 * </script> or <!-- stays a string. */
void html_json_text(FILE *out, const char *text);

/* JSON within a script element: the same care for JSON that is there. */
void html_json(FILE *out, const char *json, size_t size);

/* A number as JSON; null when it is not known. */
void html_json_value(FILE *out, struct metric_value value);

#endif
