/* SPDX-License-Identifier: MIT */
/*
 * The engine's inside (private to the engine's files): the loaders, and the
 * accelerators that they feed. A loader of stages feeds all of a host:
 *
 *   source -> [read] -> [decompress] -> (inlet) -> [decode] -> (inlet)
 *     -> [augment] -> (inlet) -> [collate] -> (inlet) -> accelerators
 *
 * A [stage] has workers and an output: slots that are reserved when an item
 * is started and given back when the next in line has taken the result. An
 * (inlet) is where the next in line takes from: an optional echo, then an
 * optional shuffle buffer; it moves nothing unless it is asked. So everything
 * is pulled from behind, and room is made before work is begun.
 *
 * A loader of workers feeds one accelerator. Its crew (sim/crew.h) stands in
 * the place of all the stages: the output of [collate] holds the batches that
 * are out, and what lies behind it is the same.
 *
 * Epochs stay apart: each stage knows how many results an epoch will have
 * once its own inlet has seen the epoch's end, and the inlet behind it counts
 * up to that number.
 */
#ifndef SIM_LOADER_H
#define SIM_LOADER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/agenda.h"
#include "sim/crew_state.h"
#include "sim/engine.h"
#include "sim/level.h"
#include "sim/output.h"
#include "sim/permutation.h"
#include "sim/steady.h"

/* Epochs that may be under way in one loader at once. */
#define EPOCHS_OPEN 4

/* For what every example passes through: with the place a constant most of it
 * falls away, which a compiler does not know when it decides to inline. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define CACHE_LINE 64

#define COUNT_UNKNOWN UINT64_MAX

/* Behind the stages come the accelerators: the last "place" of the pump. */
#define PLACE_ACCELERATORS STAGE_COUNT
#define PLACE_COUNT (STAGE_COUNT + 1)

/* An example in memory: read and not yet used for the last time. There are
 * many and they are touched in random order, so four fill a cache line. */
struct example {
	uint64_t ordinal; /* epoch * examples + number: keys its draws */
	/* 2 n + 1 modulo 2^32, where n numbers the uses of batches by steps
	 * (counters.batches); 0: not used yet. */
	uint32_t last_use;
	uint32_t references; /* uses to come, and an echo's hold */
};

struct batch {
	struct token *tokens; /* batch_size of them */
	uint32_t references;
	bool used;	 /* by a step */
	uint64_t number; /* on its host */
	uint64_t stored_bytes;
	int64_t made_ns;
};

/* What is read into one buffer: blocks that are asked for together, in one
 * part, or a block that is larger than a request, in several. */
struct request {
	/* What each of its blocks asks for stands together. */
	struct layout_block *blocks;
	uint64_t first_block;
	uint64_t epoch;
	uint64_t only_example; /* random order; else COUNT_UNKNOWN */
	uint32_t block_count;
	uint32_t taken;	    /* blocks that decompression has taken */
	uint32_t pending;   /* blocks not yet decompressed */
	uint32_t first_use; /* of a worker's batch, that wants it */
	bool opens;	    /* its shard, first */
	uint32_t parts;
	uint32_t asked;	       /* parts that were asked for */
	uint32_t arrived;      /* parts that are there */
	uint64_t offset_bytes; /* aligned */
	uint64_t bytes;
	uint64_t part_bytes;	/* of every part but the last */
	uint64_t example_bytes; /* stored, of the examples it delivers */
	int64_t arrived_ns;	/* when the last part did */
};

/* A part of a request, in flight: what storage is asked. */
struct part {
	uint32_t request; /* slot */
	uint64_t number;  /* of its task */
	int64_t issue_ns;
	uint64_t offset_bytes; /* aligned, in the shard */
	uint64_t bytes;
	struct completion completion;
};

/* No request's slot. */
#define REQUEST_NONE UINT32_MAX

/* A block on its way through decompression and then being emptied. */
struct block {
	uint64_t next_example;
	uint64_t epoch;
	uint32_t left;
	uint32_t request;
	struct layout_block place;
	uint64_t number; /* how-many-th to be decompressed */
	int64_t busy_ns; /* of a worker outside the engine */
};

