/* SPDX-License-Identifier: MIT */
#include "traces/field.h"
#include "traces/field_loader.h"

#include <string.h>

#define ECHO_AT(member) MEMBER(echo, member)
#define PROFILE_AT(member) AT(storage.profile.member)
#define FACT_AT(member) AT(storage.facts.member)
#define PRICES_AT(member) AT(prices.member)
#define BUCKET_AT(member) MEMBER(device_bucket, member)

static const char *const order_names[] = {
	[ORDER_SEQUENTIAL] = "sequential",
	[ORDER_SHUFFLED_SHARDS] = "shuffled-shards",
	[ORDER_SHUFFLED_BLOCKS] = "shuffled-blocks",
	[ORDER_RANDOM] = "random",
	NULL,
};

static const char *const bucket_names[] = {
	[BUCKET_OF_OPS] = "ops",
	[BUCKET_OF_BYTES] = "bytes",
	NULL,
};

static const char *const scope_names[] = {
	[SCOPE_SHARED] = "shared",
	[SCOPE_PER_HOST] = "per-host",
	NULL,
};

static const char *const given_scope_names[] = {
	[SCOPE_OF_DEVICE] = "as-device",
	[SCOPE_GIVEN_SHARED] = "shared",
	[SCOPE_GIVEN_PER_HOST] = "per-host",
	NULL,
};

static const char *const cache_names[] = {
	[CACHE_NONE] = "none",
	[CACHE_LRU] = "lru",
	[CACHE_PINNED] = "pinned",
	NULL,
};

static const char *const sync_names[] = {
	[SYNC_BARRIER] = "barrier",
	[SYNC_NONE] = "none",
	NULL,
};

static const char *const place_names[] = {
	[ECHO_NONE] = "none",
	[ECHO_EXAMPLE_BEFORE_DECODE] = "example-before-decode",
	[ECHO_EXAMPLE_BEFORE_AUGMENT] = "example-before-augment",
	[ECHO_EXAMPLE_AFTER_AUGMENT] = "example-after-augment",
	[ECHO_BATCH] = "batch",
	NULL,
};

static const char *const policy_names[] = {
	[ECHO_FIXED] = "fixed",
	[ECHO_WHEN_STARVED] = "when-starved",
	NULL,
};

/* The rows of a stage: `item` is what a worker takes on at a time,
 * `bytes` which of its bytes the rate counts. */
/* clang-format off */
#define STAGE(name, stage, item, bytes)                                        \
	{ "pipeline." name ".workers", FIELD_COUNT,                            \
	  AT(stages[stage].workers), 1, WORKERS_MAX, NULL, "1",                \
	  "Workers of the " name " stage, per host." },                        \
	{ "pipeline." name ".time", FIELD_TIME_DIST,                           \
	  AT(stages[stage].time_ns), 0, ITEM_TIME_MAX, NULL, "0 ns",           \
	  "Time of one worker per " item "." },                                \
	{ "pipeline." name ".rate", FIELD_RATE,                                \
	  AT(stages[stage].rate_bytes_per_s), RATE_MIN, RATE_MAX, NULL, "",    \
	  "Speed of one worker in " bytes ", on top of the time; not given: "  \
	  "no limit." }

/* Batches have room for prefetch_batches; the other stages each their own. */
#define STAGE_QUEUE(name, stage, items, least)                                 \
	{ "pipeline." name ".queue", FIELD_COUNT,                              \
	  AT(stages[stage].output_items), 1, 1e6, NULL, "",                    \
	  "Room for " items " in service or waiting behind it, never less "    \
	  "than workers; not given: twice the workers" least "." }

