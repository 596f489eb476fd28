/* SPDX-License-Identifier: MIT */
#include "traces/device/check.h"

#include <stdio.h>

#include "traces/units.h"

#define NS_PER_S 1e9
/* A seek curve of square root and line that never goes back: random seeks
 * take at least a third of what the full stroke takes. */
#define FULL_PER_AVERAGE 3

static bool flawed(struct device_flaw *flaw, const char *key)
{
	snprintf(flaw->key, sizeof(flaw->key), "%s", key);
	return true;
}

static bool has_no_effect(struct device_flaw *flaw, const char *key,
			  const char *needs)
{
	snprintf(flaw->text, sizeof(flaw->text),
		 "has no effect here; expected only with %s", needs);
	return flawed(flaw, key);
}

static bool is_off(struct device_flaw *flaw, const char *key,
		   enum units_kind kind, uint64_t found, const char *relation,
		   uint64_t bound)
{
	char found_text[32], bound_text[32];

	snprintf(flaw->text, sizeof(flaw->text), "found %s; expected %s, %s",
		 units_print(kind, found, found_text, sizeof(found_text)),
		 relation,
		 units_print(kind, bound, bound_text, sizeof(bound_text)));
	return flawed(flaw, key);
}

static bool is_missing(struct device_flaw *flaw, const char *key,
		       const char *with)
{
	snprintf(flaw->text, sizeof(flaw->text),
		 "not given; expected it with %s", with);
	return flawed(flaw, key);
}

static bool has_bucket(const struct device_profile *profile, enum bucket_of of)
{
	uint32_t i;

	for (i = 0; i < profile->bucket_count; i++)
		if (profile->buckets[i].of == of)
			return true;
	return false;
}

static bool counts_ops(const struct device_profile *profile)
{
	return profile->iops || has_bucket(profile, BUCKET_OF_OPS);
}

static bool counts_bytes(const struct device_profile *profile)
{
	return profile->bandwidth_bytes_per_s ||
	       has_bucket(profile, BUCKET_OF_BYTES);
}

bool device_is_limited(const struct device_profile *profile)
{
	return counts_ops(profile) || counts_bytes(profile) ||
	       profile->stream_bandwidth_bytes_per_s || profile->seek.rpm ||
	       !distribution_is_zero(&profile->latency_ns);
}

/* ---- contradictions ---- */

static bool charges_contradict(const struct device_profile *profile,
			       struct device_flaw *flaw)
{
	if (profile->io_unit_bytes && !counts_ops(profile))
		return has_no_effect(flaw, "io_unit",
				     "storage.device.iops or a bucket of ops");
	if (profile->min_charge_bytes && !counts_bytes(profile))
		return has_no_effect(flaw, "min_charge",
				     "storage.device.bandwidth or a bucket of "
				     "bytes");
	if (profile->merges && !counts_ops(profile) &&
	    !profile->min_charge_bytes)
		return has_no_effect(flaw, "merge",
				     "storage.device.iops, a bucket of ops or "
				     "storage.device.min_charge");
	return false;
}

bool device_bucket_contradicts(const struct device_bucket *bucket,
			       uint32_t index, struct device_flaw *flaw)
{
	const struct bucket_profile *profile = &bucket->profile;
	bool bytes = bucket->of == BUCKET_OF_BYTES;
	char key[sizeof(flaw->key)];

	snprintf(key, sizeof(key), "buckets.%u.initial", index);
	if (profile->initial > profile->capacity)
		return is_off(flaw, key, bytes ? UNITS_BYTES : UNITS_COUNT,
			      (uint64_t)profile->initial,
			      "at most its capacity",
			      (uint64_t)profile->capacity);
	snprintf(key, sizeof(key), "buckets.%u.peak", index);
	if (profile->peak_per_s < profile->baseline_per_s)
		return is_off(flaw, key, bytes ? UNITS_RATE : UNITS_COUNT,
			      (uint64_t)profile->peak_per_s,
			      "at least its baseline",
			      (uint64_t)profile->baseline_per_s);
	return false;
}

