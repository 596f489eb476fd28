/* SPDX-License-Identifier: MIT */
#include "analysis/page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hosts.h"
#include "analysis/metric.h"
#include "analysis/page/bands.h"
#include "analysis/page/draw.h"
#include "analysis/page/frame.h"
#include "analysis/page/html.h"
#include "analysis/page/other.h"
#include "analysis/page/place.h"
#include "analysis/page/plan.h"
#include "analysis/page/read.h"
#include "analysis/page/sweep.h"
#include "analysis/page/table.h"
#include "analysis/text.h"

/* More columns than this nobody reads. */
#define FIGURES_RUNS_MAX 16
#define ABOUT_MAX (HOSTS_TEXT_MAX + 128)

static void end_section(const struct page *page)
{
	fputs("</section>\n", page->out);
}

/* The answer first: what was best or what there is, in a few large words. */

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
	page_tile(page->out, name, line, about);
}

static const char *about_lead(const struct page *page)
{
	if (page->judged)
		return "the point with most useful time";
	if (page->echoes)
		return "by fresh examples a second: without a law of training, "
		       "useful AU is not known";
	return "by fresh examples a second";
}

static void write_answer(const struct page *page)
{
	const char *rank = node_text(page_run(page, page->lead), "rank");
	char name[RUN_NAME_MAX], next[RUN_NAME_MAX];
	const char *text;

	if (page->axes)
		place_text(page->root, page->lead, SIZE_MAX, name,
			   sizeof(name));
	else
		page_run_name(page, page->lead, name, sizeof(name));
	fputs("<dl class=\"answer\">\n", page->out);
	page_tile(page->out,
		  page->axes ? "Highest of the points" :
		  rank	     ? "Best strategy" :
			       "Strategy",
		  name,
		  page->axes ? about_lead(page) :
		  rank	     ? "least time to the target" :
			       "echo of data");
	write_metric_tile(page, "AU", "au", "%", " %",
			  "share of the time the accelerators compute");
	write_metric_tile(page, "Sustained AU", "au_sustained", "%", " %",
			  "the same when the burst credit of the device is "
			  "gone");
	if (page->axes && !page->judged)
		write_metric_tile(page, "Fresh", "fresh_examples_per_s", "#",
				  " /s", "examples read and used, each once");
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
		page_tile(page->out, "Bottleneck", text, next);
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

/* What somebody needs to see the same: the command, the digests that say
 * whether it was the same, and the scenario. */
static int write_again(const struct page *page)
{
	const char *command = node_text(page->root, "host.command");
	char *json = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&json, &size);

	if (!stream)
		return -ENOMEM;
	node_write(stream, node_at(page->root, "scenario"));
	if (fclose(stream)) {
		free(json);
		return -ENOMEM;
	}
	page_section(page->out, "again", "To see the same",
		     "A simulation is the same to the last bit on every "
		     "machine: equal digests, equal runs.");
	if (command)
		write_pre(page->out, "Command", command);
	page_digests(page);
	write_pre(page->out, "Scenario, as it was understood", json);
	free(json);
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
	const char *version = node_text(page->root, "echosim");
	const char *mode = node_text(page_run(page, 0), "mode");
	const char *setting = node_text(page->root, "setting");
	const char *what = page->axes		? "points" :
			   page->run_count == 1 ? "run" :
						  "runs";

	if (!mode)
		snprintf(text, size, "%sechosim %s",
			 page_is_plan(page->root) ? "plan · " : "", version);
	else
		snprintf(text, size, "%zu %s, %s · echosim %s", page->run_count,
			 what,
			 page->both	       ? "simulated and live" :
			 !strcmp(mode, "live") ? "live" :
						 "simulated",
			 version);
	if (setting)
		text_append(text, size, " · %s", setting);
	return text;
}

static int write_sections(const struct page *page)
{
	int error;

	write_answer(page);
	write_notes(page);
	if (page->axes) {
		page_sweep(page);
	} else {
		write_summary(page);
		write_causes(page);
		write_modes(page);
		write_each(page);
		write_latency(page);
	}
	error = write_again(page);
	if (page->run_count <= FIGURES_RUNS_MAX)
		write_figures(page);
	return error;
}

int page_write(FILE *out, const struct node *root)
{
	const struct page page = page_of(out, root);
	const char *name = node_text(root, "scenario.name");
	char text[ABOUT_MAX];
	int error = 0;

	if (!name || !name[0])
		name = node_at(root, "events") ? "Recording" : "echosim";
	page_begin(out, name, about(&page, text, sizeof(text)));
	if (page.run_count)
		error = write_sections(&page);
	else if (page_is_plan(root))
		page_plan(out, root);
	else
		page_other(out, root);
	fputs("</main>\n<footer><a id=\"save\" hidden>Save the result as "
	      "JSON</a></footer>\n",
	      out);
	if (!error)
		error = write_result(&page);
	page_end(out);
	return error;
}

int page_of_json(FILE *out, int (*write)(FILE *out, const void *what),
		 const void *what)
{
	struct fault fault = { 0 };
	struct node *root = NULL;
	char *json = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&json, &size);
	int error;

	if (!stream)
		return -ENOMEM;
	error = write(stream, what);
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
