/* SPDX-License-Identifier: MIT */
/* The table of a law file. The text is hostile. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/law/head.h"
#include "traces/nearest.h"
#include "traces/scenario.h"

#define LINE_MAX_BYTES 1024
#define COLUMNS_MAX 32
#define FACTOR_MAX 1024
#define EXAMPLES_MAX 1e18

enum column {
	COLUMN_FACTOR,
	COLUMN_FRESH,
	COLUMN_STRATEGY,
	COLUMN_BATCH,
	COLUMN_SHUFFLE_EXAMPLES,
	COLUMN_SHUFFLE_BATCHES,
	COLUMN_FRESH_MIN,
	COLUMN_FRESH_MAX,
	COLUMN_COUNT,
	/* Known, but for the reader only. */
	COLUMN_REMARK = COLUMN_COUNT,
};

static const char *const column_names[] = {
	"factor",
	"fresh",
	"strategy",
	"batch",
	"shuffle_examples",
	"shuffle_batches",
	"fresh_min",
	"fresh_max",
	"figure",
	"wall_s",
	"gain",
	"gain_min",
	"gain_max",
	"gain_standard_error",
	"efficiency",
	"value",
	"mean_lag_steps",
	"duplicates_in_batch",
	"mean_factor",
	"learning_rate",
	"searches",
	"data",
	NULL,
};

struct parser {
	struct law *law;
	struct law_line at;
	bool has_header;
	enum column columns[COLUMNS_MAX];
	size_t column_count;
	int point_lines[LAW_POINTS_MAX];
};

#define refuse(parser, ...) law_refuse(&(parser)->at, __VA_ARGS__)

static int read_column(struct parser *parser, const char *word)
{
	const char *near = nearest_name(word, column_names);
	char copy[LAW_SHOWN_MAX];
	size_t i;

	for (i = 0; column_names[i]; i++)
		if (!strcmp(column_names[i], word))
			break;
	if (!column_names[i]) {
		refuse(parser, "unknown column \"%s\"%s%s%s",
		       law_shown(word, copy), near ? "; did you mean \"" : "",
		       near ? near : "",
		       near ? "\"?" :
			      "; expected factor, fresh, strategy, ...");
		return -EINVAL;
	}
	if (parser->column_count == COLUMNS_MAX) {
		refuse(parser, "more than %d columns", COLUMNS_MAX);
		return -EINVAL;
	}
	parser->columns[parser->column_count++] =
		i < COLUMN_COUNT ? (enum column)i : COLUMN_REMARK;
	return 0;
}

static int read_header(struct parser *parser, char *text)
{
	int seen[COLUMN_COUNT + 1] = { 0 };
	char *word, *rest = text;
	size_t i;
	int error;

	while ((word = strsep(&rest, ",")) != NULL) {
		error = read_column(parser, law_trim(word));
		if (error)
			return error;
	}
	for (i = 0; i < parser->column_count; i++)
		seen[parser->columns[i]]++;
	for (i = 0; i < COLUMN_COUNT; i++) {
		if (seen[i] <= 1)
			continue;
		refuse(parser, "the column %s stands twice", column_names[i]);
		return -EINVAL;
	}
	if (!seen[COLUMN_FACTOR] || !seen[COLUMN_FRESH]) {
		refuse(parser,
		       "no column %s; expected a first line such as "
		       "\"factor,fresh\"",
		       seen[COLUMN_FACTOR] ? "fresh" : "factor");
		return -EINVAL;
	}
	parser->has_header = true;
	return 0;
}

static int read_place(struct parser *parser, const char *word,
		      struct law_point *point)
{
	const char *names[ECHO_BATCH + 2] = { NULL };
	char copy[LAW_SHOWN_MAX];
	const char *near;
	int place;

