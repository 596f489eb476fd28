/* SPDX-License-Identifier: MIT */
/*
 * The rows of the field table that say who carries the work (private to
 * traces/field.c, which they would make too long), and what all rows share.
 */
#ifndef TRACES_FIELD_LOADER_H
#define TRACES_FIELD_LOADER_H

#include "traces/field.h"

/* Bounds that several rows share, in base units. */
#define NONE 0
#define EXAMPLES_MAX 1e12
#define BUFFER_EXAMPLES_MAX 1e8
#define WORKERS_MAX 65536
#define WINDOW_MAX 65536
#define RATE_MIN 1e3
#define RATE_MAX 1e15
#define ITEM_TIME_MAX 3600e9	  /* 1 h */
#define RUN_TIME_MAX 3153600000e9 /* 36,500 d */
#define GIB 1073741824.0
#define SIZE_MAX_BYTES 0x1p60
#define WORK_MAX 0x1p60
#define SEEK_MAX 10e9 /* 10 s */
#define MEDIA_RATE_MIN 1e6
#define PRICE_MIN 1e-9
#define PRICE_MAX 1e6

#define MEMBER(structure, member)                                              \
	offsetof(struct structure, member),                                    \
		sizeof(((struct structure *)0)->member)
#define AT(member) MEMBER(scenario, member)
static const char *const loader_names[] = {
	[LOADER_STAGES] = "stages",
	[LOADER_WORKERS] = "workers",
	NULL,
};

static const char *const restart_names[] = {
	[RESTART_RUN] = "run",
	[RESTART_EPOCH] = "epoch",
	NULL,
};

static const char *const unit_names[] = {
	[WINDOW_EXAMPLE] = "example",
	[WINDOW_BATCH] = "batch",
	NULL,
};

static const char *const token_names[] = {
	[WINDOW_TAKE] = "take",
	[WINDOW_ASK] = "ask",
	NULL,
};

/* clang-format off */
#define LOADER_ROWS                                                            \
	{ "pipeline.loader.like", FIELD_TEXT, AT(loader_like), NONE, NONE,\
	  NULL, "",\
	  "A loader of `list loaders`, from which the other keys differ." },\
	{ "pipeline.loader.kind", FIELD_ENUM, AT(loading.kind), NONE, NONE,\
	  loader_names, "stages",\
	  "Who carries the work. stages: each stage has workers, and examples "\
	  "go through them one by one, as in tf.data; workers: a worker reads, "\
	  "decodes, augments and collates a whole batch alone, as in PyTorch." },\
	{ "pipeline.loader.workers", FIELD_COUNT, AT(loading.workers), 0,\
	  WORKERS_MAX, NULL, "1",\
	  "Workers that carry whole batches, per accelerator (all others are "\
	  "per host); 0: the trainer's own process does it all, and waits." },\
	{ "pipeline.loader.prefetch_factor", FIELD_COUNT,\
	  AT(loading.prefetch_factor), 1, 65536, NULL, "2",\
	  "Batches given to each of these workers and not yet handed over, at "\
	  "most." },\
	{ "pipeline.loader.in_order", FIELD_BOOL, AT(loading.in_order), NONE,\
	  NONE, NULL, "true",\
	  "Batches are handed over in the order they were given to workers, "\
	  "round robin; false: as they finish." },\
	{ "pipeline.loader.reads", FIELD_COUNT, AT(loading.reads), 1, 65536,\
	  NULL, "1",\
	  "Blocks that one of these workers reads ahead within its batch, the "\
	  "one in use included; 1: it waits for each." },\
	{ "pipeline.loader.pad", FIELD_BOOL, AT(loading.pads), NONE, NONE, NULL,\
	  "false",\
	  "Where examples do not divide by accelerators, the first of an epoch "\
	  "are given once more; false: the rest is left out." },\
	{ "pipeline.loader.window", FIELD_COUNT, AT(loading.window), 1,\
	  WINDOW_MAX, NULL, "",\
	  "Examples or batches begun by decode and not yet taken by collate, "\
	  "at most, in a loader of stages; not given: what the rooms of the "\
	  "stages hold." },\
	{ "pipeline.loader.window_most", FIELD_COUNT,\
	  AT(loading.window_most), 1, WINDOW_MAX, NULL, "",\
	  "What the window grows to, by one each time that collate waits and "\
	  "only the window keeps decode from beginning more; not given: it "\
	  "stays." },\
	{ "pipeline.loader.window_unit", FIELD_ENUM, AT(loading.window_unit),\
	  NONE, NONE, unit_names, "example",\
	  "What the window counts: examples, or batches, whose examples all "\
	  "workers of decode do together." },\
	{ "pipeline.loader.window_token", FIELD_ENUM,\
	  AT(loading.window_token), NONE, NONE, token_names, "take",\
	  "When one of these makes room for the next: when collate has all of "\
	  "it (take), or when it asks for it, finished or not (ask)." },\
	{ "pipeline.loader.start", FIELD_TIME, AT(loading.start_ns), 0,\
	  ITEM_TIME_MAX, NULL, "0 ns",\
	  "Time to start one of these workers, one after the other; a loader "\
	  "of stages starts once." },\
	{ "pipeline.loader.restart", FIELD_ENUM, AT(loading.restart), NONE,\
	  NONE, restart_names, "run",\
	  "When workers start: at the beginning of the run, or anew for every "\
	  "epoch once the one before is consumed." },\
	{ "pipeline.loader.pin.time", FIELD_TIME_DIST, AT(loading.pin.time_ns),\
	  0, ITEM_TIME_MAX, NULL, "0 ns",\
	  "Time in which a loader's one server copies a collated batch into "\
	  "pinned memory, first come first served." },\
	{ "pipeline.loader.pin.rate", FIELD_RATE,\
	  AT(loading.pin.rate_bytes_per_s), RATE_MIN, RATE_MAX, NULL, "",\
	  "Its speed in stored bytes, on top of the time; not given: no "\
	  "limit." },\
	{ "pipeline.loader.handover.time", FIELD_TIME_DIST,\
	  AT(loading.handover.time_ns), 0, ITEM_TIME_MAX, NULL, "0 ns",\
	  "Time that the trainer's process spends on each batch before its "\
	  "step: queue, unpacking, copy to the accelerator." },\
	{ "pipeline.loader.handover.rate", FIELD_RATE,\
	  AT(loading.handover.rate_bytes_per_s), RATE_MIN, RATE_MAX, NULL, "",\
	  "Its speed in stored bytes, on top of the time; not given: no "\
	  "limit." }
/* clang-format on */

#endif
