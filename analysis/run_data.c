/* SPDX-License-Identifier: MIT */
#include "analysis/run_data.h"

#include "analysis/detail_data.h"
#include "analysis/metric.h"
#include "analysis/part.h"

/* What a run has several of: a list of its members. */
static void set_part(struct document *document, struct node *object,
		     const struct part *part, const struct result *result)
{
	struct node *list = document_list(document, object, part->name);
	const struct part_metric *metric;
	struct node *item;
	size_t member, i;

	for (member = 0; member < part->count(result); member++) {
		item = document_item(document, list);
		document_set(document, item, part->label, part->label_kind,
			     part->get_label(result, member));
		for (i = 0; i < part->metric_count; i++) {
			metric = &part->metrics[i];
			document_set(document, item, metric->name, metric->kind,
				     metric->get(result, member));
		}
	}
}

void run_data(struct document *document, struct node *object, const char *name,
	      const struct result *result)
{
	const struct metric *metric;
	size_t i;

	if (name)
		document_set(document, object, "name", METRIC_TEXT,
			     value_text(name));
	for (i = 0; i < metric_count; i++) {
		metric = &metric_table[i];
		if (metric->live_only && !result->live)
			continue;
		if (metric->kind == METRIC_PART)
			set_part(document, object, part_find(metric->name),
				 result);
		else
			document_set(document, object, metric->name,
				     metric->kind, metric->get(result));
	}
	if (result->detail)
		detail_data(document, object, result->detail);
}

/* ---- columns ---- */

static size_t columns_of(const struct metric *metric)
{
	const struct part *part;

	if (metric->kind != METRIC_PART)
		return 1;
	part = part_find(metric->name);
	return part->always * part->metric_count;
}

static struct view_column figure_column(struct document *document,
					const char *prefix,
					const struct metric *metric)
{
	return (struct view_column){
		.path = document_text(document, "%s%s", prefix, metric->name),
		.kind = metric->kind,
		.unit = metric->unit,
		.name = prefix[0] ? metric->name : NULL,
		.help = metric->help,
	};
}

size_t run_figures(struct document *document, const char *prefix,
		   struct view_column *columns)
{
	size_t count = 0, i;

	for (i = 0; i < metric_count; i++)
		if (metric_table[i].kind != METRIC_PART)
			columns[count++] = figure_column(document, prefix,
							 &metric_table[i]);
	return count;
}

/* The figures of members that every run has. */
static void add_members(struct document *document, const struct part *part,
			struct view_column *columns)
{
	char text[VALUE_TEXT_MAX];
	const struct part_metric *metric;
	size_t member, i;

	for (member = 0; member < part->always; member++) {
		for (i = 0; i < part->metric_count; i++) {
			metric = &part->metrics[i];
			*columns++ = (struct view_column){
				.path = document_text(
					document, "%s.%s.%s", part->name,
					value_exact(part->label_kind,
						    part->get_label(NULL,
								    member),
						    text, sizeof(text)),
					metric->name),
				.kind = metric->kind,
				.unit = metric->unit,
				.help = metric->help,
			};
		}
	}
}

size_t run_columns(struct document *document, bool varied,
		   const struct view_column **columns)
{
	static const struct view_column variant = {
		.path = "variant",
		.kind = METRIC_TEXT,
		.unit = "",
		.help = "Which of those compared it is of.",
	};
	struct view_column *room;
	size_t count = varied, i;

	for (i = 0; i < metric_count; i++)
		count += columns_of(&metric_table[i]);
	*columns = room = document_columns(document, count);
	if (room && varied)
		*room++ = variant;
	for (i = 0; room && i < metric_count; i++) {
		if (metric_table[i].kind == METRIC_PART)
			add_members(document, part_find(metric_table[i].name),
				    room);
		else
			*room = figure_column(document, "", &metric_table[i]);
		room += columns_of(&metric_table[i]);
	}
	return room ? count : 0;
}

struct node *run_tree(const struct result *result)
{
	struct document *document = document_new();
	struct node *run =
		document_object(document, document_data(document), "run");

	run_data(document, run, NULL, result);
	if (document_status(document))
		run = NULL;
	else
		run = node_remove(document_data(document), "run");
	document_free(document);
	return run;
}
