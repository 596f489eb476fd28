/* SPDX-License-Identifier: MIT */
#include "traces/distribution_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/distribution_text.h"
#include "traces/sequence.h"

#define NAMES_MAX 128

static double *place(struct distribution *distribution, size_t parameter)
{
	return (double *)((char *)distribution +
			  distribution_parameters[parameter].offset);
}

static const struct yaml_value *member(const struct yaml_value *map,
				       const char *key)
{
	const struct yaml_value *value = map->child;

	while (value && strcmp(value->key, key) != 0)
		value = value->next;
	return value;
}

bool distribution_is_map(const struct yaml_value *value)
{
	return value->kind == YAML_MAP &&
	       (member(value, "dist") || member(value, "p50"));
}

static int read_kind(const struct reader *reader, const char *key,
		     const struct yaml_value *map, enum distribution_kind *kind)
{
	static const char expected[] =
		"one of constant, uniform, exponential, normal, lognormal, "
		"quantiles, cycle";
	const struct yaml_value *dist = member(map, "dist");
	char full[FIELD_KEY_MAX];
	int i = 0;

	if (!dist && member(map, "p50")) {
		*kind = DISTRIBUTION_QUANTILES;
		return 0;
	}
	snprintf(full, sizeof(full), "%s.dist", key);
	if (!dist) {
		value_fault(reader, map, "%s: not given; expected %s", full,
			    expected);
		return -EINVAL;
	}
	while (distribution_kinds[i] &&
	       strcmp(distribution_kinds[i], dist->text) != 0)
		i++;
	if (!distribution_kinds[i])
		return value_refuse(reader, full, dist, expected);
	*kind = (enum distribution_kind)i;
	return 0;
}

static int find_parameter(const struct reader *reader, const char *key,
			  enum distribution_kind kind, const char *name,
			  const struct yaml_value *value, size_t *parameter)
{
	char names[NAMES_MAX], quoted[NAMES_MAX];
	size_t i = 0;

	while (i < DISTRIBUTION_PARAMETERS &&
	       strcmp(distribution_parameters[i].name, name) != 0)
		i++;
	if (i < DISTRIBUTION_PARAMETERS && distribution_uses(kind, i)) {
		*parameter = i;
		return 0;
	}
	distribution_used(kind, names, sizeof(names));
	if (i < DISTRIBUTION_PARAMETERS)
		value_fault(reader, value,
			    "%s.%s: has no effect with dist %s; expected %s",
			    key, name, distribution_kinds[kind], names);
	else
		value_fault(reader, value,
			    "unknown key %s in %s; expected %s with dist %s",
			    value_quote(name, quoted, sizeof(quoted)), key,
			    names, distribution_kinds[kind]);
	return -EINVAL;
}

static int read_number(const struct reader *reader, const struct field *field,
		       const char *key, const char *name,
		       const struct yaml_value *value, double *number)
{
	/* A spread may be nothing where a value may not. */
	double low = strcmp(name, "stdev") == 0 ? 0 : field->low;
	uint64_t amount;
	int error = value_read_amount(reader, field, key, value, low, &amount);

	if (!error)
		*number = (double)amount;
	return error;
}

/* How many there are; 0 when that is no list of values, or too long. */
static uint32_t count_values(const struct yaml_value *list)
{
	const struct yaml_value *value = list->child;
	uint32_t count = 0;

	if (list->kind != YAML_LIST)
		return 0;
	for (; value && count <= SEQUENCE_VALUES_MAX; value = value->next)
		count++;
	return count <= SEQUENCE_VALUES_MAX ? count : 0;
}

static int fill_values(const struct reader *reader, const struct field *field,
		       const char *key, const struct yaml_value *list,
		       double *values)
{
	const struct yaml_value *value;
	uint64_t amount;
	int error;

	for (value = list->child; value; value = value->next) {
		error = value_read_amount(reader, field, key, value, field->low,
					  &amount);
		if (error)
			return error;
		*values++ = (double)amount;
	}
	return 0;
}

static int memory_fault(const struct reader *reader,
			const struct yaml_value *list, const char *key)
{
	value_fault(reader, list, "%s: not enough memory to read it", key);
	return -ENOMEM;
}

/* The values of a cycle. */
static int read_values(const struct reader *reader, const struct field *field,
		       const char *key, const struct yaml_value *list,
		       struct distribution *distribution)
{
	uint32_t count = count_values(list);
	double *values;
	int error;

	if (!count) {
		value_fault(reader, list,
			    "%s: expected a list of 1 to %d values", key,
			    SEQUENCE_VALUES_MAX);
		return -EINVAL;
	}
	values = calloc(count, sizeof(*values));
	if (!values)
		return memory_fault(reader, list, key);
	error = fill_values(reader, field, key, list, values);
	if (error)
		goto free_values;
	distribution->value_count = count;
	distribution->values = sequence_keep(values, count);
	if (!distribution->values)
		error = memory_fault(reader, list, key);
free_values:
	free(values);
	return error;
}