/* The rows of what storage costs, in money of this name. */
#define STORAGE_PRICE(section, at, price, money)                               \
	{ section ".per_gib_month", FIELD_NUMBER,                              \
	  at(price.per_gib_month), PRICE_MIN, PRICE_MAX, NULL, "",             \
	  money " a month per GiB of storage.device.size, or of the dataset "  \
	  "where that is not given." },                                        \
	{ section ".per_mb_s_month", FIELD_NUMBER,                             \
	  at(price.per_mb_s_month), PRICE_MIN, PRICE_MAX, NULL, "",            \
	  money " a month per MB/s of bandwidth." },                           \
	{ section ".per_iops_month", FIELD_NUMBER,                             \
	  at(price.per_iops_month), PRICE_MIN, PRICE_MAX, NULL, "",            \
	  money " a month per operation per second." },                        \
	{ section ".per_million_requests", FIELD_NUMBER,                       \
	  at(price.per_million_requests), PRICE_MIN, PRICE_MAX, NULL, "",      \
	  money " per million read requests." },                               \
	{ section ".included_bandwidth", FIELD_RATE,                           \
	  at(price.included_bytes_per_s), RATE_MIN, RATE_MAX, NULL, "",        \
	  "Bandwidth that comes without a price of its own." },                \
	{ section ".included_iops", FIELD_COUNT, at(price.included_iops), 1,   \
	  1e9, NULL, "",                                                       \
	  "Operations per second that come without a price of their own." }
/* clang-format on */

