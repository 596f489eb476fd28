/* SPDX-License-Identifier: MIT */
#include "analysis/device_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/text.h"
#include "sim/check.h"
#include "traces/devices.h"
#include "traces/scenario.h"
#include "traces/units.h"

#define DEVICES_MAX 128
#define LIMITS_MAX 320
#define PRICE_TEXT_MAX 160
#define ABOUT_MAX (LIMITS_MAX + PRICE_TEXT_MAX + 4 * SCENARIO_TEXT_MAX)
#define NS_PER_S 1e9

/* What the list says of a device. Rates are infinite where there is no limit;
 * the sustained ones are those without credit. */
struct device_row {
	const char *name;
	struct device_facts facts;
	double bandwidth_bytes_per_s, sustained_bytes_per_s;
	double iops, sustained_iops;
	double latency_s; /* half of the requests take no longer */
	uint64_t size_bytes;
	enum device_scope scope;
	uint64_t client_bytes_per_s; /* 0: no limit */
	char limits[LIMITS_MAX];
	char price[PRICE_TEXT_MAX];
	char about[ABOUT_MAX]; /* all words, for people */
};

enum device_column {
	COLUMN_NAME,
	COLUMN_BANDWIDTH,
	COLUMN_IOPS,
	COLUMN_LATENCY,
	COLUMN_SUSTAINED_BANDWIDTH,
	COLUMN_SUSTAINED_IOPS,
	COLUMN_SIZE,
	COLUMN_SCOPE,
	COLUMN_DESCRIPTION,
	COLUMN_LIMITS,
	COLUMN_SOURCE,
	COLUMN_AS_OF,
	COLUMN_UNVERIFIED,
	COLUMN_PRICE,
	COLUMN_ABOUT,
	COLUMN_COUNT,
};

static const struct view_column columns[COLUMN_COUNT] = {
	[COLUMN_NAME] = { .path = "name", .kind = METRIC_TEXT, .unit = "" },
	[COLUMN_BANDWIDTH] = { .path = "bandwidth_bytes_per_s",
			       .kind = METRIC_REAL,
			       .unit = "B/s",
			       .heading = "bandwidth\nat most" },
	[COLUMN_IOPS] = { .path = "iops",
			  .kind = METRIC_REAL,
			  .unit = "#",
			  .heading = "IOPS\nat most" },
	[COLUMN_LATENCY] = { .path = "latency_p50_s",
			     .kind = METRIC_REAL,
			     .unit = "s",
			     .heading = "latency\nmedian" },
	[COLUMN_SUSTAINED_BANDWIDTH] = { .path = "sustained_bytes_per_s",
					 .kind = METRIC_REAL,
					 .unit = "B/s",
					 .heading = "bandwidth\nsustained" },
	[COLUMN_SUSTAINED_IOPS] = { .path = "sustained_iops",
				    .kind = METRIC_REAL,
				    .unit = "#",
				    .heading = "IOPS\nsustained" },
	[COLUMN_SIZE] = { .path = "size_bytes",
			  .kind = METRIC_COUNT,
			  .unit = "B",
			  .audience = SEEN_IN_CSV },
	[COLUMN_SCOPE] = { .path = "scope",
			   .kind = METRIC_TEXT,
			   .unit = "",
			   .audience = SEEN_IN_CSV },
	[COLUMN_DESCRIPTION] = { .path = "description",
				 .kind = METRIC_TEXT,
				 .unit = "",
				 .audience = SEEN_IN_CSV },
	[COLUMN_LIMITS] = { .path = "limits",
			    .kind = METRIC_TEXT,
			    .unit = "",
			    .audience = SEEN_IN_CSV },
	[COLUMN_SOURCE] = { .path = "source",
			    .kind = METRIC_TEXT,
			    .unit = "",
			    .audience = SEEN_IN_CSV },
	[COLUMN_AS_OF] = { .path = "as_of",
			   .kind = METRIC_TEXT,
			   .unit = "",
			   .audience = SEEN_IN_CSV },
	[COLUMN_UNVERIFIED] = { .path = "unverified",
				.kind = METRIC_TEXT,
				.unit = "",
				.audience = SEEN_IN_CSV },
	[COLUMN_PRICE] = { .path = "price",
			   .kind = METRIC_TEXT,
			   .unit = "",
			   .audience = SEEN_IN_CSV },
	[COLUMN_ABOUT] = { .path = "about",
			   .kind = METRIC_TEXT,
			   .unit = "",
			   .audience = SEEN_BY_PEOPLE },
};

/* ---- words ---- */

/* "90.00 MB/s" */
static const char *human(const char *unit, double value, char *text)
{
	return value_human(METRIC_REAL, unit, value_real(value), text,
			   VALUE_TEXT_MAX);
}

/* "256 KiB" */
static const char *exact(enum units_kind kind, uint64_t value, char *text)
{
	return units_print(kind, value, text, VALUE_TEXT_MAX);
}