/* What a worker of a stage spends on an item. */
struct stage_cost {
	struct distribution time_ns;
	int64_t constant_ns; /* -1: drawn */
	struct random_stream stream;
	uint64_t rate_bytes_per_s;
	int64_t repeat_cost_ns; /* per extra copy made behind this stage */
	bool fixed;		/* it is constant_ns and nothing else */
	bool simple;		/* it is one draw and nothing else */
};

/* Times drawn before they are asked for. */
#define DRAWN_AHEAD 8

struct drawn_ahead {
	uint64_t first; /* ordinal of the first one */
	uint64_t run;	/* examples before it that followed each other */
	uint32_t count;
	int64_t times_ns[DRAWN_AHEAD];
};

/* Two cache lines: with a thousand hosts, the lines that an event touches are
 * what it costs. */
struct stage_state {
	_Alignas(CACHE_LINE) struct output output;
	uint32_t workers;
	struct level busy;	  /* workers */
	struct level waiting;	  /* results not taken */
	uint64_t first_operation; /* operation of slot 0 */
	uint64_t items;
	uint64_t service_epoch;	  /* of the items in service */
	int64_t reported_busy_ns; /* of workers outside the engine */
};

/* The last item an echo let through. */
struct echo_hold {
	uint32_t id;
	uint32_t used;	    /* copies given */
	uint32_t remaining; /* copies owed (fixed) */
	bool held;
};

struct inlet {
	/* One cache line, for what every item asks for. */
	_Alignas(CACHE_LINE) bool echoes;
	bool shuffles;
	bool batches;	      /* tokens are batches, not examples */
	enum stage_name from; /* the stage in front */
	uint64_t epoch;
	uint64_t taken;	  /* fresh items this epoch */
	uint64_t emitted; /* tokens given this epoch */
	/* What the stage in front gives in an epoch, or unknown. */
	uint64_t to_take[EPOCHS_OPEN];

	uint64_t shuffle_size;
	uint64_t resident_count;
	struct token *residents;
	struct random_stream shuffle_stream;
	uint64_t shuffle_draws;
	uint64_t shuffle_next;	 /* random bits of the next draw */
	struct echo_hold *holds; /* one per lane: batch echo repeats a batch
				    on the accelerator that had it */
	int64_t repeat_debt_ns; /* when starved: copies' cost not yet charged */
};

/* What the source will ask for next. */
struct plan {
	bool ready;
	uint32_t block_count;
	uint32_t examples;
	uint64_t first_block;
	uint64_t only_example;
	uint64_t offset_bytes; /* aligned */
	uint64_t bytes;
	uint64_t example_bytes; /* stored, of the examples it delivers */
};

#define BLOCKS_AHEAD 4

struct source {
	uint64_t epoch;
	uint64_t position; /* blocks (random order: examples) of the slice */
	uint64_t end;
	uint64_t epoch_examples; /* planned in this epoch */
	bool ended;		 /* no further epoch */
	struct permutation order;
	uint64_t shard_position; /* next in the order of shards */
	uint64_t block;		 /* next block of the current shard */
	uint64_t shard_end;
	/* Blocks from `block` on, looked at and not planned. */
	struct layout_block ahead[BLOCKS_AHEAD];
	uint32_t ahead_next;
	uint32_t ahead_end;
	/* The last one planned in this epoch. */
	bool has_last;
	uint32_t last_shard;
	uint64_t last_end;
	/* The shard that a request was issued for last, in any epoch. */
	bool has_open;
	uint32_t open_shard;
	struct plan plan;
	struct layout_block *plan_blocks;
	uint64_t plan_end; /* furthest end of the plan's blocks */
};

/* How far decode may run ahead of collate (sim/window.h), in examples. */
struct window {
	uint64_t begun;
	uint64_t end;  /* so many may be begun */
	uint64_t unit; /* examples in one */
	uint32_t growth;
};