static int read_parameter(const struct reader *reader,
			  const struct field *field, const char *key,
			  size_t parameter, const struct yaml_value *value,
			  struct distribution *distribution)
{
	const char *name = distribution_parameters[parameter].name;
	char full[FIELD_KEY_MAX];

	snprintf(full, sizeof(full), "%s.%s", key, name);
	if (distribution->kind == DISTRIBUTION_CYCLE)
		return read_values(reader, field, full, value, distribution);
	return read_number(reader, field, full, name, value,
			   place(distribution, parameter));
}

static int read_parameters(const struct reader *reader,
			   const struct field *field, const char *key,
			   const struct yaml_value *map,
			   struct distribution *distribution)
{
	bool given[DISTRIBUTION_PARAMETERS] = { false };
	const struct yaml_value *value;
	char names[NAMES_MAX];
	size_t i;
	int error;

	for (value = map->child; value; value = value->next) {
		if (strcmp(value->key, "dist") == 0)
			continue;
		error = find_parameter(reader, key, distribution->kind,
				       value->key, value, &i);
		if (error)
			return error;
		error = read_parameter(reader, field, key, i, value,
				       distribution);
		if (error)
			return error;
		given[i] = true;
	}
	for (i = 0; i < DISTRIBUTION_PARAMETERS; i++) {
		if (given[i] || !distribution_uses(distribution->kind, i))
			continue;
		value_fault(reader, map, "%s.%s: not given; dist %s expects %s",
			    key, distribution_parameters[i].name,
			    distribution_kinds[distribution->kind],
			    distribution_used(distribution->kind, names,
					      sizeof(names)));
		return -EINVAL;
	}
	return 0;
}

/* The rarest draws must still be possible: an example must fit a request, and
 * a time must not outlast the run's clock. */
#define TAIL_BYTES_MAX (INT64_C(15) << 30)
#define TAIL_NS_MAX INT64_C(100000000000000000) /* three years */

/* What the parameters must be to each other; NULL when they are. */
static const char *disorder(const struct distribution *distribution)
{
	const struct distribution *d = distribution;

	switch (d->kind) {
	case DISTRIBUTION_UNIFORM:
		return d->low <= d->high ? NULL : "low <= high";
	case DISTRIBUTION_NORMAL:
		/* Draws below 0 become 0: with more of them the mean would
		 * no longer be the mean. */
		return d->stdev <= d->mean ? NULL : "stdev <= mean";
	case DISTRIBUTION_LOGNORMAL:
		return d->mean > 0 ? NULL : "a mean above 0";
	case DISTRIBUTION_QUANTILES:
		if (d->p50 <= d->p90 && d->p90 <= d->p99 && d->p99 <= d->p999)
			return NULL;
		return "p50 <= p90 <= p99 <= p999";
	default:
		return NULL;
	}
}

static int finish(const struct reader *reader, const struct field *field,
		  const char *key, const struct yaml_value *value,
		  struct distribution *distribution)
{
	int64_t tail_max = field->kind == FIELD_BYTES_DIST ? TAIL_BYTES_MAX :
							     TAIL_NS_MAX;
	const char *expected = disorder(distribution);

	if (!expected) {
		distribution_prepare(distribution);
		if (distribution_draw(distribution, UINT64_MAX) > tail_max)
			expected =
				field->kind == FIELD_BYTES_DIST ?
					"no size above 15 GiB, however rare" :
					"no time above 3 years, however rare";
	}
	if (!expected)
		return 0;
	value_fault(reader, value, "%s: expected %s", key, expected);
	return -EINVAL;
}

int distribution_read(const struct reader *reader, const struct field *field,
		      const char *key, const struct yaml_value *value,
		      struct distribution *distribution)
{
	struct distribution read = { .kind = DISTRIBUTION_CONSTANT };
	uint64_t amount;
	int error;

	if (value->kind != YAML_MAP) {
		error = value_read_amount(reader, field, key, value, field->low,
					  &amount);
		if (!error)
			*distribution = distribution_constant((double)amount);
		return error;
	}
	error = read_kind(reader, key, value, &read.kind);
	if (error)
		return error;
	error = read_parameters(reader, field, key, value, &read);
	if (error)
		return error;
	error = finish(reader, field, key, value, &read);
	if (error)
		return error;
	*distribution = read;
	return 0;
}

int distribution_read_parameter(const struct reader *reader,
				const struct field *field, const char *key,
				const char *name,
				const struct yaml_value *value,
				struct distribution *distribution)
{
	struct distribution read = *distribution;
	size_t parameter;
	int error;

	error = find_parameter(reader, key, read.kind, name, value, &parameter);
	if (error)
		return error;
	error = read_parameter(reader, field, key, parameter, value, &read);
	if (error)
		return error;
	error = finish(reader, field, key, value, &read);
	if (error)
		return error;
	*distribution = read;
	return 0;
}
