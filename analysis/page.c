/* SPDX-License-Identifier: MIT */
#include "analysis/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format.h"
#include "analysis/html.h"
#include "analysis/metric.h"
#include "analysis/page_texts.h"
#include "sim/check.h"

/* Reading the result. */

const struct node *page_run(const struct page *page, size_t run)
{
	return node_item(page->runs, run);
}

const char *page_strategy(const struct page *page, size_t run, char *text,
			  size_t size)
{
	const struct node *node = page_run(page, run);
	const char *place = node_text(node, "strategy.place");
	const char *policy = node_text(node, "strategy.policy");
	double factor = node_real(node, "strategy.factor");

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

static struct page page_of(FILE *out, const struct node *root)
{
	struct page page = { .out = out,
			     .root = root,
			     .runs = node_at(root, "runs") };
	bool sim = false, live = false;
	const char *rank;
	size_t i;

	page.run_count = node_count(page.runs);
	for (i = page.run_count; i-- > 0;) {
		rank = node_text(page_run(&page, i), "rank");
		if (rank && !strcmp(rank, "best"))
			page.lead = i;
		if (strcmp(node_text(page_run(&page, i), "mode"), "live"))
			sim = true;
		else
			live = true;
		page.judged |= page_value(&page, i, "efficiency").known;
		page.explained |= page_value(&page, i, "stalls.fetch").known;
	}
	page.both = sim && live;
	return page;
}

/* The frame. */

static void write_part(FILE *out, const char *name)
{
	size_t i;

	for (i = 0; i < page_texts_count; i++)
		if (!strcmp(page_texts_table[i].name, name))
			break;
	CHECK(i < page_texts_count);
	fwrite(page_texts_table[i].text, 1, page_texts_table[i].size, out);
}

static void write_head(FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, "
	      "initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\""
	      "default-src 'none'; style-src 'unsafe-inline'; "
	      "script-src 'unsafe-inline'; img-src data:\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>",
	      out);
	html_text(out, title);
	fputs("</title>\n<style>\n", out);
	write_part(out, "page");
	/* Before anything is shown: no flash of the wrong colours. */
	fputs("</style>\n<script>document.documentElement.dataset.theme = "
	      "matchMedia(\"(prefers-color-scheme: dark)\").matches ? "
	      "\"dark\" : \"light\";</script>\n</head>\n<body>\n",
	      out);
}

static void write_foot(FILE *out)
{
	fputs("<script>\n", out);
	write_part(out, "chart.min");
	fputs("</script>\n<script>\n", out);
	write_part(out, "draw");
	fputs("</script>\n</body>\n</html>\n", out);
}

static void write_header(FILE *out, const char *title, const char *about)
{
	fputs("<header>\n<div><h1>", out);
	html_text(out, title);
	fputs("</h1>\n<p>", out);
	html_text(out, about);
	fputs("</p></div>\n<button type=\"button\" id=\"theme\" hidden>"
	      "Dark</button>\n</header>\n<main>\n",
	      out);
}

void page_section(FILE *out, const char *id, const char *title,
		  const char *text)
{
	fprintf(out,
		"<section id=\"%s\" aria-labelledby=\"%s-title\">\n"
		"<h2 id=\"%s-title\">",
		id, id, id);
	html_text(out, title);
	fputs("</h2>\n", out);
	if (text[0]) {
		fputs("<p>", out);
		html_text(out, text);
		fputs("</p>\n", out);
	}
}

static void end_section(const struct page *page)
{
	fputs("</section>\n", page->out);
}

/* The answer first: what was best or what there is, in a few large words. */

static void write_tile(FILE *out, const char *name, const char *value,
		       const char *about)
{
	fputs("<div><dt>", out);
	html_text(out, name);
	fputs("</dt><dd>", out);
	html_text(out, value);
	fputs("</dd><dd class=\"about\">", out);
	html_text(out, about);
	fputs("</dd></div>\n", out);
}

static void write_metric_tile(const struct page *page, const char *name,
			      const char *metric, const char *unit,
			      const char *sign, const char *about)
{
	const struct metric_value value = page_value(page, page->lead, metric);
	const struct metric *row = metric_find(metric);
	char text[VALUE_TEXT_MAX], line[2 * VALUE_TEXT_MAX + 64];

	if (!value.known)
		return;
	snprintf(line, sizeof(line), "%s%s",
		 value_human(row->kind, unit, value, text, sizeof(text)), sign);
	write_tile(page->out, name, line, about);
}