const struct field field_table[] = {
	{ "name", FIELD_TEXT, AT(name), NONE, NONE, NULL, "",
	  "What the scenario is called in results." },
	{ "seed", FIELD_COUNT, AT(seed), 0, 18446744073709551615.0, NULL, "1",
	  "Names the random numbers: equal seeds give equal runs." },

	{ "dataset.path", FIELD_TEXT, AT(dataset.path), NONE, NONE, NULL, "",
	  "A dataset for live runs, which then gives the numbers: packed, or "
	  "an LMDB environment, .zst files, a folder of files." },
	{ "dataset.db", FIELD_TEXT, AT(dataset.db), NONE, NONE, NULL, "",
	  "The database of an LMDB environment of others to read; not given: "
	  "the unnamed one." },
	{ "dataset.examples", FIELD_COUNT, AT(dataset.examples), 1,
	  EXAMPLES_MAX, NULL, "", "Examples in the dataset." },
	{ "dataset.example_bytes", FIELD_BYTES_DIST, AT(dataset.example_bytes),
	  1, GIB, NULL, "", "Stored size of an example." },
	{ "dataset.compression_ratio", FIELD_NUMBER,
	  AT(dataset.compression_ratio), 0.001, 100000, NULL, "1",
	  "Bytes after decompression per stored byte." },
	{ "dataset.block_bytes", FIELD_BYTES, AT(dataset.block_bytes), 1, GIB,
	  NULL, "256 KiB",
	  "Stored size of a block, which is read and decompressed whole." },
	{ "dataset.shard_examples", FIELD_COUNT, AT(dataset.shard_examples), 1,
	  EXAMPLES_MAX, NULL, "1000", "Examples in a shard." },

	{ "storage.device", FIELD_TEXT, AT(storage.device), NONE, NONE, NULL,
	  "",
	  "Where the dataset lies: a device of `list devices`, a profile "
	  "file, native (live: the real device as it is), or the keys "
	  "storage.device.* that describe it." },
	{ "storage.device.extends", FIELD_TEXT, AT(storage.extends), NONE, NONE,
	  NULL, "",
	  "The device or profile file that the other keys start from." },
	{ "storage.device.size", FIELD_BYTES, AT(storage.size_bytes), 1048576,
	  SIZE_MAX_BYTES, NULL, "",
	  "Size of the volume or file system, where its figures depend on "
	  "it." },
	{ "storage.device.scope", FIELD_ENUM, AT(storage.device_scope), NONE,
	  NONE, scope_names, "shared",
	  "shared: one for all hosts, as file systems and object stores are; "
	  "per-host: each host has its own with all of the data, as local "
	  "drives and block volumes are." },
	{ "storage.device.description", FIELD_TEXT, FACT_AT(description), NONE,
	  NONE, NULL, "", "What the device is, in a line." },
	{ "storage.device.source", FIELD_TEXT, FACT_AT(source), NONE, NONE,
	  NULL, "", "Where its figures come from." },
	{ "storage.device.as_of", FIELD_TEXT, FACT_AT(as_of), NONE, NONE, NULL,
	  "", "When its figures were so: clouds change them." },
	{ "storage.device.unverified", FIELD_TEXT, FACT_AT(unverified), NONE,
	  NONE, NULL, "",
	  "Which of its figures are assumed rather than published; true: "
	  "all." },
	STORAGE_PRICE("storage.device.price", FACT_AT, price, "US dollars"),
	{ "storage.device.bandwidth", FIELD_RATE,
	  PROFILE_AT(bandwidth_bytes_per_s), RATE_MIN, RATE_MAX, NULL, "",
	  "Bytes per second of the device, all requests together; not given: "
	  "no limit." },
	{ "storage.device.client_bandwidth", FIELD_RATE,
	  AT(storage.client_bandwidth_bytes_per_s), RATE_MIN, RATE_MAX, NULL,
	  "",
	  "Bytes per second that the device lets one host have; not given: no "
	  "limit." },
	{ "storage.device.stream_bandwidth", FIELD_RATE,
	  PROFILE_AT(stream_bandwidth_bytes_per_s), RATE_MIN, RATE_MAX, NULL,
	  "",
	  "Bytes per second of one request, as of one connection; not given: "
	  "no limit." },
	{ "storage.device.iops", FIELD_COUNT, PROFILE_AT(iops), 1, 1e9, NULL,
	  "", "Operations per second; not given: no limit." },
	{ "storage.device.io_unit", FIELD_BYTES, PROFILE_AT(io_unit_bytes), 512,
	  GIB, NULL, "",
	  "Bytes of a request that count as one operation; not given: a "
	  "request is one, whatever its size." },
	{ "storage.device.min_charge", FIELD_BYTES,
	  PROFILE_AT(min_charge_bytes), 1, GIB, NULL, "",
	  "Bytes that a request counts as at least, against bandwidth and "
	  "buckets." },
	{ "storage.device.merge", FIELD_BOOL, PROFILE_AT(merges), NONE, NONE,
	  NULL, "false",
	  "A request that continues the one before is charged as its "
	  "continuation." },
	{ "storage.device.latency", FIELD_TIME_DIST, PROFILE_AT(latency_ns), 0,
	  ITEM_TIME_MAX, NULL, "0 ns",
	  "Time that each request takes besides its share of bandwidth and "
	  "iops." },
	{ "storage.device.tail.probability", FIELD_NUMBER,
	  PROFILE_AT(tail_probability), NONE, 1, NULL, "0",
	  "Share of requests that are stragglers." },
	{ "storage.device.tail.latency", FIELD_TIME_DIST,
	  PROFILE_AT(tail_latency_ns), 0, ITEM_TIME_MAX, NULL, "0 ns",
	  "Time that a straggler takes in the place of the latency." },
	{ "storage.device.max_inflight", FIELD_COUNT, PROFILE_AT(max_inflight),
	  1, 1048576, NULL, "",
	  "Requests the device serves at once, others wait; not given: no "
	  "limit." },
	{ "storage.device.buckets[].of", FIELD_ENUM, BUCKET_AT(of), NONE, NONE,
	  bucket_names, "",
	  "What a bucket of burst credit limits: ops or bytes." },
	{ "storage.device.buckets[].capacity", FIELD_WORK,
	  BUCKET_AT(profile.capacity), 1, WORK_MAX, NULL, "",
	  "Credit that a bucket holds at most." },
	{ "storage.device.buckets[].initial", FIELD_WORK,
	  BUCKET_AT(profile.initial), 0, WORK_MAX, NULL, "",
	  "Credit at the start; not given: full." },
	{ "storage.device.buckets[].baseline", FIELD_WORK_RATE,
	  BUCKET_AT(profile.baseline_per_s), 1, RATE_MAX, NULL, "",
	  "Rate without credit, and at which credit is earned." },
	{ "storage.device.buckets[].peak", FIELD_WORK_RATE,
	  BUCKET_AT(profile.peak_per_s), 1, RATE_MAX, NULL, "",
	  "Rate while there is credit." },
	{ "storage.device.seek.track_to_track", FIELD_TIME,
	  PROFILE_AT(seek.track_to_track_ns), 0, SEEK_MAX, NULL, "0 ns",
	  "Shortest seek of a disk's arm." },
	{ "storage.device.seek.average", FIELD_TIME,
	  PROFILE_AT(seek.average_ns), 1, SEEK_MAX, NULL, "",
	  "Seek between random places." },
	{ "storage.device.seek.full", FIELD_TIME, PROFILE_AT(seek.full_ns), 1,
	  SEEK_MAX, NULL, "",
	  "Seek over all tracks; not given: as the square root of the "
	  "distance has it." },
	{ "storage.device.seek.rpm", FIELD_COUNT, PROFILE_AT(seek.rpm), 1, 1e5,
	  NULL, "", "Turns of the disk per minute." },
	{ "storage.device.seek.outer_rate", FIELD_RATE,
	  PROFILE_AT(seek.outer_bytes_per_s), MEDIA_RATE_MIN, RATE_MAX, NULL,
	  "", "Bytes per second at the disk's first, outermost place." },
	{ "storage.device.seek.inner_rate", FIELD_RATE,
	  PROFILE_AT(seek.inner_bytes_per_s), MEDIA_RATE_MIN, RATE_MAX, NULL,
	  "", "Bytes per second at its last place; not given: the same." },
	{ "storage.device.seek.capacity", FIELD_BYTES,
	  PROFILE_AT(seek.capacity_bytes), 1048576, SIZE_MAX_BYTES, NULL, "",
	  "Bytes from the first place to the last." },
	{ "storage.device.seek.span", FIELD_BYTES, PROFILE_AT(seek.span_bytes),
	  1048576, SIZE_MAX_BYTES, NULL, "",
	  "Bytes from the first place that the data lies over, evenly; not "
	  "given: over all of the disk, as on one that was filled over time." },
	{ "storage.device.ramp.initial", FIELD_COUNT,
	  PROFILE_AT(ramp.initial_iops), 1, 1e9, NULL, "",
	  "Operations per second at first, until the device has adapted." },
	{ "storage.device.ramp.doubling", FIELD_TIME,
	  PROFILE_AT(ramp.doubling_ns), 1, RUN_TIME_MAX, NULL, "",
	  "Time in which they double, up to iops." },
	{ "storage.device.error.probability", FIELD_NUMBER,
	  PROFILE_AT(error.probability), NONE, 1, NULL, "0",
	  "Share of attempts that fail and are repeated." },
	{ "storage.device.error.retries", FIELD_COUNT,
	  PROFILE_AT(error.retries), 0, DEVICE_RETRIES_MAX, NULL, "0",
	  "Attempts after the first; when all fail, so does the run." },
	{ "storage.device.error.backoff", FIELD_TIME,
	  PROFILE_AT(error.backoff_base_ns), 0, ITEM_TIME_MAX, NULL, "0 ns",
	  "Wait before the second attempt; it doubles with each." },
	{ "storage.device.error.backoff_cap", FIELD_TIME,
	  PROFILE_AT(error.backoff_cap_ns), 0, ITEM_TIME_MAX, NULL, "0 ns",
	  "Longest wait before an attempt; 0 ns: the first one's." },
	{ "storage.device.error.jitter", FIELD_NUMBER, PROFILE_AT(error.jitter),
	  NONE, 1, NULL, "0",
	  "By how much a wait is shortened at most, at random: 1 is full "
	  "jitter." },
	{ "storage.device.metadata_read", FIELD_BYTES,
	  PROFILE_AT(metadata_bytes), 1, GIB, NULL, "",
	  "Bytes read elsewhere on the device whenever a host goes on to "
	  "another shard, whose file it opens, before it reads from that; not "
	  "given: opening costs nothing." },
	{ "storage.device.first_touch", FIELD_TIME, PROFILE_AT(first_touch_ns),
	  0, ITEM_TIME_MAX, NULL, "0 ns",
	  "Time added to the first read of each place, as on a volume that "
	  "is restored from a snapshot." },
	{ "storage.scope", FIELD_ENUM, AT(storage.scope), NONE, NONE,
	  given_scope_names, "as-device",
	  "In the place of storage.device.scope: one device for all hosts, or "
	  "one in each." },
	{ "storage.volumes", FIELD_COUNT, AT(storage.volumes), 1, 1024, NULL,
	  "1",
	  "Equal volumes that the data is striped over, of the one device or "
	  "in each host." },
	{ "storage.stripe", FIELD_BYTES, AT(storage.stripe_bytes), 4096, GIB,
	  NULL, "512 KiB", "Bytes on a volume before the next one follows." },
	{ "storage.order", FIELD_ENUM, AT(storage.order), NONE, NONE,
	  order_names, "shuffled-shards",
	  "In which order an epoch reads the dataset." },
	{ "storage.request_bytes", FIELD_BYTES, AT(storage.request_bytes), 512,
	  GIB, NULL, "1 MiB",
	  "A request reads whole blocks up to this size; a larger block takes "
	  "several requests." },
	{ "storage.dependent_requests", FIELD_BOOL,
	  AT(storage.dependent_requests), NONE, NONE, NULL, "false",
	  "Requests for one block wait for each other, as page faults do and "
	  "small reads of a file; false: they are in flight together." },
	{ "storage.queue_depth", FIELD_COUNT, AT(storage.queue_depth), 1, 16384,
	  NULL, "32", "Requests in flight, per host." },
	{ "storage.window", FIELD_COUNT, AT(stages[STAGE_READ].output_items), 1,
	  1e6, NULL, "",
	  "Room for requests in flight or read and not yet decompressed, per "
	  "host, never less than queue_depth: in order, so many wait behind a "
	  "slow one. Not given: 64 times queue_depth as far as 64 MiB hold "
	  "them, at least twice." },

	{ "cache.policy", FIELD_ENUM, AT(cache.policy), NONE, NONE, cache_names,
	  "none",
	  "Which blocks each host's cache in front of the device keeps: the "
	  "last used (lru), or the first it got, for good (pinned)." },
	{ "cache.bytes", FIELD_BYTES, AT(cache.bytes), 0, SIZE_MAX_BYTES, NULL,
	  "0 B", "Size of the cache, per host." },
	{ "cache.bandwidth", FIELD_RATE, AT(cache.bandwidth_bytes_per_s),
	  RATE_MIN, RATE_MAX, NULL, "",
	  "Bytes per second from a cache; not given: no limit." },
	{ "cache.latency", FIELD_TIME_DIST, AT(cache.latency_ns), 0,
	  ITEM_TIME_MAX, NULL, "0 ns",
	  "Time that a request takes of which the cache has all." },
	{ "link.bandwidth", FIELD_RATE, AT(link.bandwidth_bytes_per_s),
	  RATE_MIN, RATE_MAX, NULL, "",
	  "Bytes per second between a host and the device; not given: no "
	  "limit." },
	{ "link.latency", FIELD_TIME, AT(link.latency_ns), 0, ITEM_TIME_MAX,
	  NULL, "0 ns", "Time that the link adds to each request." },

	LOADER_ROWS,

	STAGE_QUEUE("decompress", STAGE_DECOMPRESS, "blocks", ", at least 32"),
	STAGE("decompress", STAGE_DECOMPRESS, "block",
	      "bytes after decompression"),
	STAGE_QUEUE("decode", STAGE_DECODE, "examples", ""),
	STAGE("decode", STAGE_DECODE, "example", "stored bytes"),
	STAGE_QUEUE("augment", STAGE_AUGMENT, "examples", ""),
	STAGE("augment", STAGE_AUGMENT, "example", "stored bytes"),
	STAGE("collate", STAGE_COLLATE, "batch", "stored bytes"),
	{ "pipeline.ordered", FIELD_BOOL, AT(ordered), NONE, NONE, NULL, "true",
	  "Results leave a stage in the order they came in; false: as they "
	  "finish." },
	{ "pipeline.read_ahead_examples", FIELD_COUNT, AT(read_ahead_examples),
	  1, BUFFER_EXAMPLES_MAX, NULL, "",
	  "A request may start while fewer examples than this are requested "
	  "and not yet consumed, per host; a step consumes its batch as it "
	  "ends. Not given: so many that it never binds." },
	{ "pipeline.shuffle_examples", FIELD_COUNT, AT(shuffle_examples), 0,
	  BUFFER_EXAMPLES_MAX, NULL, "0",
	  "Size of the shuffle buffer, per host; 0: none." },
	{ "pipeline.batch_size", FIELD_COUNT, AT(batch_size), 1, 1048576, NULL,
	  "256", "Examples in a batch, for one accelerator." },
	{ "pipeline.prefetch_batches", FIELD_COUNT, AT(prefetch_batches), 1,
	  65536, NULL, "2",
	  "Room for batches ready or in the making, for each accelerator; each "
	  "worker of collate adds room for one." },

	{ "accelerator.count", FIELD_COUNT, AT(accelerators.count), 1, 1024,
	  NULL, "1", "Accelerators in a host." },
	{ "accelerator.hosts", FIELD_COUNT, AT(accelerators.hosts), 1, 4096,
	  NULL, "1", "Hosts, each with its own pipeline." },
	{ "accelerator.step_time", FIELD_TIME_DIST, AT(accelerators.step_ns), 1,
	  ITEM_TIME_MAX, NULL, "", "Time of an accelerator for one batch." },
	{ "accelerator.allreduce", FIELD_TIME_DIST,
	  AT(accelerators.allreduce_ns), 0, ITEM_TIME_MAX, NULL, "0 ns",
	  "Time added to each step by the exchange of gradients." },
	{ "accelerator.sync", FIELD_ENUM, AT(accelerators.sync), NONE, NONE,
	  sync_names, "barrier",
	  "barrier: all accelerators step together; none: each by itself, and "
	  "a batch goes to the one of its host that has waited longest." },

	{ "training.law", FIELD_TEXT, AT(law), NONE, NONE, NULL, "",
	  "What a repeated example is worth: a law of `list laws`, or a "
	  "file." },
	{ "training.law.file", FIELD_TEXT, AT(law_file), NONE, NONE, NULL, "",
	  "A law file of one's own: factor,fresh[,strategy,...]." },

	{ "prices.currency", FIELD_TEXT, AT(prices.currency), NONE, NONE, NULL,
	  "USD", "The money of all prices in this section." },
	{ "prices.accelerator_hour", FIELD_NUMBER, AT(prices.accelerator_hour),
	  PRICE_MIN, PRICE_MAX, NULL, "", "Price of an accelerator an hour." },
	{ "prices.host_hour", FIELD_NUMBER, AT(prices.host_hour), PRICE_MIN,
	  PRICE_MAX, NULL, "",
	  "Price of a host an hour, besides its accelerators." },
	{ "prices.worker_hour", FIELD_NUMBER, AT(prices.worker_hour), PRICE_MIN,
	  PRICE_MAX, NULL, "",
	  "Price of a worker of a CPU stage an hour, if it is not the "
	  "host's." },
	{ "prices.cache_gib_month", FIELD_NUMBER, AT(prices.cache_gib_month),
	  PRICE_MIN, PRICE_MAX, NULL, "",
	  "Price of a cache a month per GiB, in each host." },
	STORAGE_PRICE("prices.storage", PRICES_AT, storage,
		      "In place of the device's own: money"),

	{ "echo[].place", FIELD_ENUM, ECHO_AT(place), NONE, NONE, place_names,
	  "none", "Behind which stage data is used again." },
	{ "echo[].policy", FIELD_ENUM, ECHO_AT(policy), NONE, NONE,
	  policy_names, "fixed",
	  "fixed: each item is used factor times; when-starved: the last item "
	  "again while its consumer would idle." },
	{ "echo[].factor", FIELD_NUMBER, ECHO_AT(factor), 1, 1024, NULL, "1",
	  "Uses of an item on average, with policy fixed." },
	{ "echo[].max_factor", FIELD_COUNT, ECHO_AT(max_factor), 1, 1024, NULL,
	  "4", "Uses of an item at most, with policy when-starved." },
	{ "echo[].repeat_cost", FIELD_TIME, ECHO_AT(repeat_cost_ns), 0,
	  ITEM_TIME_MAX, NULL, "0 ns",
	  "Time per extra copy, of a worker of the stage before the echo." },
	{ "echo[].shuffle_batches", FIELD_COUNT, ECHO_AT(shuffle_batches), 1,
	  65536, NULL, "1",
	  "Batches shuffled behind a batch echo; 1: copies back to back." },

	{ "run.steps", FIELD_COUNT, AT(limit.steps), 1, 1e12, NULL, "100",
	  "Steps until the run ends, of each accelerator (sync none: on "
	  "average); the default yields to epochs or duration." },
	{ "run.epochs", FIELD_COUNT, AT(limit.epochs), 1, 1e9, NULL, "",
	  "Epochs until the run ends. On each host, examples too few for a "
	  "batch are dropped; batches too few for a step of all accelerators "
	  "(barrier) are left over. None goes into the next epoch." },
	{ "run.duration", FIELD_TIME, AT(limit.duration_ns), 1, RUN_TIME_MAX,
	  NULL, "", "Time until the run ends." },
	{ "run.warmup_steps", FIELD_COUNT, AT(limit.warmup_steps), 0, 1e12,
	  NULL, "1", "First steps that are not measured." },
};

