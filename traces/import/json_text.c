/* SPDX-License-Identifier: MIT */
#include "traces/import/json_text.h"

#include <string.h>

#define REPLACEMENT 0xfffd /* for half a pair of UTF-16 */

void json_text_init(struct json_text *json, struct lines *lines)
{
	json->lines = lines;
	lines->number = 1;
	json->bytes = NULL;
	json->size = json->at = 0;
	json->at_line_end = false;
	json->error = 0;
}

/* The next byte without taking it; -1 at the end. */
static int peek(struct json_text *json)
{
	if (json->at == json->size) {
		if (json->error)
			return -1;
		lines_skip(json->lines, json->size);
		json->at = json->size = 0;
		json->error =
			lines_peek(json->lines, 1, &json->bytes, &json->size);
		if (json->error || !json->size) {
			json->size = 0;
			return -1;
		}
	}
	return (unsigned char)json->bytes[json->at];
}

/* Takes the byte that peek() showed. */
static void take(struct json_text *json)
{
	json->at_line_end = json->bytes[json->at++] == '\n';
	json->lines->number += json->at_line_end;
}

static void keep(struct json_text *json, int byte)
{
	if (json->length < JSON_TEXT_MAX)
		json->text[json->length++] = (char)byte;
	else
		json->cut = true;
}

static void keep_point(struct json_text *json, uint32_t point)
{
	if (point < 0x80) {
		keep(json, (int)point);
		return;
	}
	if (point >= 0x10000) {
		keep(json, (int)(0xf0 | point >> 18));
		keep(json, (int)(0x80 | (point >> 12 & 0x3f)));
	} else if (point >= 0x800) {
		keep(json, (int)(0xe0 | point >> 12));
	} else {
		keep(json, (int)(0xc0 | point >> 6));
	}
	if (point >= 0x800)
		keep(json, (int)(0x80 | (point >> 6 & 0x3f)));
	keep(json, (int)(0x80 | (point & 0x3f)));
}

/* The four digits behind \u. */
static bool take_unit(struct json_text *json, uint32_t *unit)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *found;
	int byte, i;

	*unit = 0;
	for (i = 0; i < 4; i++) {
		byte = peek(json);
		found = byte > 0 ? strchr(digits, byte) : NULL;
		if (!found)
			return false;
		take(json);
		*unit = *unit << 4 | (uint32_t)((found - digits) % 16);
	}
	return true;
}

/* Behind \u; a pair of units is one sign. */
static bool take_escaped(struct json_text *json)
{
	uint32_t unit, other;

	if (!take_unit(json, &unit))
		return false;
	if (unit < 0xd800 || unit > 0xdfff) {
		keep_point(json, unit);
		return true;
	}
	if (unit > 0xdbff || peek(json) != '\\') {
		keep_point(json, REPLACEMENT);
		return true;
	}
	take(json);
	if (peek(json) != 'u')
		return false;
	take(json);
	if (!take_unit(json, &other))
		return false;
	if (other < 0xdc00 || other > 0xdfff)
		keep_point(json, REPLACEMENT);
	else
		keep_point(json,
			   0x10000 + ((unit & 0x3ff) << 10 | (other & 0x3ff)));
	return true;
}

static bool take_escape(struct json_text *json)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int byte = peek(json);
	const char *found;

	if (byte <= 0)
		return false;
	take(json);
	if (byte == 'u')
		return take_escaped(json);
	found = strchr(from, byte);
	if (!found)
		return false;
	keep(json, to[found - from]);
	return true;
}

/* Behind the opening quote. */
static enum json_token take_string(struct json_text *json)
{
	int byte;

	while ((byte = peek(json)) >= 0) {
		take(json);
		if (byte == '"')
			return JSON_TEXT;
		if (byte == '\\') {
			if (!take_escape(json))
				return JSON_WRONG;
		} else if (byte < 0x20) {
			return JSON_WRONG;
		} else {
			keep(json, byte);
		}
	}
	return JSON_END;
}

