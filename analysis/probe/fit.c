/* SPDX-License-Identifier: MIT */
#include "analysis/probe/fit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/check.h"
#include "sim/math.h"

#define NS_PER_S 1e9

/* Logarithms of the parameters, in the order of the law. */
enum { LATENCY, STREAM, IOPS, BYTES, PARAMETERS };

/* Relative distance up to which an error counts squared. */
#define TRUSTED 0.15

/* The search halves its step from a factor of about 1.6 to one of 1e-6. */
#define STEP_FIRST 0.5
#define STEP_LAST 1e-6

/* A limit is seen where without it the law would let this much more through
 * at some point; less is within what noise makes of a point. */
#define SEEN 1.1

static double lesser(double a, double b)
{
	return a < b ? a : b;
}

static double greater(double a, double b)
{
	return a > b ? a : b;
}

double fit_law_rate(const struct fit_law *law, uint32_t inflight,
		    uint64_t bytes)
{
	double size = (double)bytes;
	double stream = lesser(law->stream_bytes_per_s, law->bytes_per_s);
	double rate = inflight / (law->latency_s + size / stream);

	return lesser(rate, lesser(law->iops, law->bytes_per_s / size));
}

/* ---- least squares, robust ---- */

struct search {
	const struct fit_point *points;
	size_t count;
	double log_rates[FIT_POINTS_MAX];
};

static struct fit_law law_at(const double *at)
{
	return (struct fit_law){
		.latency_s = math_exp(at[LATENCY]),
		.stream_bytes_per_s = math_exp(at[STREAM]),
		.iops = math_exp(at[IOPS]),
		.bytes_per_s = math_exp(at[BYTES]),
	};
}

static double loss_at(const struct search *search, const double *at)
{
	struct fit_law law = law_at(at);
	double loss = 0;

	for (size_t i = 0; i < search->count; i++) {
		const struct fit_point *point = &search->points[i];
		double rate = fit_law_rate(&law, point->inflight, point->bytes);
		double off = fabs(math_log(rate) - search->log_rates[i]);

		loss += off < TRUSTED ? off * off :
					TRUSTED * (2 * off - TRUSTED);
	}
	return loss;
}

/* Tries a step either way along each parameter, and along latency and stream
 * together, which make up for each other. */
static bool step(const struct search *search, double *at, double *loss,
		 double size)
{
	static const signed char ways[][PARAMETERS] = {
		{ 1, 0, 0, 0 },	  { -1, 0, 0, 0 },  { 0, 1, 0, 0 },
		{ 0, -1, 0, 0 },  { 0, 0, 1, 0 },   { 0, 0, -1, 0 },
		{ 0, 0, 0, 1 },	  { 0, 0, 0, -1 },  { 1, 1, 0, 0 },
		{ -1, -1, 0, 0 }, { 1, -1, 0, 0 },  { -1, 1, 0, 0 },
		{ 0, 1, 0, 1 },	  { 0, -1, 0, -1 },
	};
	bool better = false;

	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
		double next[PARAMETERS];
		double next_loss;

		for (size_t i = 0; i < PARAMETERS; i++)
			next[i] = at[i] + ways[way][i] * size;
		next_loss = loss_at(search, next);
		if (next_loss >= *loss)
			continue;
		for (size_t i = 0; i < PARAMETERS; i++)
			at[i] = next[i];
		*loss = next_loss;
		better = true;
	}
	return better;
}

static double descend(const struct search *search, double *at)
{
	double loss = loss_at(search, at);

	for (double size = STEP_FIRST; size > STEP_LAST;)
		if (!step(search, at, &loss, size))
			size /= 2;
	return loss;
}

/* What single points say: the smallest request alone, the largest alone, the
 * highest rates. */
static void first_guess(const struct search *search, double *at)
{
	const struct fit_point *small = NULL, *large = NULL;
	double iops = 0, bytes_per_s = 0, transfer_s;

	for (size_t i = 0; i < search->count; i++) {
		const struct fit_point *point = &search->points[i];

		iops = greater(iops, point->requests_per_s);
		bytes_per_s =
			greater(bytes_per_s,
				point->requests_per_s * (double)point->bytes);
		if (point->inflight != 1)
			continue;
		if (!small || point->bytes < small->bytes)
			small = point;
		if (!large || point->bytes > large->bytes)
			large = point;
	}
	at[LATENCY] = -math_log(small->requests_per_s);
	at[IOPS] = math_log(iops);
	at[BYTES] = math_log(bytes_per_s);
	transfer_s = 1 / large->requests_per_s - 1 / small->requests_per_s;
	at[STREAM] = at[BYTES];
	if (transfer_s > 0)
		at[STREAM] =
			lesser(at[BYTES],
			       math_log((double)(large->bytes - small->bytes) /
					transfer_s));
}

/* From the guess, and from beside it in every direction: the law has corners,
 * and a descent may end in one. */
static void find(const struct search *search, double *best)
{
	double guess[PARAMETERS], at[PARAMETERS];
	double least = INFINITY;

	first_guess(search, guess);
	for (unsigned start = 0; start < 1 << PARAMETERS; start++) {
		double loss;

		for (unsigned i = 0; i < PARAMETERS; i++)
			at[i] = guess[i] - (start >> i & 1 ? 0.4 : 0);
		loss = descend(search, at);
		if (loss >= least)
			continue;
		least = loss;
		for (unsigned i = 0; i < PARAMETERS; i++)
			best[i] = at[i];
	}
}

/* ---- which limits were seen ---- */

/* How much more the law would let through at a point without a limit. */
static double held_back(const struct fit_law *law,
			const struct fit_law *without,
			const struct fit_point *point)
{
	return fit_law_rate(without, point->inflight, point->bytes) /
	       fit_law_rate(law, point->inflight, point->bytes);
}

