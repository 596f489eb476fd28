/* SPDX-License-Identifier: MIT */
/*
 * What happened when: a row for each thing, time from left to right. Drawn as
 * SVG here, so that it needs no script and prints as it is; words and numbers
 * stand beside it as text, which no scaling touches.
 */
#include "analysis/page/bands.h"

#include <stdint.h>
#include <string.h>

#include "analysis/page/html.h"

/* A file may hold more than anybody draws. */
#define ROWS_MAX 32
#define BINS_MAX 4096
#define STEPS_MAX 4096
#define TIME_MAX_S 1e10 /* centuries */
#define TIME_MIN_S 1e-9
#define WIDTH 10000.0 /* of a row, in units of its own */
#define HEIGHT 100.0
#define TICKS 8 /* at most */

struct span {
	double from_s;
	double to_s;
};

static double clip(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

static double place(const struct span *span, double time_s)
{
	return clip((time_s - span->from_s) / (span->to_s - span->from_s), 0,
		    1) *
	       WIDTH;
}

static const char *number(double value, const char *unit, char *text,
			  size_t size)
{
	return value_human(METRIC_REAL, unit, value_real(value), text, size);
}

/* How many there can be is a whole number. */
static const char *limit(double value, char *text, size_t size)
{
	if (value >= 10000)
		return number(value, "#", text, size);
	snprintf(text, size, "%.0f", value);
	return text;
}

/* What is full height, and the mean. */
struct scale {
	double most;
	bool limit; /* there cannot be more */
	double mean;
};

static double mean_at(const struct node *means, size_t bin)
{
	return node_value(node_item(means, bin), METRIC_REAL).real;
}

static size_t bins_of(const struct node *means)
{
	size_t bins = node_count(means);

	return bins < BINS_MAX ? bins : BINS_MAX;
}

static struct scale scale_of(const struct node *row)
{
	const struct node *means = node_at(row, "mean");
	size_t bins = bins_of(means), i;
	struct scale scale = { .most = node_real(row, "most") };

	scale.limit = scale.most > 0;
	for (i = 0; i < bins; i++) {
		scale.mean += mean_at(means, i) / (double)bins;
		if (!scale.limit && mean_at(means, i) > scale.most)
			scale.most = mean_at(means, i);
	}
	return scale;
}

/* A level as an area, each bin a step of it. */
static void write_area(FILE *out, const struct node *means, double most)
{
	size_t bins = bins_of(means), i;

	fprintf(out, "<path d=\"M0 %.0f", HEIGHT);
	for (i = 0; i < bins && most > 0; i++)
		fprintf(out, "V%.1fH%.1f",
			HEIGHT * (1 - clip(mean_at(means, i) / most, 0, 1)),
			WIDTH * (double)(i + 1) / (double)bins);
	fprintf(out, "V%.0fZ\"/>", HEIGHT);
}

static void begin_row(FILE *out, const char *kind, const char *name,
		      const char *what)
{
	fprintf(out, "<div class=\"row %s\"><span>", kind);
	html_text(out, name);
	if (what[0]) {
		fputs(" <small>", out);
		html_text(out, what);
		fputs("</small>", out);
	}
	fprintf(out,
		"</span><svg viewBox=\"0 0 %.0f %.0f\" "
		"preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
		WIDTH, HEIGHT);
	html_text(out, name);
	fputc(' ', out);
	html_text(out, what);
}

static void write_level(FILE *out, const struct node *row, const char *kind)
{
	const char *name = node_text(row, "name");
	const char *what = node_text(row, "what");
	struct scale scale = scale_of(row);
	char mean[VALUE_TEXT_MAX], most[VALUE_TEXT_MAX];

	number(scale.mean, "#", mean, sizeof(mean));
	limit(scale.most, most, sizeof(most));
	begin_row(out, kind, name ? name : "", what ? what : "");
	fprintf(out, ": on average %s, %s %s\">", mean,
		scale.limit ? "of" : "at most", most);
	write_area(out, node_at(row, "mean"), scale.most);
	fprintf(out, "</svg><span>%s %s</span></div>\n",
		scale.limit ? "of" : "max", most);
}

/* Steps of one accelerator. */

static double step_time(const struct node *step, size_t which)
{
	return node_value(node_item(step, which), METRIC_REAL).real;
}

static void write_box(FILE *out, const char *kind, const struct span *span,
		      double from_s, double to_s)
{
	double from = place(span, from_s);

	fprintf(out,
		"<rect class=\"%s\" x=\"%.1f\" y=\"0\" width=\"%.1f\" "
		"height=\"%.0f\">",
		kind, from, place(span, to_s) - from, HEIGHT);
}

static void write_step(FILE *out, const struct node *step,
		       const struct span *span, double before_s)
{
	double issue_s = step_time(step, 1), start_s = step_time(step, 2);
	double end_s = step_time(step, 3);
	char wait[VALUE_TEXT_MAX], length[VALUE_TEXT_MAX];

	if (issue_s < start_s) {
		write_box(out, "held", span, issue_s, start_s);
		fputs("</rect>", out);
	}
	write_box(out, "step", span, start_s, end_s);
	fprintf(out, "<title>step %.0f: idle for %s, then computes for %s",
		step_time(step, 0),
		number(start_s > before_s ? start_s - before_s : 0, "s", wait,
		       sizeof(wait)),
		number(end_s - start_s, "s", length, sizeof(length)));
	fputs("</title></rect>", out);
}

static void write_accelerator(FILE *out, const struct node *steps, size_t index,
			      const struct span *span)
{
	double before_s = span->from_s;
	char name[32];
	size_t count = node_count(steps), i;

	if (count > STEPS_MAX)
		count = STEPS_MAX;
	snprintf(name, sizeof(name), "accelerator %zu", index);
	begin_row(out, "thin", name, "");
	fprintf(out, ": %zu steps\">", count);
	write_box(out, "idle", span, span->from_s, span->to_s);
	fputs("</rect>", out);
	for (i = 0; i < count; i++) {
		write_step(out, node_item(steps, i), span, before_s);
		before_s = step_time(node_item(steps, i), 3);
	}
	fputs("</svg><span></span></div>\n", out);
}

/* A round distance between ticks of an axis: 1, 2 or 5 of a decade. */
static double round_step(double length)
{
	static const double rounds[] = { 1, 2, 5, 10 };
	double decade = 1e-10;
	size_t i;

	while (decade * 10 * TICKS < length)
		decade *= 10;
	for (i = 0; i < 3 && rounds[i] * decade * TICKS < length; i++)
		;
	return rounds[i] * decade;
}

/* In the unit that suits the last of them. */
static const char *tick_text(double time_s, double last_s, char *text,
			     size_t size)
{
	if (last_s >= 1)
		snprintf(text, size, "%.9g s", time_s);
	else if (last_s >= 1e-3)
		snprintf(text, size, "%.9g ms", time_s * 1e3);
	else
		snprintf(text, size, "%.9g us", time_s * 1e6);
	return text;
}

static void write_axis(FILE *out, const struct span *span)
{
	double step_s = round_step(span->to_s - span->from_s);
	int64_t first = (int64_t)(span->from_s / step_s);
	char text[VALUE_TEXT_MAX];
	double time_s;
	int i;

	fputs("<div class=\"row axis\"><span></span><div>", out);
	for (i = 0; i <= TICKS + 1; i++) {
		time_s = (double)(first + i) * step_s;
		if (time_s >= span->from_s && time_s <= span->to_s)
			fprintf(out, "<span style=\"left:%.2f%%\">%s</span>",
				place(span, time_s) / WIDTH * 100,
				tick_text(time_s, span->to_s, text,
					  sizeof(text)));
	}
	fputs("</div><span></span></div>\n", out);
}

static const char *kind_of(const struct node *row)
{
	const char *name = node_text(row, "name");

	if (name && (!strcmp(name, "read") || !strcmp(name, "requests")))
		return "store";
	if (name && (!strcmp(name, "batches") || !strcmp(name, "examples") ||
		     !strcmp(name, "blocks")))
		return "wait";
	return "";
}

static void begin_figure(FILE *out, const struct node *stretch,
			 const struct span *span, const char *title)
{
	char from[VALUE_TEXT_MAX], to[VALUE_TEXT_MAX];

	fputs("<figure class=\"bands\">\n<figcaption>", out);
	html_text(out, title);
	fprintf(out, ": %s to %s",
		span->from_s > 0 ?
			number(span->from_s, "s", from, sizeof(from)) :
			"0",
		number(span->to_s, "s", to, sizeof(to)));
	if (node_value(node_at(stretch, "cut"), METRIC_BOOL).real != 0)
		fputs(", as far as there was room for", out);
	fputs("</figcaption>\n", out);
}

static void write_stretch(FILE *out, const struct node *stretch,
			  const char *title, bool steps)
{
	const struct span span = { node_real(stretch, "from_s"),
				   node_real(stretch, "to_s") };
	const struct node *rows = node_at(stretch, "rows");
	const struct node *each = node_at(stretch, "steps");
	size_t i;

	if (!node_count(rows) || span.from_s < 0 || span.to_s > TIME_MAX_S ||
	    span.to_s - span.from_s < TIME_MIN_S)
		return;
	begin_figure(out, stretch, &span, title);
	for (i = 0; i < node_count(rows) && i < ROWS_MAX; i++)
		write_level(out, node_item(rows, i),
			    kind_of(node_item(rows, i)));
	for (i = 0; i < node_count(each) && i < ROWS_MAX; i++)
		write_accelerator(out, node_item(each, i), i, &span);
	write_axis(out, &span);
	if (steps)
		fputs("<p class=\"key\"><i class=\"key-store\"></i>storage"
		      "<i class=\"key-busy\"></i>busy workers, steps"
		      "<i class=\"key-wait\"></i>what waits"
		      "<i class=\"key-idle\"></i>an accelerator has no batch"
		      "<i class=\"key-held\"></i>it waits for the others"
		      "</p>\n",
		      out);
	fputs("</figure>\n", out);
}

void page_bands(FILE *out, const struct node *detail)
{
	const struct node *stretches = node_at(detail, "stretches");
	const char *name;
	char title[64];
	size_t i;

	for (i = 0; i < node_count(stretches) && i < 2; i++) {
		name = node_text(node_item(stretches, i), "name");
		snprintf(title, sizeof(title), "Timeline, %s",
			 name ? name : "");
		write_stretch(out, node_item(stretches, i), title, true);
	}
	if (detail)
		write_stretch(out, node_at(detail, "levels"),
			      "Levels over the run", false);
}
