/* SPDX-License-Identifier: MIT */
/* The inside of a document (private to this folder). */
#ifndef ANALYSIS_DOCUMENT_STATE_H
#define ANALYSIS_DOCUMENT_STATE_H

#include "analysis/document/document.h"

/* A piece of memory that is freed with the document; what it holds follows. */
struct kept {
	_Alignas(16) struct kept *next;
};

struct document {
	struct node *data;
	struct node *layout; /* of one that was read: views point into it */
	const char *title;
	const char *about;
	const char *chief;
	struct view *views;
	size_t view_count;
	size_t view_room;
	struct view_column *facts; /* of the last view of document_fact() */
	struct kept *kept;
	bool failed;
};

void document_fail(struct document *document, bool failed);

/* Memory of zeros that lives as long as the document; NULL: none was left. */
void *document_room(struct document *document, size_t size);

#endif
