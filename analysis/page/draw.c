/* SPDX-License-Identifier: MIT */
#include "analysis/page/draw.h"

#include <string.h>

#include "analysis/page/chart.h"

static void label_runs(const struct page *page, struct plot *plot)
{
	char name[RUN_NAME_MAX];
	size_t run;

	for (run = 0; run < page->run_count; run++)
		chart_label(plot, page_run_name(page, run, name, sizeof(name)));
}

/* A bar per run. */
static void add_series(const struct page *page, struct plot *plot,
		       const char *name, enum chart_colour colour,
		       const char *metric)
{
	size_t run;

	chart_series(plot, name, colour);
	for (run = 0; run < page->run_count; run++)
		chart_bar(plot, "%", page_value(page, run, metric));
	chart_series_end(plot);
}

void page_chart_au(const struct page *page)
{
	const struct chart chart = {
		.id = "au",
		.kind = "bars",
		.title = page->judged ?
				 "Accelerator utilisation, and what of it "
				 "counts" :
				 "Accelerator utilisation",
		.x_title = "share of the accelerators' time",
		.x_unit = "%",
		.bars = page->run_count * (page->judged ? 2 : 1),
	};
	struct plot plot;

	chart_begin(&plot, page->out, &chart);
	label_runs(page, &plot);
	add_series(page, &plot, "AU", COLOUR_BUSY, "au");
	if (page->judged)
		add_series(page, &plot, "useful AU", COLOUR_USEFUL,
			   "useful_au");
	chart_end(&plot);
}

void page_chart_idle(const struct page *page)
{
	const struct chart chart = {
		.id = "idle",
		.kind = "stacked",
		.title = "Where the accelerators' time went",
		.x_title = "share of the accelerators' time",
		.x_unit = "%",
		.bars = page->run_count,
	};
	struct plot plot;

	chart_begin(&plot, page->out, &chart);
	label_runs(page, &plot);
	add_series(page, &plot, "busy", COLOUR_BUSY, "au");
	add_series(page, &plot, "waits for storage (fetch)", COLOUR_FETCH,
		   "stalls.fetch");
	add_series(page, &plot, "waits for CPU stages (prep)", COLOUR_PREP,
		   "stalls.prep");
	add_series(page, &plot, "other: start-up, barrier", COLOUR_OTHER,
		   "stalls.other");
	chart_end(&plot);
}

static const struct node *stages_of(const struct page *page, size_t run)
{
	return node_at(page_run(page, run), "stages");
}

/* The stages are those of the first run; every run has the same. */
void page_chart_stages(const struct page *page)
{
	const struct node *first = stages_of(page, 0);
	struct chart chart = {
		.id = "stages",
		.kind = "bars",
		.title = "How busy each stage was",
		.x_title = "share of its workers' time",
		.x_unit = "%",
		.bars = node_count(first) * page->run_count,
	};
	char name[RUN_NAME_MAX];
	const char *label;
	struct plot plot;
	size_t run, i;

	if (!node_count(first))
		return;
	chart_begin(&plot, page->out, &chart);
	for (i = 0; i < node_count(first); i++) {
		label = node_text(node_item(first, i), "name");
		chart_label(&plot, label ? label : "");
	}
	for (run = 0; run < page->run_count; run++) {
		chart_series(&plot,
			     page_run_name(page, run, name, sizeof(name)),
			     COLOUR_SERIES + (enum chart_colour)run);
		for (i = 0; i < node_count(first); i++)
			chart_bar(&plot, "%",
				  node_value(node_at(node_item(stages_of(page,
									 run),
							       i),
						     "utilisation"),
					     METRIC_REAL));
		chart_series_end(&plot);
	}
	chart_end(&plot);
}

/* Quantiles that every result has. */
static const struct {
	const char *metric;
	double share;
	const char *name;
} quantiles[] = {
	{ "storage.latency_s.p50", 0.5, "50 %" },
	{ "storage.latency_s.p90", 0.9, "90 %" },
	{ "storage.latency_s.p99", 0.99, "99 %" },
	{ "storage.latency_s.p999", 0.999, "99.9 %" },
	{ "storage.latency_s.max", 1, "all" },
};

static void add_quantile(struct plot *plot, double share,
			 struct metric_value latency_s, const char *name)
{
	char text[VALUE_TEXT_MAX], line[VALUE_TEXT_MAX + 64];

	if (!latency_s.known)
		return;
	snprintf(line, sizeof(line), "%s took at most %s", name,
		 value_human(METRIC_REAL, "s", latency_s, text, sizeof(text)));
	chart_point(plot, latency_s, value_real(share * 100), line);
}

/* With its details a run has many more. */
static void add_latency(const struct page *page, struct plot *plot, size_t run)
{
	const struct node *list =
		node_at(page_run(page, run), "detail.latency");
	const struct node *item;
	char name[VALUE_TEXT_MAX];
	double share;
	size_t i;

	for (i = 0; i < node_count(list); i++) {
		item = node_item(list, i);
		share = node_real(item, "share");
		snprintf(name, sizeof(name), "%.6g %%", share * 100);
		add_quantile(plot, share,
			     node_value(node_at(item, "s"), METRIC_REAL), name);
	}
	for (i = 0;
	     i < sizeof(quantiles) / sizeof(quantiles[0]) && !node_count(list);
	     i++)
		add_quantile(plot, quantiles[i].share,
			     page_value(page, run, quantiles[i].metric),
			     quantiles[i].name);
}

void page_chart_latency(const struct page *page)
{
	const struct chart chart = {
		.id = "latency",
		.kind = "curves",
		.title = "Latency of requests: how many were answered within "
			 "a time",
		.x_title = "time from issue to completion",
		.x_unit = "s",
		.y_title = "share of requests",
		.y_unit = "%",
		.x_log = true,
	};
	char name[RUN_NAME_MAX];
	struct plot plot;
	size_t run;

	chart_begin(&plot, page->out, &chart);
	for (run = 0; run < page->run_count; run++) {
		chart_series(&plot,
			     page_run_name(page, run, name, sizeof(name)),
			     COLOUR_SERIES + (enum chart_colour)run);
		add_latency(page, &plot, run);
		chart_series_end(&plot);
	}
	chart_end(&plot);
}

/* A bar of the runs of one mode, by strategy: in a result with both, the live
 * run of a strategy follows its simulation. */
static void add_mode(const struct page *page, struct plot *plot,
		     const char *mode, enum chart_colour colour)
{
	size_t run;

	chart_series(plot, mode, colour);
	for (run = 0; run < page->run_count; run++)
		if (!strcmp(node_text(page_run(page, run), "mode"), mode))
			chart_bar(plot, "%", page_value(page, run, "au"));
	chart_series_end(plot);
}

void page_chart_modes(const struct page *page)
{
	const struct chart chart = {
		.id = "modes",
		.kind = "bars",
		.title = "Simulated and live accelerator utilisation",
		.x_title = "share of the accelerators' time",
		.x_unit = "%",
		.bars = page->run_count,
	};
	char name[RUN_NAME_MAX];
	struct plot plot;
	size_t run;

	chart_begin(&plot, page->out, &chart);
	for (run = 0; run < page->run_count; run++)
		if (!strcmp(node_text(page_run(page, run), "mode"), "sim"))
			chart_label(&plot, page_strategy(page, run, name,
							 sizeof(name)));
	add_mode(page, &plot, "sim", COLOUR_SERIES);
	add_mode(page, &plot, "live", COLOUR_SERIES + 1);
	chart_end(&plot);
}