struct loader {
	/* One cache line, for what every event asks for. */
	_Alignas(CACHE_LINE) uint32_t number;
	uint32_t host;
	uint32_t first_buffer; /* the host's, of its first request */
	uint32_t dirty;	       /* places to be looked at, a bit each */
	bool starved;	       /* echoes may repeat for want of fresh items */
	bool exhausted;	       /* collate has seen the end of the last epoch */
	bool through;	       /* has nothing left of an epoch that is over */
	bool forming;	       /* a batch is being gathered */
	uint32_t form_count;   /* examples in it so far */
	struct token *form_tokens;
	struct block *blocks; /* by decompress slot */
	struct example *examples;
	uint32_t *free_examples;
	uint32_t free_example_count;
	uint64_t in_flight_examples;
	uint64_t read_examples;	     /* asked of storage; of a crew: drawn
					from the epoch */
	uint64_t unused_examples;    /* given up, and no step had used them */
	uint64_t left_over_examples; /* of those, the ones in whole batches */
	uint64_t left_over_batches;  /* that no step took */

	struct stage_state stages[STAGE_COUNT];
	struct inlet inlets[PLACE_COUNT];      /* by who takes; read and
						  decompress have none */
	struct drawn_ahead ahead[STAGE_COUNT]; /* decode, augment */
	struct source source;
	struct request *requests; /* by read slot */
	struct part *parts;	  /* as many as can be in flight */
	uint32_t *free_parts;
	uint32_t free_part_count;
	uint32_t first_part; /* of this loader among its host's */
	uint32_t asking; /* the request with parts to be issued yet, or none */
	uint64_t *example_bytes; /* stored; NULL: no stage's cost depends on
				    them */
	struct batch *batches;
	uint32_t *free_batches;
	uint32_t free_batch_count;
	uint32_t form_slot;
	uint32_t form_batch;
	uint32_t line; /* lane that has waited longest for a batch */
	uint32_t *line_end;
	uint64_t batches_made;
	uint64_t epoch_batches;	 /* made in the inlet's epoch */
	int64_t pin_free_ns;	 /* when the pinning server is through */
	uint64_t epochs_started; /* that its workers are ready for */
	bool starting;		 /* they are on their way */
	struct crew crew;	 /* workers that carry whole batches */
	struct window window;
};

/* An accelerator's number on its host. */
#define LANE_NONE UINT32_MAX

struct accelerator {
	struct token batch;
	bool has_batch;
	bool handing_over; /* the batch to itself */
	bool stepping;
	uint32_t next_in_line; /* lane of who has waited less; LANE_NONE */
	int64_t batch_ns;      /* when it got its batch */
	int64_t step_start_ns;
	int64_t step_ns; /* nominal time of the step under way */
	int64_t busy_ns; /* of finished steps */
	uint64_t steps;
	int64_t window_busy_ns; /* before the window */
};

/* Everything counted that a window starts from. */
struct counters {
	int64_t at_ns;
	uint64_t steps;
	uint64_t consumed_examples;
	uint64_t fresh_examples;
	uint64_t batches;
	uint64_t duplicates;
	uint64_t lag_uses;
	uint64_t lag_steps;
	uint64_t requests;
	uint64_t bytes;
	uint64_t example_bytes;
	uint64_t cached_bytes;
	uint64_t retries;
	struct histogram latency_ns;
};

/* Stage sums over loaders, as integrals. */
struct stage_sums {
	uint64_t items;
	level_integral busy;
	level_integral waiting;
};

/* The same of crews. */
struct crew_sums {
	level_integral busy;
	level_integral held;
	level_integral blocked;
	level_integral out;
};

/* What an event is about: a slot of a stage of a loader, an accelerator, or
 * what else may happen to a loader. In one number, for the agendas. */
#define OPERATION_SLOT_BITS 28

enum {
	OPERATION_WORK = PLACE_COUNT, /* a worker has done a piece of work */
	OPERATION_PIN,		      /* the batch in a slot is pinned */
	OPERATION_HANDOVER,	      /* an accelerator has its batch in hand */
	OPERATION_START,	      /* a loader's workers have started */
};

