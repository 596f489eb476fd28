/* SPDX-License-Identifier: MIT */
#include "traces/device/scale.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "traces/device/member.h"
#include "traces/member.h"
#include "traces/units.h"

#define GIB 0x1p30
#define TIB 0x1p40
#define SIZE_KEY DEVICE_KEY ".size"
#define RULE_EXAMPLE "a rule such as {per_gib: 3, min: 100, max: 16000}"

/* ---- the field that a rule is for ---- */

/* What holds the field's member. */
static void *base_of(struct scenario *scenario, const struct field *field,
		     uint32_t bucket)
{
	if (field_is_listed(field))
		return &scenario->storage.profile.buckets[bucket];
	return scenario;
}

/* The row as its values are written: in ops or in bytes. */
static struct field written(struct scenario *scenario,
			    const struct field *field, uint32_t bucket)
{
	return member_field(field, base_of(scenario, field, bucket));
}

static bool is_amount(const struct field *field)
{
	switch (field->kind) {
	case FIELD_COUNT:
	case FIELD_BYTES:
	case FIELD_RATE:
	case FIELD_TIME:
	case FIELD_WORK:
	case FIELD_WORK_RATE:
		return true;
	default:
		return false;
	}
}

static const struct field *find(const struct scenario *scenario,
				const char *path, uint32_t *bucket)
{
	const struct field *field = device_bucket_find(scenario, path, bucket);
	char key[FIELD_KEY_MAX];

	if (field)
		return field;
	*bucket = 0;
	if (snprintf(key, sizeof(key), DEVICE_KEY ".%s", path) >=
	    (int)sizeof(key))
		return NULL;
	return field_find(key);
}

/* ---- rules ---- */

#define RULE_KEY DEVICE_KEY ".scale.KEY."
#define AMOUNT "as KEY"

const struct scale_key scale_keys[] = {
	{ RULE_KEY "value", AMOUNT,
	  "KEY, a field of the device, as it is where its size is no matter; "
	  "a list of such rules: the first whose up_to is not below the "
	  "size." },
	{ RULE_KEY "per_gib", AMOUNT,
	  "How much KEY grows with each GiB of storage.device.size, on top of "
	  "value." },
	{ RULE_KEY "per_tib", AMOUNT, "The same with each TiB." },
	{ RULE_KEY "min", AMOUNT, "KEY at least." },
	{ RULE_KEY "max", AMOUNT, "KEY at most." },
	{ RULE_KEY "up_to", "size",
	  "The largest size that the rule is for; where all of a list have "
	  "one, the device comes no larger." },
};

const size_t scale_key_count = sizeof(scale_keys) / sizeof(scale_keys[0]);

/* Where each key of a rule goes. */
struct rule_reader {
	struct device_scale scale;
	struct field field; /* as its values are written */
	bool value;	    /* given */
	bool per_size;
};

static int read_amount(const struct reader *reader, const struct field *field,
		       const char *key, const struct yaml_value *value,
		       double *at)
{
	uint64_t amount;
	int error = value_read_amount(reader, field, key, value, 0, &amount);

	if (!error)
		*at = (double)amount;
	return error;
}

static int read_per_size(const struct reader *reader, struct rule_reader *rule,
			 const char *key, const struct yaml_value *value,
			 double unit)
{
	int error;

	if (rule->per_size)
		return value_refuse(reader, key, value,
				    "only one of per_gib, per_tib");
	rule->per_size = true;
	error = read_amount(reader, &rule->field, key, value,
			    &rule->scale.per_byte);
	rule->scale.per_byte /= unit;
	return error;
}

