/* SPDX-License-Identifier: MIT */
#include "cli/style.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/text.h"
#include "traces/units.h"

#define COLUMNS_MAX 200 /* an eye does not find its row again beyond */

int style_color_parse(const char *word, enum color_when *when)
{
	static const char *const words[] = {
		[COLOR_AUTO] = "auto",
		[COLOR_ALWAYS] = "always",
		[COLOR_NEVER] = "never",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(word, words[i])) {
			*when = (enum color_when)i;
			return 0;
		}
	return -EINVAL;
}

/* https://no-color.org: set and not empty. */
static bool may_color(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(no_color && no_color[0]) && term && term[0] &&
	       strcmp(term, "dumb") != 0;
}

static uint64_t terminal_columns(int descriptor)
{
	const char *columns = getenv("COLUMNS");
	struct winsize window;
	uint64_t count;

	if (!ioctl(descriptor, TIOCGWINSZ, &window) && window.ws_col)
		return window.ws_col;
	if (columns && !units_parse(UNITS_COUNT, columns, &count))
		return count;
	return TEXT_COLUMNS;
}

struct text_style style_of(FILE *stream, enum color_when when)
{
	struct text_style style = { .columns = TEXT_COLUMNS,
				    .color = when == COLOR_ALWAYS };
	uint64_t columns;

	if (!isatty(fileno(stream)))
		return style;
	if (when == COLOR_AUTO)
		style.color = may_color();
	columns = terminal_columns(fileno(stream));
	if (columns > TEXT_COLUMNS)
		style.columns = columns < COLUMNS_MAX ? (unsigned)columns :
							COLUMNS_MAX;
	return style;
}