static inline uint64_t operation(uint32_t loader, unsigned int place,
				 uint32_t slot)
{
	return (uint64_t)loader << 32 | (uint64_t)place << OPERATION_SLOT_BITS |
	       slot;
}

static inline uint32_t operation_loader(uint64_t operation)
{
	return (uint32_t)(operation >> 32);
}

static inline unsigned int operation_place(uint64_t operation)
{
	return (uint32_t)operation >> OPERATION_SLOT_BITS;
}

static inline uint32_t operation_slot(uint64_t operation)
{
	return (uint32_t)operation % (1U << OPERATION_SLOT_BITS);
}

struct engine {
	struct pipeline pipeline;
	/* Two agendas, for at equal times completions from outside come before
	 * the engine's own events; and the own one stays small. */
	struct agenda completions; /* numbered by task */
	struct agenda own;
	int64_t now_ns;
	bool over;
	bool complete;
	bool data_ended;
	bool failed; /* a read failed for good */
	struct stage_cost costs[STAGE_COUNT];
	struct stage_cost pin;
	struct stage_cost handover;
	struct distribution step_ns;
	struct distribution allreduce_ns;
	struct random_stream step_stream;
	struct random_stream allreduce_stream;
	struct random_stream copies_stream;
	struct random_stream order_stream;
	unsigned int echo_place; /* who takes from the echo; PLACE_COUNT */
	uint32_t request_blocks; /* of a request, at most */
	uint64_t part_bytes;	 /* of a request's part, aligned */
	const struct watcher *watcher; /* NULL: nobody */
	bool tells;		       /* the watcher wants events */
	bool tells_time;	       /* ... and when time moves on */
	struct use *uses;	       /* a batch as the watcher sees it */
	struct loader *loaders;
	uint32_t loader_count;
	uint32_t lanes; /* accelerators that a loader feeds */
	bool by_workers;
	bool has_window; /* stages: decode runs ahead of collate as that says */
	struct accelerator *accelerators; /* loader by loader */
	uint32_t accelerator_count;
	uint32_t ready;	  /* accelerators with a batch, waiting (barrier) */
	uint32_t warm;	  /* accelerators past their warm-up */
	uint32_t retired; /* sync none: accelerators without more data */
	uint64_t taken;	  /* batches, by accelerators */
	uint64_t finished_alone;  /* sync none: steps of single accelerators */
	int64_t last_end_ns;	  /* of any accelerator's step */
	int64_t last_step_end_ns; /* where the last point of the series ends */
	level_integral gathered_busy_ns; /* sync none: towards the next bin */
	uint32_t gathered;
	/* Tasks to be taken: a ring. */
	struct engine_task *tasks;
	uint32_t task_capacity;
	uint32_t task_head;
	uint32_t task_count;
	uint64_t task_numbers[2];
	/* Accelerators in step: the epoch that their batches are of. */
	uint64_t epoch;
	uint64_t epoch_batches; /* total.batches as it began */
	bool epoch_over;	/* no further step is made of it */
	bool wakes_all;		/* every host is to be looked at */
	uint32_t loaders_through;
	uint64_t digest;
	struct counters total;
	struct epoch_figures epochs[FIGURES_EPOCHS_MAX];
	struct counters window; /* total as the window began */
	struct stage_sums window_stages[STAGE_COUNT];
	struct crew_sums window_crews;
	struct steady steady;
};

/* The run is over; nothing more is started. */
static inline void engine_end(struct engine *engine)
{
	engine->over = true;
}

/* Marks a place of a loader as to be looked at. */
static inline void loader_mark(struct loader *loader, unsigned int place)
{
	loader->dirty |= 1U << place;
}

/* The same, if something is so. No branch: whether it is so changes from event
 * to event, and the pump branches on it anyway. */
static inline void loader_mark_if(struct loader *loader, unsigned int place,
				  bool is_so)
{
	loader->dirty |= (uint32_t)is_so << place;
}

/* Folds a value into the digest of decisions. */
static inline void engine_fold(struct engine *engine, uint64_t value)
{
	uint64_t bits = (engine->digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);

	engine->digest = bits ^ (bits >> 29);
}

#endif
