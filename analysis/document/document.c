/* SPDX-License-Identifier: MIT */
#include "analysis/document/document.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/document/state.h"
#include "analysis/version.h"
#include "sim/check.h"

struct document *document_new(void)
{
	struct document *document = calloc(1, sizeof(*document));

	if (!document)
		return NULL;
	document->data = node_new_object();
	document->title = document->about = "";
	document->failed = !document->data;
	document_set(document, document->data, "echosim", METRIC_TEXT,
		     value_text(ECHOSIM_VERSION));
	return document;
}

void document_free(struct document *document)
{
	struct kept *kept, *next;

	if (!document)
		return;
	for (kept = document->kept; kept; kept = next) {
		next = kept->next;
		free(kept);
	}
	node_free(document->data);
	node_free(document->layout);
	free(document->views);
	free(document);
}

int document_status(const struct document *document)
{
	return !document || document->failed ? -ENOMEM : 0;
}

void document_fail(struct document *document, bool failed)
{
	if (document && failed)
		document->failed = true;
}

/* ---- what lives as long as the document ---- */

void *document_room(struct document *document, size_t size)
{
	struct kept *kept = document ? calloc(1, sizeof(*kept) + size) : NULL;

	document_fail(document, !kept);
	if (!kept)
		return NULL;
	kept->next = document->kept;
	document->kept = kept;
	return kept + 1;
}

static const char *keep_text(struct document *document, const char *format,
			     va_list arguments)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = length < 0 ? NULL : document_room(document, (size_t)length + 1);
	if (!text)
		return "";
	vsnprintf(text, (size_t)length + 1, format, arguments);
	return text;
}

const char *document_text(struct document *document, const char *format, ...)
{
	const char *text;
	va_list arguments;

	va_start(arguments, format);
	text = keep_text(document, format, arguments);
	va_end(arguments);
	return text;
}

struct view_column *document_columns(struct document *document, size_t count)
{
	return document_room(document, count * sizeof(struct view_column));
}

void document_name(struct document *document, const char *title,
		   const char *about)
{
	if (!document)
		return;
	document->title = document_text(document, "%s", title);
	document->about = document_text(document, "%s", about);
}

void document_chief(struct document *document, const char *id)
{
	if (document)
		document->chief = id;
}

/* ---- data ---- */

struct node *document_data(struct document *document)
{
	return document ? document->data : NULL;
}

const struct node *document_data_of(const struct document *document)
{
	return document->data;
}

void document_set(struct document *document, struct node *object,
		  const char *path, enum metric_kind kind,
		  struct metric_value value)
{
	document_fail(document, !object || node_set(object, path, kind, value));
}

void document_set_member(struct document *document, struct node *object,
			 const char *name, enum metric_kind kind,
			 struct metric_value value)
{
	document_fail(document,
		      !object || node_set_member(object, name, kind, value));
}

void document_copy(struct document *document, struct node *object,
		   const char *name, struct node *tree)
{
	document_fail(document, !object || node_share(object, name, tree));
}

/* Remembers that there was no memory for a node. */
static struct node *noted(struct document *document, struct node *node)
{
	document_fail(document, !node);
	return node;
}

struct node *document_object(struct document *document, struct node *object,
			     const char *path)
{
	return noted(document, object ? node_make_object(object, path) : NULL);
}

struct node *document_list(struct document *document, struct node *object,
			   const char *path)
{
	return noted(document, object ? node_make_list(object, path) : NULL);
}

struct node *document_item(struct document *document, struct node *list)
{
	return noted(document, list ? node_append_object(list) : NULL);
}

struct node *document_sublist(struct document *document, struct node *list)
{
	return noted(document, list ? node_append_list(list) : NULL);
}

void document_append(struct document *document, struct node *list,
		     enum metric_kind kind, struct metric_value value)
{
	document_fail(document, !list || node_append(list, kind, value));
}

