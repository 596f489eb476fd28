/* SPDX-License-Identifier: MIT */
/*
 * What a run is: the input pipeline, the accelerators, the echo strategy and
 * when to stop. Pure values, checked by whoever made them (the scenario);
 * the engine only CHECKs.
 *
 *   read -> decompress -> decode -> shuffle -> augment -> collate
 *        -> prefetch -> step
 */
#ifndef SIM_PIPELINE_H
#define SIM_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/distribution.h"
#include "sim/layout.h"

enum read_order {
	ORDER_SEQUENTIAL,
	ORDER_SHUFFLED_SHARDS,
	ORDER_SHUFFLED_BLOCKS,
	ORDER_RANDOM, /* one example a request, reading its whole block */
};

/* The stages that have workers and take time, in order. READ's workers are
 * the requests in flight (queue depth); its time is the device's. */
enum stage_name {
	STAGE_READ,
	STAGE_DECOMPRESS,
	STAGE_DECODE,
	STAGE_AUGMENT,
	STAGE_COLLATE,
	STAGE_COUNT,
};

/* An item (block, example or batch) costs time_ns + bytes / rate on one
 * worker. decompress: content bytes; decode and augment: the example's stored
 * bytes; collate: the stored bytes of the batch. rate 0: infinitely fast. */
struct stage {
	uint32_t workers;
	struct distribution time_ns;
	uint64_t rate_bytes_per_s;
	uint32_t output_items; /* room for results, in service or waiting;
				  0: as sim/bounds.h says. collate: unused */
};

/* Who carries the work. */
enum loader_kind {
	LOADER_STAGES,	/* each stage has workers, an example goes through all
			   of them: one loader a host */
	LOADER_WORKERS, /* a worker takes a whole batch and reads, decompresses,
			   decodes, augments and collates it alone, one example
			   after the other: one loader an accelerator */
};

enum loader_restart {
	RESTART_RUN, /* workers start once */
	RESTART_EPOCH,
};

/* What the window between decode and collate is counted in. */
enum window_unit {
	WINDOW_EXAMPLE,
	WINDOW_BATCH, /* those whose first example is begun; its examples are
			 done by all workers together */
};

/* When a unit gives its place in the window to another. */
enum window_token {
	WINDOW_TAKE, /* when collate has it, all of it */
	WINDOW_ASK,  /* when collate asks for it, finished or not */
};

/* What a batch costs once it is collated: time + stored bytes / rate. */
struct batch_cost {
	struct distribution time_ns;
	uint64_t rate_bytes_per_s; /* 0: infinitely fast */
};

struct loading {
	enum loader_kind kind;
	/* Workers. */
	uint32_t workers;	  /* of an accelerator; 0: the trainer's own
				     process does their work, and waits */
	uint32_t prefetch_factor; /* batches out for each of them */
	uint32_t reads;		  /* that one of them has in flight */
	bool in_order; /* hand over batch by batch, not as they finish */
	bool pads;     /* where examples do not divide by accelerators: some are
			  given twice; else some are left out */
	/* Stages. Units that are begun by decode and not taken by collate, at
	 * most, the one that collate asks for included; 0: any that the rooms
	 * of the stages hold. It grows to window_most by one each time that
	 * collate waits and decode could begin more but for the window. */
	uint32_t window;
	uint32_t window_most; /* at least window, or 0: the same */
	enum window_unit window_unit;
	enum window_token window_token;
	/* Either kind. */
	enum loader_restart restart;
	int64_t start_ns;	    /* of a worker, one after the other */
	struct batch_cost pin;	    /* one server for each loader */
	struct batch_cost handover; /* of the trainer, before each step */
};

enum echo_place {
	ECHO_NONE,
	ECHO_EXAMPLE_BEFORE_DECODE,
	ECHO_EXAMPLE_BEFORE_AUGMENT,
	ECHO_EXAMPLE_AFTER_AUGMENT,
	ECHO_BATCH,
};

enum echo_policy {
	ECHO_FIXED,	   /* every item is used `factor` times on average */
	ECHO_WHEN_STARVED, /* the last item is repeated only while its consumer
			      would otherwise idle, at most max_factor uses */
};

struct echo {
	enum echo_place place;
	enum echo_policy policy;
	double factor;		  /* >= 1, fixed */
	uint32_t max_factor;	  /* >= 1, when starved */
	int64_t repeat_cost_ns;	  /* per extra copy, spent by the worker of
				     the stage that the echo follows */
	uint32_t shuffle_batches; /* batch echo: 1 is back to back */
};

enum step_sync {
	SYNC_BARRIER, /* a step starts when all have a batch and ends with
			 the slowest, plus allreduce */
	SYNC_NONE,
};

struct accelerators {
	uint32_t count; /* per host */
	uint32_t hosts;
	struct distribution step_ns;
	struct distribution allreduce_ns;
	enum step_sync sync;
};

/* The run ends at whichever comes first; 0: no such limit. */
struct run_limit {
	uint64_t steps;
	uint64_t epochs;
	int64_t duration_ns;
	uint64_t warmup_steps; /* excluded from the measured window */
};

struct pipeline {
	uint64_t seed;
	struct layout layout;
	enum read_order order;
	/* A request reads whole blocks up to this size; a block that is larger
	 * is read in several requests, in flight together or, when dependent,
	 * one after the other. */
	uint64_t request_bytes;
	bool dependent_requests;
	struct stage stages[STAGE_COUNT];
	struct loading loading;
	bool ordered; /* results leave a stage in arrival order */
	/* A request may start while fewer examples than this are requested and
	 * not yet consumed, per host; so the last one may exceed it. Examples
	 * are consumed as the step of their last use ends. */
	uint64_t read_ahead_examples;
	uint64_t shuffle_examples; /* 0 and 1: no shuffle buffer */
	uint32_t batch_size;
	/* Room for batches that are collated or in the making, for each
	 * accelerator, besides one for each of collate's workers; before a
	 * batch echo. */
	uint32_t prefetch_batches;
	struct accelerators accelerators;
	struct echo echo;
	struct run_limit limit;
	/* Live: decompression is done by real workers outside the engine, with
	 * a queue of their own: a block is handed out as soon as there is room
	 * for its result, whether one of the `workers` is free or not. Who
	 * serves them first come, first served starts each when the engine
	 * would have. */
	bool external_decompress;
};

/* Loaders of a host, and accelerators that each feeds. */
uint32_t pipeline_host_loaders(const struct pipeline *pipeline);
uint32_t pipeline_lanes(const struct pipeline *pipeline);

/* The smallest read_ahead_examples with which this pipeline cannot come to a
 * standstill, whatever its requests hold: full shuffle buffers and a batch of
 * each accelerator (sync none: of one), and what an echo keeps to repeat when
 * it is starved. */
uint64_t pipeline_read_ahead_min(const struct pipeline *pipeline);

/* What fills every buffer and the room of every stage: it never binds. */
uint64_t pipeline_read_ahead_default(const struct pipeline *pipeline);

/* Room for a stage's results, in service or waiting, as the engine has it. */
uint32_t pipeline_stage_room(const struct pipeline *pipeline,
			     enum stage_name stage);

#endif
