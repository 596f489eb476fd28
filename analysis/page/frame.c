/* SPDX-License-Identifier: MIT */
#include "analysis/page/frame.h"

#include "analysis/page/html.h"
#include "analysis/page/texts.h"
#include "sim/check.h"

static void write_part(FILE *out, const char *name)
{
	const struct embedded_file *file = embedded_find(&page_texts, name);

	CHECK(file);
	fwrite(file->text, 1, file->size, out);
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

void page_end(FILE *out)
{
	fputs("<script>\n", out);
	write_part(out, "chart.min");
	fputs("</script>\n<script>\n", out);
	write_part(out, "draw");
	fputs("</script>\n</body>\n</html>\n", out);
}

void page_begin(FILE *out, const char *title, const char *about)
{
	write_head(out, title);
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
	if (title[0]) {
		fprintf(out,
			"<section id=\"%s\" aria-labelledby=\"%s-title\">\n"
			"<h2 id=\"%s-title\">",
			id, id, id);
		html_text(out, title);
		fputs("</h2>\n", out);
	} else {
		fprintf(out, "<section id=\"%s\">\n", id);
	}
	if (text[0]) {
		fputs("<p>", out);
		html_text(out, text);
		fputs("</p>\n", out);
	}
}

void page_tile(FILE *out, const char *name, const char *value,
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
