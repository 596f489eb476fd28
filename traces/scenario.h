/* SPDX-License-Identifier: MIT */
/*
 * A scenario: one YAML file that says what is read, from what storage, through
 * which pipeline, by how many accelerators, with which echo strategies. Every
 * member is described by one row of the field table (traces/field.h): unit,
 * range, default, help. Parsing fills the struct in base units (bytes,
 * nanoseconds, per second); what a person got wrong comes back as a fault
 * with file, line and expectation, and nothing runs.
 */
#ifndef TRACES_SCENARIO_H
#define TRACES_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fault.h"
#include "sim/pipeline.h"
#include "sim/tiers.h"

#define SCENARIO_ECHOES_MAX 64
#define SCENARIO_TEXT_MAX 256
#define DEVICE_SCALES_MAX 32
#define SCENARIO_FIELDS_MAX 256

struct field;

/* What storage costs; 0: not known. */
struct storage_price {
	double per_gib_month;
	double per_mb_s_month;
	double per_iops_month;
	double per_million_requests;
	/* What the price of the size pays for already. */
	uint64_t included_bytes_per_s;
	uint64_t included_iops;
};

/* The prices section. Those of storage, when any is given, stand in the place
 * of all the device's own, which are US dollars. */
struct prices {
	char currency[SCENARIO_TEXT_MAX];
	double accelerator_hour;
	double host_hour;
	double worker_hour; /* of a CPU stage */
	double cache_gib_month;
	struct storage_price storage;
};

/* What is known of a device besides how it behaves. */
struct device_facts {
	char description[SCENARIO_TEXT_MAX]; /* in one line */
	char source[SCENARIO_TEXT_MAX];	     /* of its figures */
	char as_of[SCENARIO_TEXT_MAX];	     /* when they were so */
	/* Which of them nobody published; "" when all are published. */
	char unverified[SCENARIO_TEXT_MAX];
	struct storage_price price; /* in US dollars */
};

/* Whom the device serves, as the scenario says or, if it does not, as the
 * device does. */
enum scope_given {
	SCOPE_OF_DEVICE,
	SCOPE_GIVEN_SHARED,
	SCOPE_GIVEN_PER_HOST,
};

/* How a field of a device grows with its size (traces/device/scale.h). */
struct device_scale {
	const struct field *field;
	uint32_t bucket;    /* for a field of buckets */
	double up_to_bytes; /* 0: any size */
	double value;
	double per_byte;
	double low;
	double high; /* 0: none */
};

struct scenario {
	char name[SCENARIO_TEXT_MAX];
	uint64_t seed;
	struct {
		char path[SCENARIO_TEXT_MAX]; /* live; "" when none */
		char db[SCENARIO_TEXT_MAX];   /* in it; "": the unnamed one */
		uint64_t examples;
		struct distribution example_bytes;
		double compression_ratio; /* content bytes / stored bytes */
		uint64_t block_bytes;
		uint64_t shard_examples;
	} dataset;
	struct {
		/* A catalogue name, a profile file, "native", or "" when fields
		 * were given, on top of those of `extends` if that is not "". */
		char device[SCENARIO_TEXT_MAX];
		char extends[SCENARIO_TEXT_MAX];
		struct device_facts facts;
		uint64_t client_bandwidth_bytes_per_s; /* of each link; 0: any */
		uint64_t size_bytes; /* 0 when nothing depends on it */
		enum device_scope device_scope;
		enum scope_given scope;
		uint32_t volumes;
		uint64_t stripe_bytes;
		uint32_t scale_count;
		struct device_scale scales[DEVICE_SCALES_MAX];
		struct device_profile profile;
		bool native;
		enum read_order order;
		uint64_t request_bytes;
		bool dependent_requests;
		uint32_t queue_depth;
	} storage;
	struct cache_profile cache;
	struct cache_profile cache_given; /* of one that is only varied */
	struct link_profile link;
	/* [STAGE_READ].workers is unused: storage.queue_depth; its
	 * output_items are storage.window. */
	struct stage stages[STAGE_COUNT];
	/* decompress has neither time nor rate: live measures it */
	bool decompress_unset;
	char loader_like[SCENARIO_TEXT_MAX]; /* of the catalogue; "": none */
	struct loading loading;
	bool ordered;
	uint64_t read_ahead_examples; /* 0: pipeline_read_ahead_default() */
	uint64_t shuffle_examples;
	uint32_t batch_size;
	uint32_t prefetch_batches;
	struct accelerators accelerators;
	char law[SCENARIO_TEXT_MAX];	  /* a name or a path; "" when none */
	char law_file[SCENARIO_TEXT_MAX]; /* a path; "" when none */
	struct prices prices;
	uint32_t echo_count; /* at least 1 */
	struct echo echoes[SCENARIO_ECHOES_MAX];
	struct run_limit limit;
	bool steps_given; /* else limit.steps yields to epochs or duration */
	/* By row of the field table: by the person; that have no effect in a
	 * loader which came later (traces/loader.h). */
	bool given[SCENARIO_FIELDS_MAX];
	bool left_out[SCENARIO_FIELDS_MAX];
};

