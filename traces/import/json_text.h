/* SPDX-License-Identifier: MIT */
/*
 * JSON as it streams by. A trace may be one object of gigabytes, so no tree
 * is made: signs and values come one after the other, and of an object only
 * the members that were asked for are kept, each up to a fixed length.
 *
 * What is kept has been read exactly; what is passed over only has to have
 * its quotes and brackets in place, at most JSON_DEPTH_MAX deep.
 */
#ifndef TRACES_JSON_TEXT_H
#define TRACES_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/import/lines.h"

#define JSON_TEXT_MAX 4096
#define JSON_DEPTH_MAX 64
#define JSON_PATH_MAX 64

enum json_token {
	JSON_END, /* of the input */
	JSON_WRONG,
	JSON_TEXT,   /* a string, its escapes undone */
	JSON_NUMBER, /* or true, false, null: as it stands there */
	JSON_SIGN,   /* one of {}[]:, */
};

struct json_text {
	struct lines *lines; /* its number counts line feeds that went by */
	const char *bytes;   /* what lines_peek() showed */
	size_t size;
	size_t at;
	bool at_line_end; /* the byte taken last was a line feed */
	int error;	  /* of the source, once; then all is JSON_END */
	/* Of the token taken last. */
	char sign;
	bool cut; /* longer than there is room: text is its beginning */
	size_t length;
	char text[JSON_TEXT_MAX + 1];
};

/* A member of an object that somebody wants: "dur", "args.offset". */
struct json_member {
	const char *path;
	bool found;
	bool is_text;
	size_t length;
	char text[JSON_TEXT_MAX + 1];
};

void json_text_init(struct json_text *json, struct lines *lines);

enum json_token json_text_next(struct json_text *json);

/* Passes over the rest of the line, unless it has just ended. */
void json_text_skip_line(struct json_text *json);

/* Behind a value's first token: passes over the value. JSON_WRONG, JSON_END
 * when it does not end, or else the token. */
enum json_token json_text_skip(struct json_text *json, enum json_token token);

/* Behind a {: takes all up to its }, keeping the wanted members of it and of
 * the objects in it. A member that comes twice is what it was last. */
enum json_token json_text_members(struct json_text *json,
				  struct json_member *members, size_t count);

#endif