static bool buckets_contradict(const struct device_profile *profile,
			       struct device_flaw *flaw)
{
	uint32_t i;

	for (i = 0; i < profile->bucket_count; i++)
		if (device_bucket_contradicts(&profile->buckets[i], i, flaw))
			return true;
	return false;
}

static bool seek_contradicts(const struct device_profile *profile,
			     struct device_flaw *flaw)
{
	const struct device_seek *seek = &profile->seek;
	/* Beyond the shortest seek, which the curve starts from. */
	int64_t average = seek->average_ns - seek->track_to_track_ns;
	int64_t full = seek->full_ns - seek->track_to_track_ns;

	if (seek->average_ns && average < 0)
		return is_off(flaw, "seek.average", UNITS_TIME,
			      (uint64_t)seek->average_ns,
			      "at least seek.track_to_track",
			      (uint64_t)seek->track_to_track_ns);
	if (seek->full_ns && seek->full_ns < seek->average_ns)
		return is_off(flaw, "seek.full", UNITS_TIME,
			      (uint64_t)seek->full_ns, "at least seek.average",
			      (uint64_t)seek->average_ns);
	if (seek->average_ns && full > FULL_PER_AVERAGE * average)
		return is_off(flaw, "seek.full", UNITS_TIME,
			      (uint64_t)seek->full_ns,
			      "at most three times seek.average (both beyond "
			      "track_to_track)",
			      (uint64_t)(FULL_PER_AVERAGE * average +
					 seek->track_to_track_ns));
	if (seek->span_bytes > seek->capacity_bytes && seek->capacity_bytes)
		return is_off(flaw, "seek.span", UNITS_BYTES, seek->span_bytes,
			      "at most seek.capacity", seek->capacity_bytes);
	if (seek->inner_bytes_per_s > seek->outer_bytes_per_s &&
	    seek->outer_bytes_per_s)
		return is_off(flaw, "seek.inner_rate", UNITS_RATE,
			      seek->inner_bytes_per_s,
			      "at most seek.outer_rate",
			      seek->outer_bytes_per_s);
	return false;
}

static bool ramp_contradicts(const struct device_profile *profile,
			     struct device_flaw *flaw)
{
	const struct device_ramp *ramp = &profile->ramp;

	if (profile->iops && ramp->initial_iops > profile->iops)
		return is_off(flaw, "ramp.initial", UNITS_COUNT,
			      ramp->initial_iops, "at most storage.device.iops",
			      profile->iops);
	return false;
}

static bool error_contradicts(const struct device_profile *profile,
			      struct device_flaw *flaw)
{
	static const char needs[] = "storage.device.error.probability";
	const struct device_error *error = &profile->error;

	if (error->backoff_cap_ns &&
	    error->backoff_cap_ns < error->backoff_base_ns)
		return is_off(flaw, "error.backoff_cap", UNITS_TIME,
			      (uint64_t)error->backoff_cap_ns,
			      "at least error.backoff",
			      (uint64_t)error->backoff_base_ns);
	if (error->probability > 0)
		return false;
	if (error->retries)
		return has_no_effect(flaw, "error.retries", needs);
	if (error->backoff_base_ns)
		return has_no_effect(flaw, "error.backoff", needs);
	if (error->backoff_cap_ns)
		return has_no_effect(flaw, "error.backoff_cap", needs);
	if (error->jitter > 0)
		return has_no_effect(flaw, "error.jitter", needs);
	return false;
}

bool device_contradicts(const struct device_profile *profile,
			struct device_flaw *flaw)
{
	return charges_contradict(profile, flaw) ||
	       buckets_contradict(profile, flaw) ||
	       seek_contradicts(profile, flaw) ||
	       ramp_contradicts(profile, flaw) ||
	       error_contradicts(profile, flaw);
}

/* ---- what is missing ---- */

