/* SPDX-License-Identifier: MIT */
#include "traces/echo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "traces/member.h"

#define ROW_PREFIX "echo[]."
#define ROW_PREFIX_LENGTH (sizeof(ROW_PREFIX) - 1)

/* A member that counts only in some strategies, and in which. */
struct rule {
	const char *name;
	bool (*counts)(const struct echo *echo);
	const char *needs;
};

static bool echoes(const struct echo *echo)
{
	return echo->place != ECHO_NONE;
}

static bool is_fixed(const struct echo *echo)
{
	return echoes(echo) && echo->policy == ECHO_FIXED;
}

static bool is_starved(const struct echo *echo)
{
	return echoes(echo) && echo->policy == ECHO_WHEN_STARVED;
}

static bool is_batch(const struct echo *echo)
{
	return echo->place == ECHO_BATCH;
}

static const struct rule rules[] = {
	{ "policy", echoes, "a place other than none" },
	{ "factor", is_fixed, "policy fixed and a place other than none" },
	{ "max_factor", is_starved,
	  "policy when-starved and a place other than none" },
	{ "repeat_cost", echoes, "a place other than none" },
	{ "shuffle_batches", is_batch, "place batch" },
};

#define RULE_COUNT (sizeof(rules) / sizeof(rules[0]))

bool echo_counts(const struct echo *echo, const char *name)
{
	size_t i;

	for (i = 0; i < RULE_COUNT; i++)
		if (strcmp(rules[i].name, name) == 0)
			return rules[i].counts(echo);
	return true;
}

static const struct field *row(const char *name)
{
	char key[FIELD_KEY_MAX];

	int length = snprintf(key, sizeof(key), ROW_PREFIX "%s", name);

	return length < (int)sizeof(key) ? field_find(key) : NULL;
}

static bool is_row(const struct field *field)
{
	return strncmp(field->key, ROW_PREFIX, ROW_PREFIX_LENGTH) == 0;
}

void echo_init(struct echo *echo)
{
	const struct reader reader = { .source.name = "default" };
	struct yaml_value value = { .kind = YAML_SCALAR };
	size_t i;

	memset(echo, 0, sizeof(*echo));
	for (i = 0; i < field_count; i++) {
		value.text = field_table[i].fallback;
		if (is_row(&field_table[i]))
			CHECK(!member_read(&reader, &field_table[i],
					   field_table[i].key, &value, echo));
	}
}

bool echo_equal(const struct echo *one, const struct echo *other)
{
	const struct field *field = field_table;

	for (; field < field_table + field_count; field++)
		if (is_row(field) &&
		    memcmp((const char *)one + field->offset,
			   (const char *)other + field->offset, field->size))
			return false;
	return true;
}

static bool is_default(const struct echo *echo, const struct field *field)
{
	struct echo fresh;

	echo_init(&fresh);
	return memcmp((const char *)echo + field->offset,
		      (const char *)&fresh + field->offset, field->size) == 0;
}

static const struct yaml_value *member(const struct yaml_value *map,
				       const char *key)
{
	const struct yaml_value *value = map->child;

	while (value && strcmp(value->key, key) != 0)
		value = value->next;
	return value;
}

/* A map tells what was written; without one, what differs from the default
 * must have been. */
static int check_rules(const struct reader *reader, const struct echo *echo,
		       uint32_t index, const struct yaml_value *map)
{
	static const struct yaml_value nowhere;
	const struct yaml_value *given;
	const struct rule *rule = rules;

	for (; rule < rules + RULE_COUNT; rule++) {
		if (rule->counts(echo))
			continue;
		given = map ? member(map, rule->name) : &nowhere;
		if (!given || (!map && is_default(echo, row(rule->name))))
			continue;
		value_fault(reader, given,
			    "echo.%u.%s: has no effect here; expected only "
			    "with %s",
			    index, rule->name, rule->needs);
		return -EINVAL;
	}
	return 0;
}

int echo_check(const struct echo *echo, uint32_t index, const char *name,
	       struct fault *fault)
{
	const struct reader reader = { { name, false }, fault, 0 };

	return check_rules(&reader, echo, index, NULL);
}

static int check_given(const struct reader *reader, const struct echo *echo,
		       uint32_t index, const struct yaml_value *map)
{
	const char *missing = NULL;

	if (is_fixed(echo) && !member(map, "factor"))
		missing = "factor";
	if (!member(map, "place"))
		missing = "place";
	if (!missing)
		return check_rules(reader, echo, index, map);
	value_fault(reader, map,
		    "echo.%u.%s: not given; expected a strategy such as "
		    "{place: batch, factor: 2} or {place: none}",
		    index, missing);
	return -EINVAL;
}