_Static_assert(sizeof(field_table) / sizeof(field_table[0]) <=
		       SCENARIO_FIELDS_MAX,
	       "more fields than a scenario keeps account of");

const size_t field_count = sizeof(field_table) / sizeof(field_table[0]);

const struct field *field_find(const char *key)
{
	size_t i;

	for (i = 0; i < field_count; i++)
		if (strcmp(field_table[i].key, key) == 0)
			return &field_table[i];
	return NULL;
}

bool field_is_listed(const struct field *field)
{
	return strstr(field->key, "[].") != NULL;
}

const char *field_listed_in(const struct field *field, const char *list)
{
	size_t length = strlen(list);

	if (strncmp(field->key, list, length) != 0 ||
	    strncmp(field->key + length, "[].", 3) != 0)
		return NULL;
	return field->key + length + 3;
}

bool field_is_section(const char *key)
{
	size_t length = strlen(key);
	size_t i;

	for (i = 0; i < field_count; i++)
		if (strncmp(field_table[i].key, key, length) == 0 &&
		    field_table[i].key[length] == '.')
			return true;
	return false;
}

const char *echo_place_name(enum echo_place place)
{
	return place_names[place];
}

const char *echo_policy_name(enum echo_policy policy)
{
	return policy_names[policy];
}

const char *read_order_name(enum read_order order)
{
	return order_names[order];
}
