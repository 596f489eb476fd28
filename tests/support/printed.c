/* SPDX-License-Identifier: MIT */
#include "tests/support/printed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/print/print.h"

char *printed_in_style(struct document *document, const char *printer,
		       struct text_style style)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(printer_find(printer)->print(out, document, &style),
			 0);
	fclose(out);
	document_free(document);
	assert_int_equal(strlen(text), size);
	return text;
}

char *printed(struct document *document, const char *printer)
{
	return printed_in_style(document, printer, (struct text_style){ 0 });
}
