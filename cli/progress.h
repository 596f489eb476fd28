/* SPDX-License-Identifier: MIT */
/*
 * How far along, on stderr: on a terminal one line that is written over, else
 * (when asked for) a line now and then. Silent for the first two seconds, so
 * that quick work says nothing.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	char label[96];
	bool shown; /* at all */
	bool terminal;
	bool line_open; /* a line stands that must be cleared */
	int64_t start_ns;
	int64_t last_ns;
};

/* `asked`: also when stderr is not a terminal; `quiet`: never. */
void progress_init(struct progress *progress, bool asked, bool quiet);

/* Something new begins. */
void progress_start(struct progress *progress, const char *label);

/* `done` of it, 0 to 1, is behind us. Cheap enough to call often. */
void progress_update(struct progress *progress, double done);

/* Clears the line. */
void progress_stop(struct progress *progress);

#endif