static void look(struct fit_law *law, const struct search *search)
{
	struct fit_law no_stream = *law, no_iops = *law, no_bytes = *law;
	double iops = 0, bytes_per_s = 0;

	no_stream.stream_bytes_per_s = law->bytes_per_s;
	no_iops.iops = INFINITY;
	no_bytes.bytes_per_s = INFINITY;
	no_bytes.stream_bytes_per_s =
		lesser(law->stream_bytes_per_s, law->bytes_per_s);
	for (size_t i = 0; i < search->count; i++) {
		const struct fit_point *point = &search->points[i];

		iops = greater(iops, point->requests_per_s);
		bytes_per_s =
			greater(bytes_per_s,
				point->requests_per_s * (double)point->bytes);
		law->stream_seen |= held_back(law, &no_stream, point) > SEEN;
		law->iops_seen |= held_back(law, &no_iops, point) > SEEN;
		law->bytes_seen |= held_back(law, &no_bytes, point) > SEEN;
	}
	if (!law->iops_seen)
		law->iops = iops;
	if (!law->bytes_seen)
		law->bytes_per_s = bytes_per_s;
	if (!law->stream_seen)
		law->stream_bytes_per_s = law->bytes_per_s;
}

static bool usable(const struct fit_point *points, size_t count)
{
	bool alone = false;

	if (count < FIT_POINTS_MIN || count > FIT_POINTS_MAX)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!(points[i].requests_per_s > 0) || !points[i].bytes)
			return false;
		alone |= points[i].inflight == 1;
	}
	return alone;
}

int fit_law(struct fit_law *law, const struct fit_point *points, size_t count)
{
	struct search search = { .points = points, .count = count };
	double best[PARAMETERS];

	if (!usable(points, count))
		return -EINVAL;
	for (size_t i = 0; i < count; i++)
		search.log_rates[i] = math_log(points[i].requests_per_s);
	find(&search, best);
	*law = law_at(best);
	look(law, &search);
	return 0;
}

/* ---- the device ---- */

/* Four digits: what the file of a profile says, so that whoever reads it gets
 * the very same device. */
static double rounded_real(double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3e", value);
	return strtod(text, NULL);
}

static uint64_t rounded(double value)
{
	return (uint64_t)(rounded_real(value) + 0.5);
}

void fit_profile(struct device_profile *profile, const struct fit_law *law,
		 const struct distribution *latency_ns)
{
	double stretch =
		law->latency_s * NS_PER_S / distribution_mean(latency_ns);

	*profile = (struct device_profile){
		.bandwidth_bytes_per_s = rounded(law->bytes_per_s),
		.iops = rounded(greater(law->iops, 1)),
		.latency_ns = {
			.kind = DISTRIBUTION_QUANTILES,
			.p50 = rounded_real(latency_ns->p50 * stretch),
			.p90 = rounded_real(latency_ns->p90 * stretch),
			.p99 = rounded_real(latency_ns->p99 * stretch),
			.p999 = rounded_real(latency_ns->p999 * stretch),
		},
	};
	if (law->stream_seen)
		profile->stream_bandwidth_bytes_per_s =
			rounded(law->stream_bytes_per_s);
}

/* Requests that are let pass first, by request in flight, and then counted. */
#define SETTLE 50
#define COUNTED 20000

static uint32_t earliest(const int64_t *due_ns, uint32_t count)
{
	uint32_t least = 0;

	for (uint32_t i = 1; i < count; i++)
		if (due_ns[i] < due_ns[least])
			least = i;
	return least;
}

double fit_device_rate(const struct device_profile *profile, uint32_t inflight,
		       uint64_t bytes, uint64_t seed)
{
	struct device_profile spent = *profile;
	uint64_t settle = (uint64_t)SETTLE * inflight;
	int64_t due_ns[FIT_INFLIGHT_MAX] = { 0 };
	int64_t now_ns = 0, start_ns = 0;
	struct device device;

	CHECK(inflight > 0);
	CHECK(inflight <= FIT_INFLIGHT_MAX);
	CHECK(!profile->max_inflight); /* which would need memory */
	for (uint32_t i = 0; i < spent.bucket_count; i++)
		spent.buckets[i].profile.initial = 0;
	device_init(&device, &spent, seed, NULL);
	for (uint64_t number = 0; number < settle + COUNTED; number++) {
		uint32_t slot = earliest(due_ns, inflight);
		/* Never where the last one ended. */
		struct device_request request = {
			.number = number,
			.position_bytes = number * 2 * bytes,
			.bytes = bytes,
		};

		now_ns = due_ns[slot];
		if (number == settle)
			start_ns = now_ns;
		due_ns[slot] = device_submit(&device, now_ns, &request).at_ns;
	}
	return (COUNTED - 1) * NS_PER_S / (double)(now_ns - start_ns);
}

/* ---- errors ---- */

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

struct fit_error fit_error_of(const double *predicted, const double *measured,
			      size_t count)
{
	double off[FIT_POINTS_MAX];
	size_t half = count / 2;

	CHECK(count <= FIT_POINTS_MAX);
	if (!count)
		return (struct fit_error){ 0 };
	for (size_t i = 0; i < count; i++)
		off[i] = fabs(predicted[i] / measured[i] - 1);
	qsort(off, count, sizeof(off[0]), compare);
	return (struct fit_error){
		.median = count % 2 ? off[half] :
				      (off[half - 1] + off[half]) / 2,
		.p90 = off[(count * 9 + 9) / 10 - 1],
		.max = off[count - 1],
	};
}
