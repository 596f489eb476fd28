/* SPDX-License-Identifier: MIT */
#include "analysis/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "sim/printable.h"

static const char *const tones[] = {
	[TONE_PLAIN] = "",
	[TONE_BEST] = "\033[1;32m",
	[TONE_WARNING] = "\033[33m",
};

const char *text_tone_begin(const struct text_style *style, enum text_tone tone)
{
	return style->color ? tones[tone] : "";
}

const char *text_tone_end(const struct text_style *style, enum text_tone tone)
{
	return style->color && tone ? "\033[m" : "";
}

void text_put(FILE *out, const char *words, size_t length)
{
	const char *end = words + length;
	size_t bytes;
	bool shown;

	for (; words < end; words += bytes) {
		bytes = printable_next(words, &shown);
		if (shown)
			fwrite(words, 1, bytes, out);
		else
			fputc('?', out);
	}
}

/* Columns that a text takes, colour in it aside. */
static size_t visible(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		if (*text == '\033')
			text += strcspn(text, "m");
		else
			columns++;
	return columns;
}

void text_paragraph(FILE *out, const char *first, const char *rest,
		    const char *words)
{
	text_paragraph_within(out, TEXT_COLUMNS, first, rest, words);
}

void text_paragraph_within(FILE *out, size_t columns, const char *first,
			   const char *rest, const char *words)
{
	size_t used = visible(first), length;
	bool line_start = true;

	fputs(first, out);
	for (; *words; words += length + (words[length] == ' ')) {
		length = strcspn(words, " ");
		if (!line_start && used + 1 + length > columns) {
			fprintf(out, "\n%s", rest);
			used = strlen(rest);
			line_start = true;
		}
		if (!line_start)
			fputc(' ', out);
		text_put(out, words, length);
		used += length + !line_start;
		line_start = false;
	}
	fputc('\n', out);
}

void text_append(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + used, size - used, format, arguments);
	va_end(arguments);
}