	if (!*word)
		return 0;
	for (place = ECHO_NONE; place <= ECHO_BATCH; place++) {
		names[place] = echo_place_name((enum echo_place)place);
		if (strcmp(names[place], word) != 0)
			continue;
		point->any_place = false;
		point->place = (enum echo_place)place;
		return 0;
	}
	near = nearest_name(word, names);
	refuse(parser, "strategy: found \"%s\"; %s%s%s", law_shown(word, copy),
	       near ? "did you mean \"" : "expected none, batch, ",
	       near ? near :
		      "example-before-decode, example-before-augment or "
		      "example-after-augment",
	       near ? "\"?" : "");
	return -EINVAL;
}

static int read_real(struct parser *parser, enum column column,
		     const char *word, double low, double high, double *value)
{
	char copy[LAW_SHOWN_MAX], *end;

	errno = 0;
	*value = strtod(word, &end);
	if (*word && !*end && isfinite(*value) && *value >= low &&
	    *value <= high)
		return 0;
	refuse(parser,
	       "%s: found \"%s\"; expected a number from %.15g to %.15g",
	       column_names[column], law_shown(word, copy), low, high);
	return -EINVAL;
}

static int read_whole(struct parser *parser, enum column column,
		      const char *word, uint64_t *value)
{
	char copy[LAW_SHOWN_MAX];
	double real;
	int error;

	if (!*word)
		return 0;
	error = read_real(parser, column, word, 1, 1e15, &real);
	if (error)
		return error;
	*value = (uint64_t)real;
	if ((double)*value == real)
		return 0;
	refuse(parser, "%s: found \"%s\"; expected a whole number",
	       column_names[column], law_shown(word, copy));
	return -EINVAL;
}

static int read_cell(struct parser *parser, enum column column,
		     const char *word, struct law_point *point)
{
	switch (column) {
	case COLUMN_FACTOR:
		return read_real(parser, column, word, 1, FACTOR_MAX,
				 &point->factor);
	case COLUMN_FRESH:
		return read_real(parser, column, word, 1, EXAMPLES_MAX,
				 &point->fresh);
	case COLUMN_FRESH_MIN:
		return *word ? read_real(parser, column, word, 1, EXAMPLES_MAX,
					 &point->fresh_min) :
			       0;
	case COLUMN_FRESH_MAX:
		return *word ? read_real(parser, column, word, 1, EXAMPLES_MAX,
					 &point->fresh_max) :
			       0;
	case COLUMN_STRATEGY:
		return read_place(parser, word, point);
	case COLUMN_BATCH:
		return read_whole(parser, column, word, &point->batch);
	case COLUMN_SHUFFLE_EXAMPLES:
		return read_whole(parser, column, word,
				  &point->shuffle_examples);
	case COLUMN_SHUFFLE_BATCHES:
		return read_whole(parser, column, word,
				  &point->shuffle_batches);
	default:
		return 0;
	}
}

static bool same_series(const struct law_point *one,
			const struct law_point *other)
{
	return one->any_place == other->any_place &&
	       one->place == other->place && one->batch == other->batch &&
	       one->shuffle_examples == other->shuffle_examples &&
	       one->shuffle_batches == other->shuffle_batches;
}

/* What the cells of a row must be to each other and to the rows above. */
static int check_point(struct parser *parser, struct law_point *point)
{
	const struct law *law = parser->law;
	size_t i;

	if (!point->any_place && point->place == ECHO_NONE &&
	    point->factor != 1) {
		refuse(parser, "strategy none has factor %.15g; expected 1",
		       point->factor);
		return -EINVAL;
	}
	if ((point->fresh_min && point->fresh_min > point->fresh) ||
	    (point->fresh_max && point->fresh_max < point->fresh)) {
		refuse(parser, "fresh %.15g lies outside fresh_min..fresh_max",
		       point->fresh);
		return -EINVAL;
	}
	if (point->factor == 1) {
		point->any_place = false;
		point->place = ECHO_NONE;
		point->shuffle_batches = 0;
	}
	for (i = 0; i < law->point_count; i++) {
		if (!same_series(point, &law->points[i]) ||
		    point->factor > law->points[i].factor)
			continue;
		refuse(parser,
		       "factor %.15g does not rise: line %d of the same series "
		       "has %.15g",
		       point->factor, parser->point_lines[i],
		       law->points[i].factor);
		return -EINVAL;
	}
	return 0;
}