static bool seek_lacks(const struct device_seek *seek, struct device_flaw *flaw)
{
	static const char with[] = "the other keys of storage.device.seek";

	if (!seek->rpm && !seek->average_ns && !seek->full_ns &&
	    !seek->track_to_track_ns && !seek->outer_bytes_per_s &&
	    !seek->inner_bytes_per_s && !seek->capacity_bytes &&
	    !seek->span_bytes)
		return false;
	if (!seek->rpm)
		return is_missing(flaw, "seek.rpm", with);
	if (!seek->average_ns)
		return is_missing(flaw, "seek.average", with);
	if (!seek->outer_bytes_per_s)
		return is_missing(flaw, "seek.outer_rate", with);
	if (!seek->capacity_bytes)
		return is_missing(flaw, "seek.capacity", with);
	return false;
}

static bool ramp_lacks(const struct device_profile *profile,
		       struct device_flaw *flaw)
{
	const struct device_ramp *ramp = &profile->ramp;

	if (!ramp->initial_iops && !ramp->doubling_ns)
		return false;
	if (!ramp->initial_iops)
		return is_missing(flaw, "ramp.initial",
				  "storage.device.ramp.doubling");
	if (!ramp->doubling_ns)
		return is_missing(flaw, "ramp.doubling",
				  "storage.device.ramp.initial");
	if (!profile->iops)
		return is_missing(flaw, "iops",
				  "storage.device.ramp, which ends there");
	return false;
}

bool device_lacks(const struct device_profile *profile,
		  struct device_flaw *flaw)
{
	bool tail = !distribution_is_zero(&profile->tail_latency_ns);

	if (profile->tail_probability > 0 && !tail)
		return is_missing(flaw, "tail.latency",
				  "storage.device.tail.probability");
	if (tail && !(profile->tail_probability > 0))
		return is_missing(flaw, "tail.probability",
				  "storage.device.tail.latency");
	return seek_lacks(&profile->seek, flaw) || ramp_lacks(profile, flaw);
}

/* ---- how long it may take ---- */

static double seek_s(const struct device_seek *seek, double bytes)
{
	uint64_t rate = seek->inner_bytes_per_s ? seek->inner_bytes_per_s :
						  seek->outer_bytes_per_s;
	double average_s = (double)seek->average_ns / NS_PER_S;

	if (!seek->rpm)
		return 0;
	return FULL_PER_AVERAGE * average_s + 60.0 / seek->rpm +
	       bytes / (double)rate;
}

/* By how much a request's answer may come after its service, at most about. */
static double waits_s(const struct device_profile *profile, double bytes)
{
	double stream = (double)profile->stream_bandwidth_bytes_per_s;
	const struct device_error *error = &profile->error;
	double latency_s =
		(distribution_mean(&profile->latency_ns) +
		 profile->tail_probability *
			 distribution_mean(&profile->tail_latency_ns)) /
		NS_PER_S;
	int64_t backoff_ns = error->backoff_cap_ns ? error->backoff_cap_ns :
						     error->backoff_base_ns;

	return (latency_s + (double)backoff_ns / NS_PER_S) *
		       (error->retries + 1) +
	       (double)profile->first_touch_ns / NS_PER_S +
	       (stream > 0 ? bytes / stream : 0);
}

double device_backlog_s(const struct device_profile *profile, double requests,
			double bytes)
{
	double charged = bytes > (double)profile->min_charge_bytes ?
				 bytes :
				 (double)profile->min_charge_bytes;
	double ops = profile->io_unit_bytes ?
			     bytes / (double)profile->io_unit_bytes + 1 :
			     1;
	double each_s = seek_s(&profile->seek, bytes);
	uint64_t iops = profile->ramp.initial_iops ?
				profile->ramp.initial_iops :
				profile->iops;
	uint32_t i;

	if (profile->bandwidth_bytes_per_s)
		each_s += charged / (double)profile->bandwidth_bytes_per_s;
	if (iops)
		each_s += (ops + profile->error.retries) / (double)iops;
	for (i = 0; i < profile->bucket_count; i++)
		each_s += (profile->buckets[i].of == BUCKET_OF_OPS ?
				   ops + profile->error.retries :
				   charged) /
			  profile->buckets[i].profile.baseline_per_s;
	if (profile->max_inflight)
		each_s += waits_s(profile, bytes) / profile->max_inflight;
	return requests * each_s;
}
