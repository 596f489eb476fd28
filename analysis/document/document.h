/* SPDX-License-Identifier: MIT */
/*
 * A document: what a command has to say, before anybody decides how it is
 * shown. It has two halves. The data is a tree of values by name; the views,
 * in reading order, say what a person sees of it. Commands build documents;
 * the printers (analysis/print/print.h) print any document and know of no
 * command: text and page follow the views, JSON is both halves, CSV the chief
 * table.
 *
 * A document that was written as JSON and is read back is the same document:
 * a page can be made of it later, by somebody else, and nothing is guessed.
 *
 * Building never fails half way: a document that found no memory stays so
 * until document_status() is asked.
 */
#ifndef ANALYSIS_DOCUMENT_DOCUMENT_H
#define ANALYSIS_DOCUMENT_DOCUMENT_H

#include "analysis/document/node.h"
#include "analysis/document/view.h"

struct document; /* opaque */

/* NULL: no memory; every function takes that for a document without any. */
struct document *document_new(void);
void document_free(struct document *document);

/* 0; -ENOMEM when anything was lost. */
int document_status(const struct document *document)
	__attribute__((warn_unused_result));

/* What it is called, and a line on what it is. Copied. */
void document_name(struct document *document, const char *title,
		   const char *about);

/* Which view, by its id, is the chief table: what CSV holds. NULL, as at first:
 * CSV has a row for each fact. Borrowed. */
void document_chief(struct document *document, const char *id);

/* ---- data ---- */

struct node *document_data(struct document *document);

/* The same, to read. */
const struct node *document_data_of(const struct document *document);

/* As the functions of node.h; what fails is remembered. `object` and `list`
 * are of this document, or NULL. */
void document_set(struct document *document, struct node *object,
		  const char *path, enum metric_kind kind,
		  struct metric_value value);
void document_set_member(struct document *document, struct node *object,
			 const char *name, enum metric_kind kind,
			 struct metric_value value);
struct node *document_object(struct document *document, struct node *object,
			     const char *path);
struct node *document_list(struct document *document, struct node *object,
			   const char *path);
struct node *document_item(struct document *document, struct node *list);
struct node *document_sublist(struct document *document, struct node *list);
void document_append(struct document *document, struct node *list,
		     enum metric_kind kind, struct metric_value value);

/* Shares a tree of another document, or one of its own, as a member. */
void document_copy(struct document *document, struct node *object,
		   const char *name, struct node *tree);

/* Adds a sentence to the list of notes at a path, once. */
void document_note(struct document *document, const char *path,
		   const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- views ---- */

/* Adds a view. What it points to must live as long as the document, as
 * constants do, or what document_text() and document_columns() give. */
void document_view(struct document *document, const struct view *view);

/* Sets a value of the data and adds it to the facts that people see: to the
 * last view where that is of facts, else to a new one. */
void document_fact(struct document *document, const char *name,
		   enum metric_kind kind, const char *unit,
		   struct metric_value value);

/* Views that many documents have: the head of a section; a paragraph; what it
 * takes to see the same: the command at "host.command" and the scenario. */
void document_section(struct document *document, const char *id,
		      const char *title, const char *about);
void document_paragraph(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void document_again(struct document *document);

/* What text begins with: the scenario's name at "scenario.name", and a line on
 * its setting at "setting". */
void document_head(struct document *document);

/* A text that is shown as it is, set in the data at a path. Copied. */
void document_literal(struct document *document, const char *path,
		      const char *title, const char *text);

/* A text, and room for columns, that live as long as the document. Of no
 * memory the text is "" and the room NULL. */
const char *document_text(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
struct view_column *document_columns(struct document *document, size_t count);

/* ---- as printers see it ---- */

const char *document_title(const struct document *document);
const char *document_about(const struct document *document);
/* NULL: there is none. */
const struct view *document_chief_view(const struct document *document);
size_t document_view_count(const struct document *document);
const struct view *document_view_at(const struct document *document,
				    size_t index);

/* ---- as JSON ---- */

/* Both halves, as one object. 0 or -ENOMEM. */
int document_write(FILE *out, struct document *document)
	__attribute__((warn_unused_result));

/* Reads one back. -EINVAL: the text is no document of this program, or of a
 * newer one; the fault says why. -ENOMEM. */
int document_parse(struct document **document, const char *text, size_t size,
		   struct fault *fault) __attribute__((warn_unused_result));

/* More than this is no document that anybody wants to look at. */
#define DOCUMENT_BYTES_MAX ((size_t)64 << 20)

#endif