static void say_bucket(struct device_row *row,
		       const struct device_bucket *bucket)
{
	const struct bucket_profile *profile = &bucket->profile;
	bool bytes = bucket->of == BUCKET_OF_BYTES;
	char capacity[VALUE_TEXT_MAX], peak[VALUE_TEXT_MAX];

	if (profile->peak_per_s <= profile->baseline_per_s)
		return;
	text_append(row->limits, LIMITS_MAX,
		    "; %s burst from a credit of %s for %s",
		    bytes ? "bytes" : "operations",
		    human(bytes ? "B" : "#", profile->capacity, capacity),
		    human("s",
			  profile->initial / (profile->peak_per_s -
					      profile->baseline_per_s),
			  peak));
}

static void say_charges(struct device_row *row,
			const struct device_profile *profile)
{
	char text[VALUE_TEXT_MAX];

	if (profile->io_unit_bytes)
		text_append(row->limits, LIMITS_MAX, "; an operation per %s",
			    exact(UNITS_BYTES, profile->io_unit_bytes, text));
	if (profile->min_charge_bytes)
		text_append(row->limits, LIMITS_MAX,
			    "; a read counts as %s or more",
			    exact(UNITS_BYTES, profile->min_charge_bytes,
				  text));
	if (profile->stream_bandwidth_bytes_per_s)
		text_append(row->limits, LIMITS_MAX, "; %s a request",
			    exact(UNITS_RATE,
				  profile->stream_bandwidth_bytes_per_s, text));
	if (row->client_bytes_per_s)
		text_append(row->limits, LIMITS_MAX, "; %s a host",
			    exact(UNITS_RATE, row->client_bytes_per_s, text));
	if (profile->max_inflight)
		text_append(row->limits, LIMITS_MAX, "; %u requests in flight",
			    profile->max_inflight);
}

static void say_limits(struct device_row *row,
		       const struct device_profile *profile)
{
	char first[VALUE_TEXT_MAX], text[VALUE_TEXT_MAX];
	uint32_t i;

	if (row->size_bytes)
		text_append(row->limits, LIMITS_MAX,
			    "; figures for a size of %s",
			    human("B", (double)row->size_bytes, text));
	for (i = 0; i < profile->bucket_count; i++)
		say_bucket(row, &profile->buckets[i]);
	if (profile->ramp.initial_iops)
		text_append(
			row->limits, LIMITS_MAX,
			"; %s operations at first, twice as many every %s",
			human("#", (double)profile->ramp.initial_iops, first),
			human("s", (double)profile->ramp.doubling_ns / NS_PER_S,
			      text));
	if (profile->seek.rpm)
		text_append(row->limits, LIMITS_MAX, "; %u rpm, seek %s",
			    profile->seek.rpm,
			    human("s",
				  (double)profile->seek.average_ns / NS_PER_S,
				  text));
	say_charges(row, profile);
	/* Each began with its separator. */
	if (row->limits[0])
		memmove(row->limits, row->limits + 2,
			strlen(row->limits + 2) + 1);
}

static void say_price(struct device_row *row)
{
	const struct storage_price *price = &row->facts.price;
	const struct {
		double price;
		const char *of;
		uint64_t included;
		enum units_kind units;
	} parts[] = {
		{ price->per_gib_month, "GiB", 0, UNITS_COUNT },
		{ price->per_mb_s_month, "MB/s", price->included_bytes_per_s,
		  UNITS_RATE },
		{ price->per_iops_month, "IOPS", price->included_iops,
		  UNITS_COUNT },
		{ price->per_million_requests, "million requests", 0,
		  UNITS_COUNT },
	};
	char text[VALUE_TEXT_MAX];
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].price <= 0)
			continue;
		text_append(row->price, PRICE_TEXT_MAX, "%s%.4g USD per %s",
			    row->price[0] ? ", " : "", parts[i].price,
			    parts[i].of);
		if (i < 3)
			text_append(row->price, PRICE_TEXT_MAX, " a month");
		if (parts[i].included)
			text_append(row->price, PRICE_TEXT_MAX, " beyond %s",
				    exact(parts[i].units, parts[i].included,
					  text));
	}
}

static void say_about(struct device_row *row)
{
	const struct device_facts *facts = &row->facts;

	text_append(row->about, ABOUT_MAX, "%s; %s.", facts->description,
		    row->scope == SCOPE_SHARED ? "shared by all hosts" :
						 "one in each host");
	if (row->limits[0])
		text_append(row->about, ABOUT_MAX, " Limits: %s.", row->limits);
	if (row->price[0])
		text_append(row->about, ABOUT_MAX, " Price: %s.", row->price);
	text_append(row->about, ABOUT_MAX, " Source, as of %s: %s.",
		    facts->as_of, facts->source);
	if (facts->unverified[0])
		text_append(row->about, ABOUT_MAX, " Unverified: %s.",
			    facts->unverified);
}

/* ---- figures ---- */

static double limit(uint64_t value)
{
	return value ? (double)value : (double)INFINITY;
}