static int read_rule_member(const struct reader *reader,
			    struct rule_reader *rule, const char *key,
			    const struct yaml_value *value)
{
	struct device_scale *scale = &rule->scale;
	const struct field *amount = &rule->field;
	const char *name = value->key;
	char full[2 * FIELD_KEY_MAX], quoted[FIELD_KEY_MAX];

	snprintf(full, sizeof(full), "%s.%s", key, name);
	if (strcmp(name, "min") == 0)
		return read_amount(reader, amount, full, value, &scale->low);
	if (strcmp(name, "max") == 0)
		return read_amount(reader, amount, full, value, &scale->high);
	if (strcmp(name, "up_to") == 0)
		return read_amount(reader, field_find(SIZE_KEY), full, value,
				   &scale->up_to_bytes);
	if (strcmp(name, "per_gib") == 0)
		return read_per_size(reader, rule, full, value, GIB);
	if (strcmp(name, "per_tib") == 0)
		return read_per_size(reader, rule, full, value, TIB);
	if (strcmp(name, "value") == 0) {
		rule->value = true;
		return read_amount(reader, amount, full, value, &scale->value);
	}
	value_fault(reader, value,
		    "%s: unknown key %s; expected value, per_gib, "
		    "per_tib, min, max or up_to",
		    key, value_quote(name, quoted, sizeof(quoted)));
	return -EINVAL;
}

static int read_rule(const struct reader *reader, struct scenario *scenario,
		     const char *key, const struct field *field,
		     uint32_t bucket, const struct yaml_value *map)
{
	struct rule_reader rule = {
		.scale = { .field = field, .bucket = bucket },
		.field = written(scenario, field, bucket),
	};
	const struct yaml_value *value;
	int error;

	if (map->kind != YAML_MAP)
		return value_refuse(reader, key, map, RULE_EXAMPLE);
	for (value = map->child; value; value = value->next) {
		error = read_rule_member(reader, &rule, key, value);
		if (error)
			return error;
	}
	if (!rule.value && !rule.per_size)
		return value_refuse(reader, key, map,
				    "value, per_gib or per_tib in it");
	if (scenario->storage.scale_count == DEVICE_SCALES_MAX) {
		value_fault(reader, map,
			    "%s: more than %d rules; expected "
			    "fewer",
			    key, DEVICE_SCALES_MAX);
		return -EINVAL;
	}
	scenario->storage.scales[scenario->storage.scale_count++] = rule.scale;
	return 0;
}

static int read_rules(const struct reader *reader, struct scenario *scenario,
		      const char *key, const struct yaml_value *value)
{
	char full[2 * FIELD_KEY_MAX], quoted[FIELD_KEY_MAX];
	const struct yaml_value *rule;
	const struct field *field;
	uint32_t bucket;
	int error = 0;

	field = find(scenario, value->key, &bucket);
	if (!field || !is_amount(field) || strcmp(field->key, SIZE_KEY) == 0) {
		value_fault(reader, value,
			    "unknown key %s in %s; expected a field of the "
			    "device that is an amount, such as bandwidth or "
			    "buckets.0.baseline",
			    value_quote(value->key, quoted, sizeof(quoted)),
			    key);
		return -EINVAL;
	}
	device_forget_scale(scenario, field, bucket);
	snprintf(full, sizeof(full), "%s.%s", key, value->key);
	if (value->kind != YAML_LIST)
		return read_rule(reader, scenario, full, field, bucket, value);
	for (rule = value->child; rule && !error; rule = rule->next)
		error = read_rule(reader, scenario, full, field, bucket, rule);
	return error;
}

int scale_read(const struct reader *reader, struct scenario *scenario,
	       const char *key, const struct yaml_value *map)
{
	const struct yaml_value *value;
	int error;

	if (map->kind != YAML_MAP)
		return value_refuse(reader, key, map,
				    "a map of fields and rules such as "
				    "{iops: {per_gib: 3, min: 100}}");
	for (value = map->child; value; value = value->next) {
		error = read_rules(reader, scenario, key, value);
		if (error)
			return error;
	}
	return 0;
}

/* ---- size ---- */