static int read_point(struct parser *parser, char *text)
{
	struct law *law = parser->law;
	struct law_point point = { .any_place = true };
	char *word, *rest = text;
	size_t count = 0;
	int error = 0;

	while (!error && (word = strsep(&rest, ",")) != NULL) {
		if (count++ < parser->column_count)
			error = read_cell(parser, parser->columns[count - 1],
					  law_trim(word), &point);
	}
	if (error)
		return error;
	if (count != parser->column_count) {
		refuse(parser, "found %zu cells; expected %zu, one a column",
		       count, parser->column_count);
		return -EINVAL;
	}
	error = check_point(parser, &point);
	if (error)
		return error;
	if (law->point_count == LAW_POINTS_MAX) {
		refuse(parser, "more than %d rows", LAW_POINTS_MAX);
		return -EINVAL;
	}
	parser->point_lines[law->point_count] = parser->at.number;
	law->points[law->point_count++] = point;
	return 0;
}

static int read_line(struct parser *parser, char *line)
{
	char *text = law_trim(line);

	if (!*text)
		return 0;
	if (*text == '#')
		return law_read_head(parser->law, &parser->at, text + 1);
	if (!parser->has_header)
		return read_header(parser, text);
	return read_point(parser, text);
}

/* Every batch has a baseline. */
static int check_baselines(struct parser *parser)
{
	const struct law *law = parser->law;
	size_t i, j;

	for (i = 0; i < law->point_count; i++) {
		for (j = 0; j < law->point_count; j++)
			if (law->points[j].factor == 1 &&
			    (law->points[j].batch == law->points[i].batch ||
			     !law->points[j].batch))
				break;
		if (j < law->point_count)
			continue;
		parser->at.number = parser->point_lines[i];
		refuse(parser, "no baseline row; expected one of factor 1 with "
			       "the same batch");
		return -EINVAL;
	}
	return 0;
}

static int check_whole(struct parser *parser)
{
	const struct law *law = parser->law;

	parser->at.number = 0;
	if (law->kind == LAW_ENVELOPE && law->model.reuse_limit > 0)
		return 0;
	if (law->model.batch_half > 0 &&
	    (law->model.lag_half <= 0 || law->model.value_max > 1 ||
	     law->model.value_max_after > 1 || law->model.power <= 0)) {
		refuse(parser, "model: expected lag_half and power above 0, "
			       "value_max and value_max_after at most 1");
		return -EINVAL;
	}
	if (!law->point_count) {
		refuse(parser, "no rows; expected a baseline of factor 1 and "
			       "the factors measured");
		return -EINVAL;
	}
	return check_baselines(parser);
}

int law_parse(struct law *law, const char *name, const char *text, size_t size,
	      struct fault *fault)
{
	struct parser parser = { .law = law, .at = { name, 0, fault } };
	const char *end = text + size, *newline;
	char line[LINE_MAX_BYTES];
	size_t length;
	int error = 0;

	*law = (struct law){ .kind = LAW_USER };
	snprintf(law->name, sizeof(law->name), "%s", name);
	while (!error && text < end) {
		parser.at.number++;
		newline = memchr(text, '\n', (size_t)(end - text));
		length = (size_t)((newline ? newline : end) - text);
		if (length >= sizeof(line) || memchr(text, '\0', length)) {
			refuse(&parser, "not a line of text below %d bytes",
			       LINE_MAX_BYTES);
			return -EINVAL;
		}
		memcpy(line, text, length);
		line[length] = '\0';
		error = read_line(&parser, line);
		text += length + (newline ? 1 : 0);
	}
	if (!error)
		error = check_whole(&parser);
	law->model.rms = error ? 0 : law_model_rms(law);
	return error;
}