static void write_answer(const struct page *page)
{
	const char *rank = node_text(page_run(page, page->lead), "rank");
	char name[RUN_NAME_MAX], next[RUN_NAME_MAX];
	const char *text;

	page_run_name(page, page->lead, name, sizeof(name));
	fputs("<dl class=\"answer\">\n", page->out);
	write_tile(page->out, rank ? "Best strategy" : "Strategy", name,
		   rank ? "least time to the target" : "echo of data");
	write_metric_tile(page, "AU", "au", "%", " %",
			  "share of the time the accelerators compute");
	if (page->judged)
		write_metric_tile(page, "Useful AU", "useful_au", "%", " %",
				  "what of it counts: a repeat is worth less");
	write_metric_tile(page, "Speed-up", "speedup", "x", "×",
			  "of the time to target, against no echo");
	text = node_text(page_run(page, page->lead), "bottleneck.next");
	snprintf(next, sizeof(next), "%s%s", text ? "next: " : "",
		 text ? text : "what holds the rate back");
	text = node_text(page_run(page, page->lead), "bottleneck.resource");
	if (text)
		write_tile(page->out, "Bottleneck", text, next);
	fputs("</dl>\n", page->out);
}

static void write_note_list(const struct page *page, const struct node *notes)
{
	const char *text;
	size_t i;

	for (i = 0; i < node_count(notes); i++) {
		text = node_value(node_item(notes, i), METRIC_TEXT).text;
		if (!text)
			continue;
		fputs("<li>", page->out);
		html_text(page->out, text);
		fputs("</li>\n", page->out);
	}
}

static void write_notes(const struct page *page)
{
	const struct node *notes = node_at(page->root, "notes");
	const struct node *host = node_at(page->root, "host.notes");

	if (!node_count(notes) && !node_count(host))
		return;
	fputs("<ul class=\"notes\">\n", page->out);
	write_note_list(page, notes);
	write_note_list(page, host);
	fputs("</ul>\n", page->out);
}

/* Sections. */

static void write_summary(const struct page *page)
{
	page_section(page->out, "summary", "Strategies",
		     page->judged ?
			     "AU is the share of time in which the "
			     "accelerators compute. Echo raises it without "
			     "more reading, also where a repeat teaches "
			     "little; useful AU is what remains of it when "
			     "a repeat counts for what it is worth." :
			     "AU is the share of time in which the "
			     "accelerators compute; fresh examples are read "
			     "from storage, the factor is how often each is "
			     "used.");
	page_chart_au(page);
	page_summary(page);
	end_section(page);
}

static void write_causes(const struct page *page)
{
	if (!page->explained)
		return;
	page_section(page->out, "causes", "Why they idle",
		     "Fetch: idle time that infinitely fast storage would "
		     "end. Prep: of the rest, what infinitely fast CPU stages "
		     "would end. Found by running the model again without "
		     "them.");
	page_chart_idle(page);
	page_causes(page);
	end_section(page);
}

static void write_modes(const struct page *page)
{
	if (!page->both)
		return;
	page_section(page->out, "modes", "Simulated and live",
		     "The same strategies in the model and against real "
		     "reads. Held: this host was fast enough to play the "
		     "device.");
	page_chart_modes(page);
	page_modes(page);
	end_section(page);
}

static void write_each(const struct page *page)
{
	char name[RUN_NAME_MAX];
	size_t run;

	page_section(page->out, "runs", "Run by run", "");
	page_chart_stages(page);
	for (run = 0; run < page->run_count; run++) {
		fprintf(page->out, "<details%s>\n<summary>",
			run == page->lead ? " open" : "");
		html_text(page->out,
			  page_run_name(page, run, name, sizeof(name)));
		fputs("</summary>\n", page->out);
		page_timeline(page, run);
		page_stages(page, run);
		fputs("</details>\n", page->out);
	}
	end_section(page);
}

