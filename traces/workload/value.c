/* SPDX-License-Identifier: MIT */
#include "traces/workload/value.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "traces/units.h"

#define NS_PER_S 1e9
#define EXPECTED_MAX 200

/* Says what was expected, and what stands in the way of the usual stumbling
 * block: hydra fills in ${...} when DLIO starts. */
static int refuse(const struct reader *reader, const char *key,
		  const struct yaml_value *value, const char *expected)
{
	char said[EXPECTED_MAX + 80];

	snprintf(said, sizeof(said), "%s%s", expected,
		 strstr(value->text, "${") ?
			 " (what hydra would fill in is not known here)" :
			 "");
	return value_refuse(reader, key, value, said);
}

static const char *expect_range(const char *what, double low, double high,
				char *text)
{
	char lowest[32], highest[32];

	snprintf(text, EXPECTED_MAX, "%s from %s to %s", what,
		 units_print_number(low, lowest, sizeof(lowest)),
		 units_print_number(high, highest, sizeof(highest)));
	return text;
}

static int read_number(const struct reader *reader, const char *key,
		       const struct yaml_value *value, const char *what,
		       double low, double high, double *number)
{
	char expected[EXPECTED_MAX];

	if (value->kind == YAML_SCALAR &&
	    !units_parse_number(value->text, number) && *number >= low &&
	    *number <= high)
		return 0;
	return refuse(reader, key, value,
		      expect_range(what, low, high, expected));
}

static int read_count(const struct reader *reader,
		      const struct workload_key *row,
		      const struct yaml_value *value, uint64_t *count)
{
	double number;
	int error = read_number(reader, row->name, value, "a whole number",
				row->low, row->high, &number);
	char expected[EXPECTED_MAX];

	if (error)
		return error;
	*count = (uint64_t)number;
	if ((double)*count == number)
		return 0;
	return refuse(reader, row->name, value,
		      expect_range("a whole number", row->low, row->high,
				   expected));
}

static int read_text(const struct reader *reader,
		     const struct workload_key *row,
		     const struct yaml_value *value, char *text)
{
	const char *at;

	if (value->kind != YAML_SCALAR ||
	    strlen(value->text) >= WORKLOAD_TEXT_MAX)
		return refuse(reader, row->name, value, "a name");
	/* It comes out again, in a comment and on a terminal. */
	for (at = value->text; *at; at++)
		if (*at < ' ' || *at > '~')
			return refuse(reader, row->name, value,
				      "plain letters");
	snprintf(text, WORKLOAD_TEXT_MAX, "%s", value->text);
	return 0;
}

static bool is_one_of(const char *text, const char *const *names)
{
	for (; *names; names++)
		if (strcasecmp(text, *names) == 0)
			return true;
	return false;
}

/* As YAML 1.1 spells truth; "off" is also how DLIO spells no shuffle. */
static const char *const yes[] = { "true", "yes", "on", "y", NULL };
static const char *const no[] = { "false", "no", "off", "n", NULL };
static const char *const shuffled[] = { "seed", "random", NULL };

static int read_choice(const struct reader *reader,
		       const struct workload_key *row,
		       const struct yaml_value *value,
		       const char *const *chosen, const char *expected,
		       bool *choice)
{
	*choice = is_one_of(value->text, chosen);
	if (*choice || is_one_of(value->text, no))
		return 0;
	return refuse(reader, row->name, value, expected);
}

/* ---- times ---- */

struct spread {
	const char *type;
	const char *parameters[2]; /* the second may be NULL */
	enum distribution_kind kind;
};

static const struct spread spreads[] = {
	{ "normal", { "mean", "stdev" }, DISTRIBUTION_NORMAL },
	{ "uniform", { "min", "max" }, DISTRIBUTION_UNIFORM },
	{ "exponential", { "scale", NULL }, DISTRIBUTION_EXPONENTIAL },
	{ "constant", { "mean", NULL }, DISTRIBUTION_CONSTANT },
	{ NULL, { NULL, NULL }, DISTRIBUTION_CONSTANT },
};

static const struct yaml_value *member(const struct yaml_value *map,
				       const char *key)
{
	const struct yaml_value *value = map->child;

	while (value && strcmp(value->key, key) != 0)
		value = value->next;
	return value;
}

static int find_spread(const struct reader *reader,
		       const struct workload_key *row,
		       const struct yaml_value *map,
		       const struct spread **found)
{
	const struct yaml_value *type = member(map, "type");
	const struct spread *spread = spreads;

	if (!type)
		spread += member(map, "stdev") ? 0 : 3;
	else
		while (spread->type && strcmp(spread->type, type->text) != 0)
			spread++;
	*found = spread;
	if (spread->type)
		return 0;
	return refuse(reader, row->name, type,
		      "one of normal, uniform, exponential, constant");
}

static int read_parameters(const struct reader *reader,
			   const struct workload_key *row,
			   const struct yaml_value *map,
			   const struct spread *spread, double *seconds)
{
	char name[WORKLOAD_KEY_MAX];
	int i, error;

	for (i = 0; i < 2 && spread->parameters[i]; i++) {
		const struct yaml_value *value =
			member(map, spread->parameters[i]);
		/* A spread may be nothing where a time may not. */
		double low = strcmp(spread->parameters[i], "stdev") == 0 ?
				     0 :
				     row->low;

		snprintf(name, sizeof(name), "%s.%s", row->name,
			 spread->parameters[i]);
		if (!value) {
			value_fault(reader, map,
				    "%s: not given; expected seconds", name);
			return -EINVAL;
		}
		error = read_number(reader, name, value, "seconds", low,
				    row->high, &seconds[i]);
		if (error)
			return error;
	}
	return 0;
}