/* Every member at its default, as if an empty file had been read. */
void scenario_init(struct scenario *scenario);

/* Reads a file over the defaults, then the overrides "a.b=c" in order, then
 * scenario_check(). Negative errno and a filled fault on any mistake:
 * -EINVAL the person's, others the world's. */
int scenario_read(struct scenario *scenario, const char *path,
		  const char *const *overrides, uint32_t override_count,
		  struct fault *fault) __attribute__((warn_unused_result));

/* The same without scenario_check(), for whoever has more to set before. */
int scenario_load(struct scenario *scenario, const char *path,
		  const char *const *overrides, uint32_t override_count,
		  struct fault *fault) __attribute__((warn_unused_result));

/* The same from memory; `name` stands for the file in faults. */
int scenario_parse(struct scenario *scenario, const char *name,
		   const char *text, size_t size, const char *const *overrides,
		   uint32_t override_count, struct fault *fault)
	__attribute__((warn_unused_result));

/* The same without scenario_check(), for whoever has more to set before. */
int scenario_begin(struct scenario *scenario, const char *name,
		   const char *text, size_t size, const char *const *overrides,
		   uint32_t override_count, struct fault *fault)
	__attribute__((warn_unused_result));

/* One override "a.b=c". */
int scenario_set(struct scenario *scenario, const char *assignment,
		 struct fault *fault) __attribute__((warn_unused_result));

/* What one field alone cannot tell: a device that nothing limits, more warm-up
 * than steps, keys without effect; and, if the scenario describes its dataset,
 * scenario_check_layout() of that. */
int scenario_check(const struct scenario *scenario, const char *name,
		   struct fault *fault) __attribute__((warn_unused_result));

/* "batch:2", "example-after-augment:1.5", "none", "batch:when-starved:4":
 * the form of --echo. */
int scenario_parse_echo(const char *text, struct echo *echo,
			struct fault *fault)
	__attribute__((warn_unused_result));

/* The names used in files and output, e.g. "example-before-augment". */
const char *echo_place_name(enum echo_place place);
const char *echo_policy_name(enum echo_policy policy);
const char *read_order_name(enum read_order order);

/* What hangs on the dataset: smaller than a batch, read-ahead too small for
 * the shuffle, ... . A live caller checks the packed dataset's layout. */
int scenario_check_layout(const struct scenario *scenario,
			  const struct layout *layout, const char *name,
			  struct fault *fault)
	__attribute__((warn_unused_result));

/* Does the scenario describe its dataset (examples and their size), or only
 * name a packed one? */
bool scenario_has_layout(const struct scenario *scenario);

/* The pipeline of one strategy over a packed dataset's layout or, with NULL,
 * over the one that the scenario describes. */
void scenario_pipeline(const struct scenario *scenario, const struct echo *echo,
		       const struct layout *layout, struct pipeline *pipeline);

/* Whom its device serves. */
enum device_scope scenario_scope(const struct scenario *scenario);

/* How many devices it has on all hosts together, every volume counted. */
uint64_t scenario_volumes(const struct scenario *scenario);

/* Requests that a host has in flight, at most. */
uint32_t scenario_depth(const struct scenario *scenario);

/* What lies between its loaders and their data. */
void scenario_tiers(const struct scenario *scenario,
		    struct tiers_profile *tiers);

#endif