static bool is_plain(int byte)
{
	return byte > 0 &&
	       (memchr("+-.", byte, 3) || (byte >= '0' && byte <= '9') ||
		(byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'));
}

static enum json_token take_plain(struct json_text *json)
{
	while (is_plain(peek(json))) {
		keep(json, peek(json));
		take(json);
	}
	return json->length && !json->cut ? JSON_NUMBER : JSON_WRONG;
}

enum json_token json_text_next(struct json_text *json)
{
	enum json_token token;
	int byte;

	json->length = 0;
	json->cut = false;
	while ((byte = peek(json)) > 0 && memchr(" \t\r\n", byte, 4))
		take(json);
	if (byte < 0)
		return JSON_END;
	if (byte > 0 && memchr("{}[]:,", byte, 6)) {
		json->sign = (char)byte;
		take(json);
		return JSON_SIGN;
	}
	if (byte == '"') {
		take(json);
		token = take_string(json);
	} else {
		token = take_plain(json);
	}
	json->text[json->length] = '\0';
	return token;
}

void json_text_skip_line(struct json_text *json)
{
	while (!json->at_line_end && peek(json) >= 0)
		take(json);
	json->at_line_end = false;
}

static bool is_sign(const struct json_text *json, enum json_token token,
		    char sign)
{
	return token == JSON_SIGN && json->sign == sign;
}

enum json_token json_text_skip(struct json_text *json, enum json_token token)
{
	size_t depth = 0;

	for (;;) {
		if (token == JSON_WRONG || token == JSON_END)
			return token;
		if (is_sign(json, token, '{') || is_sign(json, token, '['))
			depth++;
		else if (is_sign(json, token, '}') || is_sign(json, token, ']'))
			depth = depth ? depth - 1 : JSON_DEPTH_MAX + 1;
		else if (!depth && token == JSON_SIGN)
			return JSON_WRONG;
		if (depth > JSON_DEPTH_MAX)
			return JSON_WRONG;
		if (!depth)
			return token;
		token = json_text_next(json);
	}
}

/* The path of a member in an object that is itself one. */
struct place {
	char path[JSON_PATH_MAX];
	size_t outer; /* so much of it is the outer object's name and a point */
};

/* Puts the name behind what leads to it; too long a one is nobody's. */
static void set_name(struct place *place, const struct json_text *json)
{
	size_t room = sizeof(place->path) - 1 - place->outer;
	size_t length = json->length < room ? json->length : 0;

	memcpy(place->path + place->outer, json->text, length);
	place->path[place->outer + length] = '\0';
}

static enum json_token keep_value(const struct json_text *json,
				  enum json_token token,
				  const struct place *place,
				  struct json_member *members, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (strcmp(members[i].path, place->path))
			continue;
		members[i].found = true;
		members[i].is_text = token == JSON_TEXT;
		members[i].length = json->length;
		memcpy(members[i].text, json->text, json->length + 1);
	}
	return token;
}

/* Behind a member's name. Goes into an object, one deep, by saying so. */
static enum json_token take_value(struct json_text *json, struct place *place,
				  struct json_member *members, size_t count,
				  bool *entered)
{
	enum json_token token = json_text_next(json);

	if (!is_sign(json, token, ':'))
		return token == JSON_END ? token : JSON_WRONG;
	token = json_text_next(json);
	if (token == JSON_TEXT || token == JSON_NUMBER)
		return keep_value(json, token, place, members, count);
	if (!is_sign(json, token, '{') || place->outer ||
	    strlen(place->path) + 2 > sizeof(place->path))
		return json_text_skip(json, token);
	place->outer = strlen(place->path);
	place->path[place->outer++] = '.';
	place->path[place->outer] = '\0';
	*entered = true;
	return token;
}

enum json_token json_text_members(struct json_text *json,
				  struct json_member *members, size_t count)
{
	struct place place = { 0 };
	enum json_token token;
	bool first = true, entered;
	size_t i;

	for (i = 0; i < count; i++)
		members[i].found = false;
	for (;;) {
		token = json_text_next(json);
		if (is_sign(json, token, '}')) {
			if (!place.outer)
				return token;
			place.outer = 0;
			first = false;
			continue;
		}
		if (!first && is_sign(json, token, ','))
			token = json_text_next(json);
		else if (!first)
			return token == JSON_END ? token : JSON_WRONG;
		if (token != JSON_TEXT)
			return token == JSON_END ? token : JSON_WRONG;
		set_name(&place, json);
		entered = false;
		token = take_value(json, &place, members, count, &entered);
		if (token == JSON_WRONG || token == JSON_END)
			return token;
		first = entered;
	}
}
