/* SPDX-License-Identifier: MIT */
#include "analysis/loader_list.h"

#include <stdio.h>
#include <string.h>

#include "analysis/text.h"
#include "sim/check.h"
#include "traces/field.h"
#include "traces/loader_preset.h"
#include "traces/loaders.h"

#define LOADERS_MAX 64
#define KEYS_MAX 512
#define LOADER_SECTION "pipeline.loader."

enum loader_column {
	COLUMN_NAME,
	COLUMN_DESCRIPTION,
	COLUMN_KEYS,
	COLUMN_SOURCE,
	COLUMN_AS_OF,
	COLUMN_DIFFERS,
	COLUMN_ABOUT,
	COLUMN_COUNT,
};

static const struct view_column columns[COLUMN_COUNT] = {
	[COLUMN_NAME] = COLUMN("name", METRIC_TEXT, "", NULL),
	[COLUMN_DESCRIPTION] = COLUMN("description", METRIC_TEXT, "", NULL),
	[COLUMN_KEYS] = COLUMN_FOR(SEEN_IN_CSV, "keys", METRIC_TEXT, "", NULL),
	[COLUMN_SOURCE] =
		COLUMN_FOR(SEEN_IN_CSV, "source", METRIC_TEXT, "", NULL),
	[COLUMN_AS_OF] =
		COLUMN_FOR(SEEN_IN_CSV, "as_of", METRIC_TEXT, "", NULL),
	[COLUMN_DIFFERS] =
		COLUMN_FOR(SEEN_IN_CSV, "differs", METRIC_TEXT, "", NULL),
	[COLUMN_ABOUT] =
		COLUMN_FOR(SEEN_BY_PEOPLE, "about", METRIC_TEXT, "", NULL),
};

struct loader_row {
	struct loader_facts facts;
	char keys[KEYS_MAX]; /* as under pipeline.loader, without the usual */
	char about[KEYS_MAX + sizeof(struct loader_facts) + 64];
};

static struct metric_value cell(const void *context, size_t index,
				size_t column)
{
	const struct loader_row *row =
		(const struct loader_row *)context + index;

	switch ((enum loader_column)column) {
	case COLUMN_NAME:
		return value_text(loaders.files[index].name);
	case COLUMN_DESCRIPTION:
		return value_text(row->facts.description);
	case COLUMN_KEYS:
		return value_text(row->keys);
	case COLUMN_SOURCE:
		return value_text(row->facts.source);
	case COLUMN_AS_OF:
		return value_text(row->facts.as_of);
	case COLUMN_DIFFERS:
		return value_text(row->facts.differs);
	default:
		return value_text(row->about);
	}
}

/* "kind: workers, in_order: false": what is not as in any loader. */
static void say_keys(struct loader_row *row, const struct scenario *scenario,
		     const struct scenario *usual)
{
	size_t section = strlen(LOADER_SECTION), i;
	char here[SCENARIO_TEXT_MAX], there[SCENARIO_TEXT_MAX];
	const struct field *field;

	for (i = 0; i < field_count; i++) {
		field = &field_table[i];
		if (strncmp(field->key, LOADER_SECTION, section) != 0 ||
		    strcmp(field->key, LOADER_SECTION "like") == 0)
			continue;
		field_print(field, scenario, here, sizeof(here));
		field_print(field, usual, there, sizeof(there));
		if (strcmp(here, there) != 0)
			text_append(row->keys, sizeof(row->keys), "%s%s: %s",
				    row->keys[0] ? ", " : "",
				    field->key + section, here);
	}
}

static void read_row(struct loader_row *row, const struct embedded_file *entry)
{
	static struct scenario scenario, usual;
	struct fault fault = { 0 };

	scenario_init(&scenario);
	scenario_init(&usual);
	CHECK(!loader_preset_read(entry, &scenario, &row->facts, &fault));
	row->keys[0] = '\0';
	say_keys(row, &scenario, &usual);
	snprintf(row->about, sizeof(row->about),
		 "{%s}. Differs from the real one: %s Source, as of %s: %s.",
		 row->keys, row->facts.differs, row->facts.as_of,
		 row->facts.source);
}

struct grid loader_grid(void)
{
	static struct loader_row rows[LOADERS_MAX];
	size_t i;

	CHECK(loaders.count <= LOADERS_MAX);
	for (i = 0; i < loaders.count; i++)
		read_row(&rows[i], &loaders.files[i]);
	return (struct grid){
		.name = "loaders",
		.title = "Loaders",
		.about = "What --loader and pipeline.loader.like may name.",
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.row_count = loaders.count,
		.context = rows,
		.cell = cell,
	};
}
