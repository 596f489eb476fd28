/* SPDX-License-Identifier: MIT */
#include "cli/troff.h"

#include <stdbool.h>
#include <string.h>

#define LINE_COLUMNS 60

/* One sign as it must be written to be seen. `code` is the state of the
 * backquotes. */
static void put(FILE *out, char sign, bool *code)
{
	switch (sign) {
	case '\\':
		fputs("\\e", out);
		return;
	case '-':
		fputs("\\-", out);
		return;
	case '\'':
		fputs("\\(aq", out);
		return;
	case '^':
		fputs("\\(ha", out);
		return;
	case '~':
		fputs("\\(ti", out);
		return;
	case '`':
		*code = !*code;
		fputs(*code ? "\\fB" : "\\fR", out);
		return;
	default:
		fputc(sign, out);
	}
}

static void put_all(FILE *out, const char *text, size_t length)
{
	bool code = false;
	size_t i;

	if (length && *text == '.')
		fputs("\\&", out);
	for (i = 0; i < length; i++)
		put(out, text[i], &code);
}

/* One line of prose, as lines of the source. */
static void put_words(FILE *out, const char *text, size_t length)
{
	bool code = false;
	size_t used = 0, word, i;

	while (length) {
		for (word = 0; word < length && text[word] != ' ';)
			word++;
		if (used && used + 1 + word > LINE_COLUMNS) {
			fputc('\n', out);
			used = 0;
		}
		if (used)
			used += (size_t)fprintf(out, " ");
		else if (*text == '.')
			fputs("\\&", out);
		/* No hyphens within names. */
		if (memchr(text, '-', word) || memchr(text, '_', word))
			fputs("\\%", out);
		for (i = 0; i < word; i++)
			put(out, text[i], &code);
		used += word;
		word += word < length;
		text += word;
		length -= word;
	}
	fputc('\n', out);
}

static bool is_example(const char *line, size_t length)
{
	return length > 2 && line[0] == ' ' && line[1] == ' ';
}

/* One line of the text. `examples`: within a block of them; `parted`: an empty
 * line came before. */
static void put_line(FILE *out, const char *line, size_t length, bool *examples,
		     bool *parted)
{
	bool example = is_example(line, length);

	if (example && !*examples)
		fputs(".PP\n.RS 4\n.EX\n", out);
	if (!example && *examples)
		fputs(".EE\n.RE\n", out);
	if (!example && (*parted || *examples))
		fputs(".PP\n", out);
	*examples = example;
	*parted = false;
	if (!example) {
		put_words(out, line, length);
		return;
	}
	put_all(out, line + 2, length - 2);
	fputc('\n', out);
}

void troff_text(FILE *out, const char *text, size_t length)
{
	bool examples = false, parted = false;
	const char *end = text + length;
	size_t line;

	for (; text < end; text += line + 1) {
		line = strcspn(text, "\n\v");
		line = line < (size_t)(end - text) ? line :
						     (size_t)(end - text);
		if (line)
			put_line(out, text, line, &examples, &parted);
		else
			parted = true;
	}
	if (examples)
		fputs(".EE\n.RE\n", out);
}

void troff_heading(FILE *out, const char *request, const char *text)
{
	fprintf(out, ".%s \"", request);
	put_all(out, text, strlen(text));
	fputs("\"\n", out);
}

void troff_entry(FILE *out, const char *term, const char *text)
{
	fputs(".TP\n", out);
	troff_heading(out, "B", term);
	put_words(out, text, strlen(text));
}

void troff_option(FILE *out, const char *term, const char *argument,
		  const char *text)
{
	fputs(".TP\n", out);
	if (!argument[0]) {
		troff_heading(out, "B", term);
	} else {
		fputs(".BI \"", out);
		put_all(out, term, strlen(term));
		fputs("\" \"", out);
		put_all(out, argument, strlen(argument));
		fputs("\"\n", out);
	}
	put_words(out, text, strlen(text));
}