static void store(const struct field *field, void *base, double value)
{
	void *at = (char *)base + field->offset;

	if (field->kind == FIELD_WORK || field->kind == FIELD_WORK_RATE)
		*(double *)at = (double)(uint64_t)(value + 0.5);
	else if (field->kind == FIELD_TIME)
		*(int64_t *)at = (int64_t)(value + 0.5);
	else if (field->size == sizeof(uint32_t))
		*(uint32_t *)at = (uint32_t)(value + 0.5);
	else
		*(uint64_t *)at = (uint64_t)(value + 0.5);
}

static int refuse_size(const struct reader *reader,
		       const struct scenario *scenario,
		       const struct yaml_value *value, const char *expected)
{
	char size[32];

	value_fault(reader, value, SIZE_KEY ": found %s; expected %s",
		    units_print(UNITS_BYTES, scenario->storage.size_bytes, size,
				sizeof(size)),
		    expected);
	return -EINVAL;
}

static int apply(const struct reader *reader, struct scenario *scenario,
		 const struct yaml_value *value,
		 const struct device_scale *scale)
{
	struct field field = written(scenario, scale->field, scale->bucket);
	double amount = scale->value +
			scale->per_byte * (double)scenario->storage.size_bytes;
	char expected[160], range[120];

	if (amount < scale->low)
		amount = scale->low;
	if (scale->high > 0 && amount > scale->high)
		amount = scale->high;
	if (amount < field.low || amount > field.high) {
		snprintf(expected, sizeof(expected), "one that makes %.30s %s",
			 field.key + strlen(DEVICE_KEY "."),
			 field_expect(&field, range, sizeof(range)));
		return refuse_size(reader, scenario, value, expected);
	}
	store(scale->field, base_of(scenario, scale->field, scale->bucket),
	      amount);
	return 0;
}

static bool same_field(const struct device_scale *one,
		       const struct device_scale *other)
{
	return one->field == other->field && one->bucket == other->bucket;
}

/* The rules of one field, from `at` on: the first that fits. *at moves behind
 * them. */
static int apply_rules(const struct reader *reader, struct scenario *scenario,
		       const struct yaml_value *value, uint32_t *at)
{
	const struct device_scale *first = &scenario->storage.scales[*at];
	const struct device_scale *end =
		scenario->storage.scales + scenario->storage.scale_count;
	const struct device_scale *fits = NULL;
	const struct device_scale *last = first;
	double size = (double)scenario->storage.size_bytes;
	const struct device_scale *scale;
	char most[32], expected[64];

	for (scale = first; scale < end && same_field(scale, first); scale++) {
		if (!fits &&
		    (scale->up_to_bytes <= 0 || size <= scale->up_to_bytes))
			fits = scale;
		last = scale;
	}
	*at += (uint32_t)(scale - first);
	if (fits)
		return apply(reader, scenario, value, fits);
	snprintf(expected, sizeof(expected), "at most %s",
		 units_print(UNITS_BYTES, (uint64_t)last->up_to_bytes, most,
			     sizeof(most)));
	return refuse_size(reader, scenario, value, expected);
}

/* Does the size cost something? */
static bool is_paid_for(const struct scenario *scenario)
{
	return scenario->storage.facts.price.per_gib_month > 0 ||
	       scenario->prices.storage.per_gib_month > 0;
}

int scale_apply(const struct reader *reader, struct scenario *scenario,
		const struct yaml_value *value, bool size_given)
{
	uint32_t at = 0;
	int error = 0;

	if (size_given && !scenario->storage.scale_count &&
	    !is_paid_for(scenario)) {
		value_fault(reader, value,
			    SIZE_KEY
			    ": has no effect here; expected only with a "
			    "device whose rates or price depend on it");
		return -EINVAL;
	}
	if (scenario->storage.scale_count && !scenario->storage.size_bytes) {
		value_fault(reader, value,
			    SIZE_KEY ": not given; expected a size such as "
				     "100 GiB, for " DEVICE_KEY ".scale");
		return -EINVAL;
	}
	while (!error && at < scenario->storage.scale_count)
		error = apply_rules(reader, scenario, value, &at);
	return error;
}
