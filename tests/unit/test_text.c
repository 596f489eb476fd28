/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/text.h"
#include "tests/support/printed.h"

static const struct view_column columns[] = {
	COLUMN("name", METRIC_TEXT, "", NULL),
	COLUMN("count", METRIC_COUNT, "", NULL),
	COLUMN("help", METRIC_TEXT, "", NULL),
};

/* Two rows: a name, a number, a hundred letters of words; the second is the
 * best. */
static char *table(struct text_style style)
{
	struct document *document = document_new();
	struct node *rows =
		document_list(document, document_data(document), "rows");
	struct node *item;
	char words[101];
	uint64_t row;

	memset(words, 'w', sizeof(words) - 1);
	words[sizeof(words) - 1] = '\0';
	for (row = 0; row < 2; row++) {
		item = document_item(document, rows);
		document_set(document, item, "name", METRIC_TEXT,
			     value_text(row ? "second" : "first"));
		document_set(document, item, "count", METRIC_COUNT,
			     value_count(row));
		document_set(document, item, "help", METRIC_TEXT,
			     value_text(words));
		document_set(document, item, "rank", METRIC_TEXT,
			     value_text(row ? "best" : ""));
	}
	document_view(document, &(struct view){ .kind = VIEW_TABLE,
						.path = "rows",
						.best = "rank",
						.columns = columns,
						.column_count = 3 });
	return printed_in_style(document, "text", style);
}

static size_t lines_of(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static void words_stand_below_in_80_columns(void **state)
{
	char *text = table((struct text_style){ 0 });

	(void)state;
	assert_int_equal(lines_of(text), 1 + 2 * 2);
	free(text);
}

static void words_stand_in_line_where_there_is_room(void **state)
{
	char *text = table((struct text_style){ .columns = 160 });

	(void)state;
	assert_int_equal(lines_of(text), 1 + 2);
	free(text);
}

static void no_style_has_no_colour(void **state)
{
	char *text = table((struct text_style){ .columns = 160 });

	(void)state;
	assert_null(strchr(text, '\033'));
	free(text);
}

static void colour_ends_where_its_cell_ends(void **state)
{
	char *text = table((struct text_style){ .color = true });

	(void)state;
	assert_non_null(strstr(text, "\033[1;32msecond\033[m"));
	assert_null(strstr(text, "mfirst"));
	free(text);
}

static void colour_takes_no_room(void **state)
{
	char *plain = table((struct text_style){ 0 });
	char *colored = table((struct text_style){ .color = true });
	size_t kept = 0, i;

	(void)state;
	for (i = 0; colored[i]; i++)
		if (colored[i] == '\033')
			i += strcspn(colored + i, "m");
		else
			colored[kept++] = colored[i];
	colored[kept] = '\0';
	assert_string_equal(colored, plain);
	free(colored);
	free(plain);
}

static void colour_before_a_paragraph_does_not_break_it_sooner(void **state)
{
	static const char words[] =
		"one two three four five six seven eight nine ten eleven "
		"twelve 1234567";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	assert_int_equal(strlen("note: ") + strlen(words) <= TEXT_COLUMNS, 1);
	text_paragraph(out, "\033[33mnote:\033[m ", "", words);
	fclose(out);
	assert_int_equal(lines_of(text), 1);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_stand_below_in_80_columns),
		cmocka_unit_test(words_stand_in_line_where_there_is_room),
		cmocka_unit_test(no_style_has_no_colour),
		cmocka_unit_test(colour_ends_where_its_cell_ends),
		cmocka_unit_test(colour_takes_no_room),
		cmocka_unit_test(
			colour_before_a_paragraph_does_not_break_it_sooner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
