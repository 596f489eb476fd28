/* SPDX-License-Identifier: MIT */
/* A document read back, and what every printer makes of it. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/print/print.h"
#include "sim/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct text_style style = { 0 };
	struct document *document;
	struct fault fault = { 0 };
	char *text;
	size_t length, i;
	FILE *out;

	if (document_parse(&document, (const char *)data, size, &fault)) {
		CHECK(fault.text[0]);
		return 0;
	}
	for (i = 0; i < printer_count; i++) {
		out = open_memstream(&text, &length);
		CHECK(out);
		CHECK(!printer_table[i].print(out, document, &style));
		fclose(out);
		free(text);
	}
	document_free(document);
	return 0;
}
