/* SPDX-License-Identifier: MIT */
#include "analysis/page/chart.h"

#include <string.h>

#include "analysis/page/html.h"

#define PERCENT 100.0

static void member(FILE *out, const char *name, const char *text)
{
	fprintf(out, ", \"%s\": ", name);
	html_json_text(out, text ? text : "");
}

static void comma(struct plot *plot, size_t *count)
{
	if ((*count)++)
		fputs(", ", plot->out);
}

void chart_begin(struct plot *plot, FILE *out, const struct chart *chart)
{
	*plot = (struct plot){ .out = out };
	fprintf(out,
		"<figure class=\"chart\" id=\"chart-%s\" data-bars=\"%zu\">\n"
		"<figcaption>",
		chart->id, chart->bars);
	html_text(out, chart->title);
	fputs("</figcaption>\n<div class=\"plot\"><canvas role=\"img\" "
	      "aria-label=\"",
	      out);
	html_text(out, chart->title);
	fputs("; its numbers are in the table\"></canvas></div>\n"
	      "<script type=\"application/json\">{\"kind\": ",
	      out);
	html_json_text(out, chart->kind);
	member(out, "xTitle", chart->x_title);
	member(out, "yTitle", chart->y_title);
	member(out, "xUnit", chart->x_unit);
	member(out, "yUnit", chart->y_unit);
	fprintf(out, ", \"xLog\": %s, \"yLog\": %s, \"labels\": [",
		chart->x_log ? "true" : "false",
		chart->y_log ? "true" : "false");
}

void chart_label(struct plot *plot, const char *label)
{
	comma(plot, &plot->labels);
	html_json_text(plot->out, label);
}

void chart_series(struct plot *plot, const char *name, enum chart_colour colour)
{
	fputs(plot->series ? "" : "], \"series\": [", plot->out);
	comma(plot, &plot->series);
	fputs("\n{\"name\": ", plot->out);
	html_json_text(plot->out, name);
	fprintf(plot->out, ", \"colour\": %d, \"items\": [", (int)colour);
	plot->items = 0;
}

void chart_bar(struct plot *plot, const char *unit, struct metric_value value)
{
	bool percent = !strcmp(unit, "%");
	char text[VALUE_TEXT_MAX];

	comma(plot, &plot->items);
	fputs("{\"value\": ", plot->out);
	html_json_value(plot->out, percent && value.known ?
					   value_real(value.real * PERCENT) :
					   value);
	fputs(", \"text\": ", plot->out);
	value_human(METRIC_REAL, unit, value, text, sizeof(text));
	html_json_text(plot->out, value.known ? text : "not known");
	fputc('}', plot->out);
}

void chart_point(struct plot *plot, struct metric_value x,
		 struct metric_value y, const char *text)
{
	comma(plot, &plot->items);
	fputs("{\"x\": ", plot->out);
	html_json_value(plot->out, x);
	fputs(", \"y\": ", plot->out);
	html_json_value(plot->out, y);
	fputs(", \"text\": ", plot->out);
	html_json_text(plot->out, text);
	fputc('}', plot->out);
}

void chart_series_end(struct plot *plot)
{
	fputs("]}", plot->out);
}

void chart_mark(struct plot *plot, struct metric_value x, const char *text)
{
	fputs(plot->marks ? "" : "], \"marks\": [", plot->out);
	comma(plot, &plot->marks);
	fputs("{\"x\": ", plot->out);
	html_json_value(plot->out, x);
	member(plot->out, "text", text);
	fputc('}', plot->out);
}

void chart_end(struct plot *plot)
{
	fputs("]}</script>\n</figure>\n", plot->out);
}
