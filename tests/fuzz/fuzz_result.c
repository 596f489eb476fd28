/* SPDX-License-Identifier: MIT */
/* A result read back, and the page of it. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/page/page.h"
#include "sim/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fault fault = { 0 };
	char *page = NULL;
	size_t length = 0;
	struct node *root;
	FILE *out;

	if (document_parse(&root, (const char *)data, size, &fault)) {
		CHECK(fault.text[0]);
		return 0;
	}
	if (!document_check(root, &fault)) {
		out = open_memstream(&page, &length);
		CHECK(out);
		CHECK(!page_write(out, root));
		fclose(out);
		free(page);
	}
	node_free(root);
	return 0;
}
