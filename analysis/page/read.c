/* SPDX-License-Identifier: MIT */
#include "analysis/page/read.h"

#include <string.h>

#include "analysis/metric.h"
#include "analysis/page/place.h"
#include "sim/check.h"

const struct node *page_run(const struct page *page, size_t run)
{
	const struct node *item = node_item(page->runs, run);

	return page->axes ? node_at(item, "run") : item;
}

const char *page_strategy(const struct page *page, size_t run, char *text,
			  size_t size)
{
	const struct node *node = page_run(page, run);
	const char *place = node_text(node, "strategy.place");
	const char *policy = node_text(node, "strategy.policy");
	double factor = node_real(node, "strategy.factor");

	if (page->axes)
		return place_values(page->root, run, text, size);
	if (!strcmp(place, "none") || !policy)
		snprintf(text, size, "%s", place);
	else if (!strcmp(policy, "fixed"))
		snprintf(text, size, "%s:%.15g", place, factor);
	else
		snprintf(text, size, "%s:%s:%.15g", place, policy, factor);
	return text;
}

const char *page_run_name(const struct page *page, size_t run, char *text,
			  size_t size)
{
	const char *mode = node_text(page_run(page, run), "mode");
	size_t used;

	page_strategy(page, run, text, size);
	used = strlen(text);
	if (page->both)
		snprintf(text + used, size - used, ", %s", mode);
	return text;
}

struct metric_value page_value(const struct page *page, size_t run,
			       const char *metric)
{
	const struct metric *row = metric_find(metric);

	CHECK(row);
	return node_value(node_at(page_run(page, run), metric), row->kind);
}

/* The point of a sweep that gets most done. What is not known to be of use is
 * no reason to be first: without a law, repeats do not count. */
static size_t most_useful(const struct page *page)
{
	const char *metric = page->judged ? "useful_au" :
					    "fresh_examples_per_s";
	size_t best = 0, i;

	for (i = 1; i < page->run_count; i++)
		if (page_value(page, i, metric).real >
		    page_value(page, best, metric).real)
			best = i;
	return best;
}

struct page page_of(FILE *out, const struct node *root)
{
	struct page page = { .out = out,
			     .root = root,
			     .runs = node_at(root, "runs"),
			     .axes = node_at(root, "axes") };
	bool sim = false, live = false;
	const char *rank;
	size_t i;

	if (page.axes)
		page.runs = node_at(root, "points");
	page.run_count = node_count(page.runs);
	for (i = page.run_count; i-- > 0;) {
		rank = node_text(page_run(&page, i), "rank");
		if (rank && !strcmp(rank, "best"))
			page.lead = i;
		if (strcmp(node_text(page_run(&page, i), "mode"), "live"))
			sim = true;
		else
			live = true;
		page.echoes |=
			strcmp(node_text(page_run(&page, i), "strategy.place"),
			       "none") != 0;
		page.judged |= page_value(&page, i, "efficiency").known;
		page.explained |= page_value(&page, i, "stalls.fetch").known;
	}
	page.live = live;
	page.both = sim && live;
	if (page.axes)
		page.lead = most_useful(&page);
	return page;
}