static void write_latency(const struct page *page)
{
	page_section(page->out, "storage", "Storage", "");
	page_chart_latency(page);
	page_latency(page);
	end_section(page);
}

static void write_pre(FILE *out, const char *label, const char *text)
{
	fputs("<h3>", out);
	html_text(out, label);
	fputs("</h3>\n<pre tabindex=\"0\">", out);
	html_text(out, text);
	fputs("</pre>\n", out);
}

/* What somebody needs to see the same: the command, the scenario, and the
 * digests that say whether it was the same. */
static int write_again(const struct page *page)
{
	const char *command = node_text(page->root, "host.command");
	const char *yaml = node_text(page->root, "detail.scenario_yaml");
	char *json = NULL;
	size_t size = 0;
	FILE *stream;

	page_section(page->out, "again", "To see the same",
		     "A simulation is the same to the last bit on every "
		     "machine: equal digests (below), equal runs.");
	if (command)
		write_pre(page->out, "Command", command);
	if (yaml) {
		write_pre(page->out, "Scenario", yaml);
	} else {
		stream = open_memstream(&json, &size);
		if (!stream)
			return -ENOMEM;
		node_write(stream, node_at(page->root, "scenario"));
		if (fclose(stream)) {
			free(json);
			return -ENOMEM;
		}
		write_pre(page->out, "Scenario", json);
		free(json);
	}
	end_section(page);
	return 0;
}

static void write_figures(const struct page *page)
{
	fputs("<section id=\"figures\" aria-label=\"All figures\"><details>\n"
	      "<summary>All figures</summary>\n",
	      page->out);
	page_figures(page);
	fputs("</details></section>\n", page->out);
}

/* The result itself, so that the page is never parted from it. */
static int write_result(const struct page *page)
{
	char *json = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&json, &size);
	int error;

	if (!stream)
		return -ENOMEM;
	node_write(stream, page->root);
	error = fclose(stream) ? -ENOMEM : 0;
	if (!error) {
		fputs("<script type=\"application/json\" id=\"result\">",
		      page->out);
		html_json(page->out, json, size);
		fputs("</script>\n", page->out);
	}
	free(json);
	return error;
}

static const char *about(const struct page *page, char *text, size_t size)
{
	const char *lead = node_text(page_run(page, 0), "mode");
	const char *version = node_text(page->root, "echosim");

	snprintf(text, size, "%zu %s, %s · echosim %s", page->run_count,
		 page->run_count == 1 ? "run" : "runs",
		 page->both	       ? "simulated and live" :
		 !strcmp(lead, "live") ? "live" :
					 "simulated",
		 version);
	return text;
}

int page_write(FILE *out, const struct node *root)
{
	const struct page page = page_of(out, root);
	const char *name = node_text(root, "scenario.name");
	char text[128];
	int error;

	if (!name || !name[0])
		name = "echosim";
	write_head(out, name);
	write_header(out, name, about(&page, text, sizeof(text)));
	write_answer(&page);
	write_notes(&page);
	write_summary(&page);
	write_causes(&page);
	write_modes(&page);
	write_each(&page);
	write_latency(&page);
	error = write_again(&page);
	write_figures(&page);
	fputs("</main>\n<footer><a id=\"save\" hidden>Save the result as "
	      "JSON</a></footer>\n",
	      out);
	if (!error)
		error = write_result(&page);
	write_foot(out);
	return error;
}

/* The format "html". */

int html_report(FILE *out, const struct report *report)
{
	struct fault fault = { 0 };
	struct node *root = NULL;
	char *json = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&json, &size);
	int error;

	if (!stream)
		return -ENOMEM;
	error = json_report(stream, report);
	if (fclose(stream))
		error = -ENOMEM;
	if (!error)
		error = document_parse(&root, json, size, &fault);
	free(json);
	if (error)
		return error;
	error = page_write(out, root);
	node_free(root);
	return error;
}

int html_grid(FILE *out, const struct grid *grid)
{
	write_head(out, grid->name);
	write_header(out, grid->name, "echosim");
	page_table(out, grid, grid->name, SIZE_MAX);
	fputs("</main>\n", out);
	write_foot(out);
	return 0;
}

int html_sweep(FILE *out, const struct sweep_report *report)
{
	(void)out;
	(void)report;
	return 0;
}
