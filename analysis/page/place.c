/* SPDX-License-Identifier: MIT */
#include "analysis/page/place.h"

#include <stdio.h>

#include "analysis/value.h"

#define AXES_MAX 8

const struct node *place_axis(const struct node *root, size_t axis)
{
	return node_item(node_at(root, "axes"), axis);
}

size_t place_axis_count(const struct node *root)
{
	size_t count = node_count(node_at(root, "axes"));

	return count < AXES_MAX ? count : AXES_MAX;
}

const struct node *place_at(const struct node *root, size_t point, size_t axis)
{
	const struct node *at =
		node_at(node_item(node_at(root, "points"), point), "at");
	const char *key = node_text(place_axis(root, axis), "key");

	return key ? node_member(at, key) : NULL;
}

const char *place_word(const struct node *root, size_t point, size_t axis,
		       char *text, size_t size)
{
	const struct node *value = place_at(root, point, axis);
	struct metric_value number = node_value(value, METRIC_REAL);
	const char *unit = node_text(place_axis(root, axis), "unit");
	const char *word = node_value(value, METRIC_TEXT).text;

	if (number.known && unit && unit[0])
		return value_human(METRIC_REAL, unit, number, text, size);
	if (number.known)
		snprintf(text, size, "%.9g", number.real);
	else
		snprintf(text, size, "%s", word ? word : "");
	return text;
}

const char *place_text(const struct node *root, size_t point, size_t except,
		       char *text, size_t size)
{
	char value[VALUE_TEXT_MAX * 2];
	const char *key;
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < place_axis_count(root) && used < size; i++) {
		key = node_text(place_axis(root, i), "key");
		if (i == except || !key)
			continue;
		used += (size_t)snprintf(
			text + used, size - used, "%s%s=%s", used ? ", " : "",
			key, place_word(root, point, i, value, sizeof(value)));
	}
	return text;
}

const char *place_values(const struct node *root, size_t point, char *text,
			 size_t size)
{
	char value[VALUE_TEXT_MAX * 2];
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < place_axis_count(root) && used < size; i++)
		used += (size_t)snprintf(
			text + used, size - used, "%s%s", used ? ", " : "",
			place_word(root, point, i, value, sizeof(value)));
	return text;
}

const char *place_keys(const struct node *root, char *text, size_t size)
{
	const char *key;
	size_t used = 0, i;

	text[0] = '\0';
	for (i = 0; i < place_axis_count(root) && used < size; i++) {
		key = node_text(place_axis(root, i), "key");
		if (key)
			used += (size_t)snprintf(text + used, size - used,
						 "%s%s", used ? ", " : "", key);
	}
	return text;
}