static int read_member(const struct reader *reader, struct echo *echo,
		       uint32_t index, const char *name,
		       const struct yaml_value *value)
{
	const struct field *field = row(name);
	char key[FIELD_KEY_MAX], quoted[FIELD_KEY_MAX], near[FIELD_KEY_MAX];
	char hint[2 * FIELD_KEY_MAX] = "";

	if (field) {
		snprintf(key, sizeof(key), "echo.%u.%s", index, name);
		return member_read(reader, field, key, value, echo);
	}
	snprintf(key, sizeof(key), ROW_PREFIX "%s", name);
	if (field_nearest(key, near, sizeof(near)))
		snprintf(hint, sizeof(hint), "; did you mean \"%s\"?",
			 strrchr(near, '.') + 1);
	value_fault(reader, value, "unknown key %s in echo.%u%s",
		    value_quote(name, quoted, sizeof(quoted)), index, hint);
	return -EINVAL;
}

static int read_strategy(const struct reader *reader, struct echo *echo,
			 uint32_t index, const struct yaml_value *map)
{
	const struct yaml_value *value;
	char key[FIELD_KEY_MAX];
	int error;

	if (map->kind != YAML_MAP) {
		snprintf(key, sizeof(key), "echo.%u", index);
		return value_refuse(reader, key, map,
				    "a map such as {place: batch, factor: 2}");
	}
	echo_init(echo);
	for (value = map->child; value; value = value->next) {
		error = read_member(reader, echo, index, value->key, value);
		if (error)
			return error;
	}
	return check_given(reader, echo, index, map);
}

static int read_list(const struct reader *reader, struct scenario *scenario,
		     const struct yaml_value *list)
{
	const struct yaml_value *map = list->child;
	uint32_t count = 0;
	int error;

	if (list->kind != YAML_LIST || !map)
		return value_refuse(reader, "echo", list,
				    "a list of strategies such as "
				    "[{place: none}, "
				    "{place: batch, factor: 2}]");
	for (; map; map = map->next) {
		if (count == SCENARIO_ECHOES_MAX) {
			value_fault(reader, map,
				    "echo: more than %d strategies; expected "
				    "fewer",
				    SCENARIO_ECHOES_MAX);
			return -EINVAL;
		}
		error = read_strategy(reader, &scenario->echoes[count], count,
				      map);
		if (error)
			return error;
		count++;
	}
	scenario->echo_count = count;
	return 0;
}

int echo_read(const struct reader *reader, struct scenario *scenario,
	      const char *key, const struct yaml_value *value)
{
	char quoted[FIELD_KEY_MAX];
	const char *name;
	char *end;
	unsigned long index;

	if (strcmp(key, "echo") == 0)
		return read_list(reader, scenario, value);
	name = strrchr(key, '.');
	index = strtoul(key + strlen("echo."), &end, 10);
	if (name && end == name && index < scenario->echo_count &&
	    end > key + strlen("echo."))
		return read_member(reader, &scenario->echoes[index],
				   (uint32_t)index, name + 1, value);
	value_fault(reader, value,
		    "unknown key %s; expected echo.N.KEY with N from 0 to %u",
		    value_quote(key, quoted, sizeof(quoted)),
		    scenario->echo_count - 1);
	return -EINVAL;
}

/* One part of the form of --echo as a member of the strategy. */
static int read_part(const struct reader *reader, struct echo *echo,
		     const char *name, const char *text)
{
	const struct yaml_value value = { .kind = YAML_SCALAR, .text = text };

	return member_read(reader, row(name), name, &value, echo);
}

int scenario_parse_echo(const char *text, struct echo *echo,
			struct fault *fault)
{
	const struct reader reader = { { "--echo", false }, fault, 0 };
	char parts[SCENARIO_TEXT_MAX], quoted[SCENARIO_TEXT_MAX];
	char *rest = parts;
	const char *starved_name = echo_policy_name(ECHO_WHEN_STARVED);
	const char *place, *second, *third;
	bool starved;
	int error;

	echo_init(echo);
	if (snprintf(parts, sizeof(parts), "%s", text) >= (int)sizeof(parts))
		goto refuse;
	place = strsep(&rest, ":");
	second = strsep(&rest, ":");
	third = strsep(&rest, ":");
	error = read_part(&reader, echo, "place", place);
	if (error)
		return error;
	starved = second && strcmp(second, starved_name) == 0;
	if (rest || (third && !starved) || echoes(echo) != (second != NULL))
		goto refuse;
	if (!second)
		return 0;
	if (!starved)
		return read_part(&reader, echo, "factor", second);
	echo->policy = ECHO_WHEN_STARVED;
	return third ? read_part(&reader, echo, "max_factor", third) : 0;
refuse:
	fault_set(fault, "--echo", 0,
		  "found %s; expected none, PLACE:FACTOR such as batch:2, or "
		  "PLACE:when-starved:MAX_FACTOR",
		  value_quote(text, quoted, sizeof(quoted)));
	return -EINVAL;
}