static double least(double one, double other)
{
	return one < other ? one : other;
}

static void take_buckets(struct device_row *row,
			 const struct device_profile *profile)
{
	const struct device_bucket *bucket = profile->buckets;
	double *peak, *sustained;

	for (; bucket < profile->buckets + profile->bucket_count; bucket++) {
		bool bytes = bucket->of == BUCKET_OF_BYTES;

		peak = bytes ? &row->bandwidth_bytes_per_s : &row->iops;
		sustained = bytes ? &row->sustained_bytes_per_s :
				    &row->sustained_iops;
		*peak = least(*peak, bucket->profile.peak_per_s);
		*sustained = least(*sustained, bucket->profile.baseline_per_s);
	}
}

/* A disk's arm: random reads of next to nothing, and a scan of its first
 * places. */
static void take_seek(struct device_row *row, const struct device_seek *seek)
{
	double wait_s = (double)seek->average_ns / NS_PER_S + 30.0 / seek->rpm +
			row->latency_s;

	row->bandwidth_bytes_per_s = least(row->bandwidth_bytes_per_s,
					   (double)seek->outer_bytes_per_s);
	row->sustained_bytes_per_s = least(row->sustained_bytes_per_s,
					   (double)seek->outer_bytes_per_s);
	row->iops = least(row->iops, 1 / wait_s);
	row->sustained_iops = least(row->sustained_iops, 1 / wait_s);
}

static void fill(struct device_row *row, const char *name,
		 const struct scenario *scenario)
{
	const struct device_profile *profile = &scenario->storage.profile;

	*row = (struct device_row){
		.name = name,
		.facts = scenario->storage.facts,
		.bandwidth_bytes_per_s = limit(profile->bandwidth_bytes_per_s),
		.sustained_bytes_per_s = limit(profile->bandwidth_bytes_per_s),
		.iops = limit(profile->iops),
		.sustained_iops = limit(profile->iops),
		/* The median: half of all random numbers are below. */
		.latency_s = (double)distribution_draw(&profile->latency_ns,
						       UINT64_MAX / 2) /
			     NS_PER_S,
		.size_bytes = scenario->storage.size_bytes,
		.scope = scenario->storage.device_scope,
		.client_bytes_per_s =
			scenario->storage.client_bandwidth_bytes_per_s,
	};
	take_buckets(row, profile);
	if (profile->seek.rpm)
		take_seek(row, &profile->seek);
	say_limits(row, profile);
	say_price(row);
	say_about(row);
}

static void read_device(struct device_row *row,
			const struct embedded_file *entry)
{
	static struct scenario scenario;
	char assignment[SCENARIO_TEXT_MAX];
	struct fault fault = { 0 };

	scenario_init(&scenario);
	snprintf(assignment, sizeof(assignment), "storage.device=%s",
		 entry->name);
	CHECK(!scenario_set(&scenario, assignment, &fault));
	fill(row, entry->name, &scenario);
}

/* ---- grid ---- */

/* "" is nothing. */
static struct metric_value words(const char *text)
{
	return value_text(text[0] ? text : NULL);
}

static struct metric_value cell(const void *context, size_t index,
				size_t column)
{
	const struct device_row *row =
		(const struct device_row *)context + index;

	switch ((enum device_column)column) {
	case COLUMN_NAME:
		return value_text(row->name);
	case COLUMN_BANDWIDTH:
		return value_real(row->bandwidth_bytes_per_s);
	case COLUMN_IOPS:
		return value_real(row->iops);
	case COLUMN_LATENCY:
		return value_real(row->latency_s);
	case COLUMN_SUSTAINED_BANDWIDTH:
		return value_real(row->sustained_bytes_per_s);
	case COLUMN_SUSTAINED_IOPS:
		return value_real(row->sustained_iops);
	case COLUMN_SIZE:
		return row->size_bytes ? value_count(row->size_bytes) :
					 value_unknown();
	case COLUMN_SCOPE:
		return value_text(row->scope == SCOPE_SHARED ? "shared" :
							       "per-host");
	case COLUMN_DESCRIPTION:
		return words(row->facts.description);
	case COLUMN_LIMITS:
		return words(row->limits);
	case COLUMN_SOURCE:
		return words(row->facts.source);
	case COLUMN_AS_OF:
		return words(row->facts.as_of);
	case COLUMN_UNVERIFIED:
		return words(row->facts.unverified);
	case COLUMN_PRICE:
		return words(row->price);
	default:
		return words(row->about);
	}
}

struct grid device_grid(void)
{
	static struct device_row rows[DEVICES_MAX];
	size_t i;

	CHECK(devices.count <= DEVICES_MAX);
	for (i = 0; i < devices.count; i++)
		read_device(&rows[i], &devices.files[i]);
	return (struct grid){
		.name = "devices",
		.title = "Devices",
		.about = "What storage.device may name. A dash: the device has "
			 "no limit of that kind of its own.",
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.row_count = devices.count,
		.context = rows,
		.cell = cell,
	};
}