void document_note(struct document *document, const char *path,
		   const char *format, ...)
{
	struct node *list =
		document_list(document, document_data(document), path);
	const char *text;
	va_list arguments;
	size_t i;

	va_start(arguments, format);
	text = keep_text(document, format, arguments);
	va_end(arguments);
	for (i = 0; i < node_count(list); i++)
		if (!strcmp(node_value(node_item(list, i), METRIC_TEXT).text,
			    text))
			return;
	document_fail(document, !list || node_append(list, METRIC_TEXT,
						     value_text(text)));
}

/* ---- views ---- */

#define VIEWS_FIRST 16

void document_view(struct document *document, const struct view *view)
{
	size_t room;
	struct view *views;

	if (!document)
		return;
	if (document->view_count == document->view_room) {
		room = document->view_room ? 2 * document->view_room :
					     VIEWS_FIRST;
		views = reallocarray(document->views, room, sizeof(*views));
		document_fail(document, !views);
		if (!views)
			return;
		document->views = views;
		document->view_room = room;
	}
	document->views[document->view_count++] = *view;
}

void document_section(struct document *document, const char *id,
		      const char *title, const char *about)
{
	document_view(document, &(struct view){ .kind = VIEW_SECTION,
						.id = id,
						.title = title,
						.about = about });
}

void document_paragraph(struct document *document, const char *format, ...)
{
	const char *text;
	va_list arguments;

	va_start(arguments, format);
	text = keep_text(document, format, arguments);
	va_end(arguments);
	document_view(document,
		      &(struct view){ .kind = VIEW_PARAGRAPH, .about = text });
}

void document_again(struct document *document)
{
	document_section(document, "again", "To see the same",
			 "A simulation is the same to the last bit on every "
			 "machine: equal digests, equal runs.");
	document_view(document, &(struct view){ .kind = VIEW_LITERAL,
						.audience = SEEN_IN_PAGE,
						.title = "Command",
						.path = "host.command" });
	document_view(document,
		      &(struct view){ .kind = VIEW_TREE,
				      .title = "Scenario, as it was understood",
				      .path = "scenario" });
}

void document_head(struct document *document)
{
	static const char *const paths[] = { "scenario.name", "setting" };
	const char *text;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		text = node_text(document_data(document), paths[i]);
		if (text && *text)
			document_view(document,
				      &(struct view){ .kind = VIEW_PARAGRAPH,
						      .audience = SEEN_IN_TEXT,
						      .path = paths[i] });
	}
}

void document_literal(struct document *document, const char *path,
		      const char *title, const char *text)
{
	document_set(document, document_data(document), path, METRIC_TEXT,
		     value_text(text));
	document_view(document, &(struct view){ .kind = VIEW_LITERAL,
						.title = title,
						.path = path });
}

#define FACTS_MAX 64 /* of a view that document_fact() makes */

/* The view that facts are added to. */
static struct view *facts_view(struct document *document)
{
	size_t count = document->view_count;
	struct view *last = count ? &document->views[count - 1] : NULL;

	if (last && last->kind == VIEW_FACTS &&
	    last->columns == document->facts)
		return last;
	document->facts = document_columns(document, FACTS_MAX);
	document_view(document, &(struct view){ .kind = VIEW_FACTS,
						.columns = document->facts });
	return document->view_count > count ? &document->views[count] : NULL;
}

void document_fact(struct document *document, const char *name,
		   enum metric_kind kind, const char *unit,
		   struct metric_value value)
{
	struct view *view = document ? facts_view(document) : NULL;

	document_set(document, document_data(document), name, kind, value);
	if (!view || !document->facts)
		return;
	CHECK(view->column_count < FACTS_MAX);
	document->facts[view->column_count++] =
		(struct view_column)COLUMN(name, kind, unit, NULL);
}

const char *document_title(const struct document *document)
{
	return document->title;
}

const char *document_about(const struct document *document)
{
	return document->about;
}

const struct view *document_chief_view(const struct document *document)
{
	size_t i;

	for (i = 0; i < document->view_count && document->chief; i++)
		if (document->views[i].id &&
		    !strcmp(document->views[i].id, document->chief))
			return &document->views[i];
	return NULL;
}

size_t document_view_count(const struct document *document)
{
	return document->view_count;
}

const struct view *document_view_at(const struct document *document,
				    size_t index)
{
	return &document->views[index];
}
