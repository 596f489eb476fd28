/* SPDX-License-Identifier: MIT */
/*
 * A workload file of DLIO or MLPerf Storage: nested YAML that says which files
 * a training job reads, in what order, with how many threads, and how long an
 * accelerator computes on a batch. Nothing in it says what the files lie on,
 * and much of it has no meaning for a model (folders, checkpoints, profilers).
 * So every key of a file is one of three: used; known to DLIO and ignored; or
 * unknown, then most likely misspelt, which DLIO itself would pass over in
 * silence. What a key means is one row of a table (traces/workload/keys.c).
 *
 * traces/workload/scenario.h makes a scenario of a workload.
 */
#ifndef TRACES_WORKLOAD_H
#define TRACES_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/distribution.h"
#include "sim/fault.h"

#define WORKLOAD_TEXT_MAX 256
#define WORKLOAD_KEY_MAX 96
#define WORKLOAD_KEYS_MAX 192 /* rows of the table */
#define WORKLOAD_UNKNOWN_MAX 16

struct workload {
	char model[WORKLOAD_TEXT_MAX];
	char format[WORKLOAD_TEXT_MAX];
	char loader[WORKLOAD_TEXT_MAX];
	char storage[WORKLOAD_TEXT_MAX]; /* its kind; empty: not given */
	/* Of the catalogue's own files: where the figures come from. */
	char source[WORKLOAD_TEXT_MAX];
	char as_of[WORKLOAD_TEXT_MAX];
	uint64_t files;
	uint64_t samples_per_file;
	double record_bytes; /* that are read of a sample */
	double record_stdev_bytes;
	double stored_bytes; /* of a sample; more where columns are skipped */
	struct workload_columns {
		double read_bytes;
		uint64_t skipped;
	} columns;
	double old_record_bytes; /* by a name that DLIO no longer reads; or 0 */
	double old_record_stdev_bytes;
	bool file_shuffle;
	bool sample_shuffle;
	uint64_t shuffle_examples;
	uint64_t transfer_bytes; /* 0: not given */
	uint64_t batch_size;
	uint64_t read_threads;	       /* of an accelerator */
	uint64_t prefetch_batches;     /* of an accelerator */
	struct distribution decode_ns; /* of a record, in a reading thread */
	struct distribution step_ns;
	uint64_t epochs;
	uint64_t steps; /* total_training_steps; 0: not given */
	uint64_t warmup_steps;
	uint64_t seed;
	double au_target; /* 0: not given */
	bool trains;
};

/* What became of a file's keys. */
struct workload_keys {
	bool seen[WORKLOAD_KEYS_MAX]; /* by row of the table */
	size_t unknown_count;	      /* all of them; the first are kept */
	struct {
		char key[WORKLOAD_KEY_MAX];
		char near[WORKLOAD_KEY_MAX]; /* "" when none is near */
		int line;
	} unknown[WORKLOAD_UNKNOWN_MAX];
};

enum workload_kind {
	WORKLOAD_IGNORED, /* no meaning here, with all that is below */
	WORKLOAD_TEXT,	  /* char[WORKLOAD_TEXT_MAX] */
	WORKLOAD_BOOL,	  /* bool */
	WORKLOAD_COUNT,	  /* uint64_t */
	WORKLOAD_NUMBER,  /* double */
	WORKLOAD_SHUFFLE, /* bool, from off, seed, random */
	WORKLOAD_TIME,	  /* struct distribution, from seconds or a map */
	WORKLOAD_STDEV,	  /* the spread of the WORKLOAD_TIME at the offset */
	WORKLOAD_COLUMNS, /* struct workload_columns, from a list of them */
};

struct workload_key {
	const char *name; /* dotted path */
	enum workload_kind kind;
	size_t offset;	      /* in struct workload */
	double low, high;     /* accepted */
	const char *fallback; /* DLIO's default; NULL: the key must be given */
};

extern const struct workload_key workload_key_table[];
extern const size_t workload_key_count;

/* Reads a file's text; `name` stands for the file in faults. `keys` may be
 * NULL. -EINVAL and a fault for what is wrong or missing; then `keys` holds
 * what was seen until there. */
int workload_parse(struct workload *workload, struct workload_keys *keys,
		   const char *name, const char *text, size_t size,
		   struct fault *fault) __attribute__((warn_unused_result));

/* The same of a file. Others than -EINVAL: it cannot be read. */
int workload_read(struct workload *workload, struct workload_keys *keys,
		  const char *path, struct fault *fault)
	__attribute__((warn_unused_result));

/* Bytes a second that an accelerator consumes which never waits. */
double workload_demand_bytes_per_s(const struct workload *workload);

#endif