static int read_spread(const struct reader *reader,
		       const struct workload_key *row,
		       const struct yaml_value *map,
		       struct distribution *time_ns)
{
	const struct spread *spread;
	double seconds[2] = { 0 };
	int error = find_spread(reader, row, map, &spread);

	if (!error)
		error = read_parameters(reader, row, map, spread, seconds);
	if (error)
		return error;
	*time_ns = (struct distribution){ .kind = spread->kind };
	if (spread->kind == DISTRIBUTION_UNIFORM) {
		time_ns->low = seconds[0] * NS_PER_S;
		time_ns->high = seconds[1] * NS_PER_S;
	} else {
		time_ns->mean = seconds[0] * NS_PER_S;
		time_ns->stdev = seconds[1] * NS_PER_S;
	}
	if (time_ns->low > time_ns->high)
		return refuse(reader, row->name, map, "min not above max");
	return 0;
}

static int read_time(const struct reader *reader,
		     const struct workload_key *row,
		     const struct yaml_value *value,
		     struct distribution *time_ns)
{
	/* A spread that was given before its time keeps its place. */
	double stdev = time_ns->stdev, seconds;
	int error;

	if (value->kind == YAML_MAP)
		return read_spread(reader, row, value, time_ns);
	error = read_number(reader, row->name, value, "seconds", row->low,
			    row->high, &seconds);
	if (error)
		return error;
	*time_ns = distribution_constant(seconds * NS_PER_S);
	time_ns->stdev = stdev;
	if (stdev > 0)
		time_ns->kind = DISTRIBUTION_NORMAL;
	return 0;
}

static int read_stdev(const struct reader *reader,
		      const struct workload_key *row,
		      const struct yaml_value *value,
		      struct distribution *time_ns)
{
	double seconds;
	int error = read_number(reader, row->name, value, "seconds", row->low,
				row->high, &seconds);

	if (error)
		return error;
	time_ns->stdev = seconds * NS_PER_S;
	if (seconds > 0 && time_ns->kind == DISTRIBUTION_CONSTANT)
		time_ns->kind = DISTRIBUTION_NORMAL;
	return 0;
}

/* ---- columns ---- */

static const struct {
	const char *name;
	double bytes;
} dtypes[] = {
	{ "float16", 2 }, { "float32", 4 }, { "float64", 8 }, { "int8", 1 },
	{ "int16", 2 },	  { "int32", 4 },   { "int64", 8 },   { "uint8", 1 },
	{ "uint16", 2 },  { "uint32", 4 },  { "uint64", 8 },  { "bool", 1 },
};

#define DTYPE_COUNT (sizeof(dtypes) / sizeof(dtypes[0]))

/* Elements of a column, one unless its size says more. */
static int read_elements(const struct reader *reader,
			 const struct workload_key *row,
			 const struct yaml_value *column, double *elements)
{
	const struct yaml_value *size = member(column, "size");

	*elements = 1;
	if (!size)
		return 0;
	return read_number(reader, row->name, size, "a column's size", 1, 1e9,
			   elements);
}

static int read_column(const struct reader *reader,
		       const struct workload_key *row,
		       const struct yaml_value *column,
		       struct workload_columns *columns)
{
	const struct yaml_value *dtype = member(column, "dtype");
	const struct yaml_value *is_read = member(column, "read");
	double elements;
	size_t i = 0;
	int error;

	if (column->kind != YAML_MAP)
		return refuse(reader, row->name, column,
			      "columns such as {name: a, dtype: float32}");
	if (is_read && is_one_of(is_read->text, no)) {
		columns->skipped++;
		return 0;
	}
	while (dtype && i < DTYPE_COUNT &&
	       strcmp(dtypes[i].name, dtype->text) != 0)
		i++;
	if (i == DTYPE_COUNT)
		return refuse(reader, row->name, dtype,
			      "a dtype such as float32, int8 or bool");
	error = read_elements(reader, row, column, &elements);
	/* DLIO takes what has no dtype for a float32. */
	if (!error)
		columns->read_bytes += elements * (dtype ? dtypes[i].bytes : 4);
	return error;
}

static int read_columns(const struct reader *reader,
			const struct workload_key *row,
			const struct yaml_value *list,
			struct workload_columns *columns)
{
	const struct yaml_value *column;
	int error = 0;

	if (list->kind != YAML_LIST)
		return refuse(reader, row->name, list, "a list of columns");
	for (column = list->child; column && !error; column = column->next)
		error = read_column(reader, row, column, columns);
	return error;
}

int workload_value_read(const struct reader *reader,
			const struct workload_key *row,
			const struct yaml_value *value,
			struct workload *workload)
{
	void *at = (char *)workload + row->offset;

	switch (row->kind) {
	case WORKLOAD_TEXT:
		return read_text(reader, row, value, at);
	case WORKLOAD_BOOL:
		return read_choice(reader, row, value, yes, "true or false",
				   at);
	case WORKLOAD_COUNT:
		return read_count(reader, row, value, at);
	case WORKLOAD_NUMBER:
		return read_number(reader, row->name, value, "a number",
				   row->low, row->high, at);
	case WORKLOAD_SHUFFLE:
		return read_choice(reader, row, value, shuffled,
				   "one of off, seed, random", at);
	case WORKLOAD_TIME:
		return read_time(reader, row, value, at);
	case WORKLOAD_STDEV:
		return read_stdev(reader, row, value, at);
	case WORKLOAD_COLUMNS:
		return read_columns(reader, row, value, at);
	default:
		return 0;
	}
}
