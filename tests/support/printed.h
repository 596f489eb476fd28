/* SPDX-License-Identifier: MIT */
/* What a printer makes of a document. */
#ifndef TESTS_SUPPORT_PRINTED_H
#define TESTS_SUPPORT_PRINTED_H

#include "analysis/document/document.h"
#include "analysis/print/style.h"

/* The text, to be freed; frees the document. Fails the test when anything
 * does. */
char *printed(struct document *document, const char *printer);
char *printed_in_style(struct document *document, const char *printer,
		       struct text_style style);

#endif
