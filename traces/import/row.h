/* SPDX-License-Identifier: MIT */
/*
 * What an importer works with: it takes lines or records from `lines`, takes
 * them apart with traces/import/scan.h, and hands on events. Every function
 * returns 0, or what the importer is to return at once.
 */
#ifndef TRACES_IMPORT_ROW_H
#define TRACES_IMPORT_ROW_H

#include "traces/import/import.h"
#include "traces/import/lines.h"
#include "traces/import/objects.h"
#include "traces/import/order.h"

#define NS_PER_S INT64_C(1000000000)

struct import {
	const struct importer *importer;
	const struct import_options *options;
	const struct import_sink *sink;
	struct import_report *report;
	struct fault *fault;
	struct objects objects;
	struct objects hosts;
	struct order order;
	int64_t base_ns; /* what out times are counted from */
	bool started;	 /* an event went out */
	bool refused;	 /* by the sink */
	struct lines lines;
};

/* An event of nothing but unknown times. */
struct trace_event import_event(enum trace_event_kind kind);

/* Hands on an event, of which at least one time is known. Times that make no
 * sense are a bad line: out of order, below 0 (of an `absolute` importer they
 * may be, by up to half of RECORDING_TIME_MAX, if none is above the other
 * half), above RECORDING_TIME_MAX. */
int import_put(struct import *import, struct trace_event *event);

/* The line taken last cannot be read, for this reason. */
int import_bad(struct import *import, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A line that holds nothing for us. */
void import_skip(struct import *import);

/* Something the person should know of the whole trace. */
void import_note(struct import *import, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Is a file by that path asked for? For importers with `names_files`. */
bool import_wants(const struct import *import, const void *path, size_t size);

/* The request is of a file that is not. */
void import_leave_out(struct import *import);

/* The number of a file or host by its name. */
int import_object(struct import *import, const void *name, size_t size,
		  uint32_t *number);
int import_host(struct import *import, const void *name, size_t size,
		uint32_t *number);

/* Feeds each line but empty and too long ones to `take`. */
int import_lines(struct import *import,
		 int (*take)(struct import *import, void *state, char *text),
		 void *state);

/* The first lines of a head, for fits(): calls `is` with each, at most
 * `count` of them that are not empty, the last perhaps cut by the end of the
 * head. True when one is. */
bool import_head_has(const char *head, size_t size, size_t count,
		     bool (*is)(const char *line));

/* The rows. */
extern const struct importer import_fio_iolog;
extern const struct importer import_fio_latency;
extern const struct importer import_blkparse;
extern const struct importer import_blktrace;
extern const struct importer import_strace;
extern const struct importer import_darshan;
extern const struct importer import_dftracer;
extern const struct importer import_pytorch;
extern const struct importer import_msr;
extern const struct importer import_alibaba;
extern const struct importer import_oracle;
extern const struct importer import_oracle_operations;

#endif
