/* SPDX-License-Identifier: MIT */
#include "analysis/page/html.h"

void html_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

/* Control characters, quotes and backslashes are JSON's to escape; < and & are
 * what a script element must not show to the parser of HTML. */
void html_json_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ' || *text == '<' ||
			 *text == '&')
			fprintf(out, "\\u%04x", (unsigned char)*text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

/* In JSON, < stands within strings only. */
void html_json(FILE *out, const char *json, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		if (json[i] == '<')
			fputs("\\u003c", out);
		else
			fputc(json[i], out);
	}
}

void html_json_value(FILE *out, struct metric_value value)
{
	char text[VALUE_TEXT_MAX];

	fputs(value.known ?
		      value_exact(METRIC_REAL, value, text, sizeof(text)) :
		      "null",
	      out);
}
