/* SPDX-License-Identifier: MIT */
#include "analysis/scenario_data.h"

#include <string.h>

#include "analysis/hosts.h"
#include "traces/field.h"

#define NS_PER_S 1e9
#define FIELD_PRINT_MAX 512

/* Where a value goes. */
struct place {
	struct document *document;
	struct node *object;
	const char *path;
};

static void set(const struct place *place, enum metric_kind kind,
		struct metric_value value)
{
	document_set(place->document, place->object, place->path, kind, value);
}

/* ---- distributions ---- */

struct parameter {
	const char *name;
	size_t offset;
};

#define PARAMETER(member)                                                      \
	{                                                                      \
#member, offsetof(struct distribution, member)                 \
	}
#define PARAMETERS_MAX 4

/* What each kind is called, and the parameters it has. */
static const struct {
	const char *name;
	struct parameter parameters[PARAMETERS_MAX];
} kinds[] = {
	[DISTRIBUTION_UNIFORM] = { "uniform",
				   { PARAMETER(low), PARAMETER(high) } },
	[DISTRIBUTION_EXPONENTIAL] = { "exponential", { PARAMETER(mean) } },
	[DISTRIBUTION_NORMAL] = { "normal",
				  { PARAMETER(mean), PARAMETER(stdev) } },
	[DISTRIBUTION_LOGNORMAL] = { "lognormal",
				     { PARAMETER(mean), PARAMETER(stdev) } },
	[DISTRIBUTION_QUANTILES] = { "quantiles",
				     { PARAMETER(p50), PARAMETER(p90),
				       PARAMETER(p99), PARAMETER(p999) } },
	[DISTRIBUTION_CYCLE] = { "cycle", { { NULL, 0 } } },
};

static void set_values(struct document *document, struct node *object,
		       const struct distribution *cycle, double unit)
{
	struct node *list = document_list(document, object, "values");
	uint32_t i;

	for (i = 0; i < cycle->value_count; i++)
		document_append(document, list, METRIC_REAL,
				value_real(cycle->values[i] / unit));
}

static void set_distribution(const struct place *place,
			     const struct distribution *distribution,
			     double unit)
{
	const struct parameter *parameter;
	struct node *object;
	double value;

	if (distribution->kind == DISTRIBUTION_CONSTANT) {
		set(place, METRIC_REAL, value_real(distribution->mean / unit));
		return;
	}
	object = document_object(place->document, place->object, place->path);
	document_set(place->document, object, "dist", METRIC_TEXT,
		     value_text(kinds[distribution->kind].name));
	for (parameter = kinds[distribution->kind].parameters; parameter->name;
	     parameter++) {
		memcpy(&value, (const char *)distribution + parameter->offset,
		       sizeof(value));
		document_set(place->document, object, parameter->name,
			     METRIC_REAL, value_real(value / unit));
	}
	if (distribution->kind == DISTRIBUTION_CYCLE)
		set_values(place->document, object, distribution, unit);
}

/* ---- fields ---- */

static uint64_t whole(const struct field *field, const void *member)
{
	uint32_t small;
	uint64_t large;

	if (field->size == sizeof(small)) {
		memcpy(&small, member, sizeof(small));
		return small;
	}
	memcpy(&large, member, sizeof(large));
	return large;
}

static void set_field(const struct place *place, const struct field *field,
		      const void *base)
{
	const char *member = (const char *)base + field->offset;
	char text[FIELD_PRINT_MAX];
	double number;
	int64_t time_ns;
	int name;

	/* Not given, and without default. */
	if (!field_print(field, base, text, sizeof(text))[0]) {
		set(place, METRIC_REAL, value_unknown());
		return;
	}
	switch (field->kind) {
	case FIELD_TEXT:
		set(place, METRIC_TEXT, value_text(member));
		return;
	case FIELD_BOOL:
		set(place, METRIC_BOOL, value_bool(*(const bool *)member));
		return;
	case FIELD_NUMBER:
	case FIELD_WORK:
	case FIELD_WORK_RATE:
		memcpy(&number, member, sizeof(number));
		set(place, METRIC_REAL, value_real(number));
		return;
	case FIELD_TIME:
		memcpy(&time_ns, member, sizeof(time_ns));
		set(place, METRIC_REAL, value_real((double)time_ns / NS_PER_S));
		return;
	case FIELD_ENUM:
		memcpy(&name, member, sizeof(name));
		set(place, METRIC_TEXT, value_text(field->names[name]));
		return;
	case FIELD_TIME_DIST:
		set_distribution(place, (const void *)member, NS_PER_S);
		return;
	case FIELD_BYTES_DIST:
		set_distribution(place, (const void *)member, 1);
		return;
	default:
		set(place, METRIC_COUNT, value_count(whole(field, member)));
	}
}

/* The elements of a list, such as echo strategies. */
static void set_list(const struct place *place, const char *list,
		     const void *elements, size_t count, size_t size)
{
	struct node *items =
		document_list(place->document, place->object, list);
	struct place within = { place->document, NULL, NULL };
	size_t i, k;

	for (i = 0; i < count; i++) {
		within.object = document_item(place->document, items);
		for (k = 0; k < field_count; k++) {
			within.path = field_listed_in(&field_table[k], list);
			if (within.path)
				set_field(&within, &field_table[k],
					  (const char *)elements + i * size);
		}
	}
}

void scenario_data(struct document *document, struct node *object,
		   const struct scenario *scenario)
{
	const struct device_profile *profile = &scenario->storage.profile;
	char path[FIELD_KEY_MAX + sizeof(".name")];
	const struct place place = { document, object, path };
	const struct field *field;
	size_t i;

	for (i = 0; i < field_count; i++) {
		field = &field_table[i];
		/* A key may be a section too: storage.device is a name, and
		 * what the name stands for. */
		snprintf(path, sizeof(path), "%s%s", field->key,
			 field_is_section(field->key) ? ".name" : "");
		if (!field_is_listed(field))
			set_field(&place, field, scenario);
	}
	set_list(&place, "storage.device.buckets", profile->buckets,
		 profile->bucket_count, sizeof(profile->buckets[0]));
	set_list(&place, "echo", scenario->echoes, scenario->echo_count,
		 sizeof(scenario->echoes[0]));
}

void setting_data(struct document *document, const struct scenario *scenario)
{
	char text[HOSTS_TEXT_MAX];

	document_set(document, document_data(document), "setting", METRIC_TEXT,
		     value_text(hosts_say(scenario, text, sizeof(text))));
}
