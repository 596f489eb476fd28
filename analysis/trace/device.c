/* SPDX-License-Identifier: MIT */
#include "analysis/trace/device.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/math.h"

#define NS_PER_S 1e9

/* A limit is taken if without it the spread is larger by this; or if with it
 * the spread is no worse, and what is left to latency is less by far. */
#define SEEN 1.1
#define NO_WORSE 1.02
#define MUCH_LESS 1.25

/* And if so many of the requests wait because of it. */
#define WAITING_SHARE 0.02

#define LATENCY_WEIGHT 0.01

/* What is left of a request's time below zero counts so many times: a limit
 * that was broken is none. */
#define BROKEN 4

/* Spreads below this, in nanoseconds, are those of a clock. */
#define CLOCK_NS 50

#define GRID_STEPS 80
#define FINE_STEPS 160
#define REFINE_STEPS 60
#define STEP_LAST 1e-8

/* One request in so many must have waited for a slot. */
#define WAITED_SHARE 100

/* Nanoseconds a byte or an operation takes; 0: no limit. */
enum { BANDWIDTH, STREAM, IOPS, LIMITS };

struct search {
	const struct device_sample *samples;
	size_t count;
	double *left_ns; /* of each request's time; room for all of them */
	/* What a limit would cost that held up everything; 0: none can. */
	double usual_ns[LIMITS];
	double latency_weight; /* in the loss */
};

static double greater(double a, double b)
{
	return a > b ? a : b;
}

/* ---- what limits leave ---- */

/* Lets all requests through the limits; left_ns gets what is left of each. */
static void explain(const struct search *search, const double *cost_ns)
{
	double free_bytes_ns = -INFINITY, free_ops_ns = -INFINITY;
	int64_t origin_ns = search->samples[0].start_ns;

	for (size_t i = 0; i < search->count; i++) {
		const struct device_sample *sample = &search->samples[i];
		double start_ns = (double)(sample->start_ns - origin_ns);
		double bytes = (double)sample->bytes;
		double passed_ns = greater(start_ns, free_ops_ns);

		free_ops_ns = passed_ns + cost_ns[IOPS];
		free_bytes_ns = greater(start_ns, free_bytes_ns) +
				bytes * cost_ns[BANDWIDTH];
		if (cost_ns[BANDWIDTH] > 0)
			passed_ns = greater(passed_ns, free_bytes_ns);
		passed_ns =
			greater(passed_ns, start_ns + bytes * cost_ns[STREAM]);
		search->left_ns[i] =
			(double)(sample->end_ns - origin_ns) - passed_ns;
	}
}

/* What limits leave to explain, in requests for the fit. */
struct rest {
	double spread_ns; /* mean distance from the mean */
	double mean_ns;
};

static struct rest rest_of(const struct search *search, const double *cost_ns)
{
	double sum = 0, far = 0, mean;
	size_t count = 0;

	explain(search, cost_ns);
	for (size_t i = 0; i < search->count; i++)
		if (!search->samples[i].held_out) {
			sum += search->left_ns[i];
			count++;
		}
	mean = sum / (double)count;
	for (size_t i = 0; i < search->count; i++) {
		double left = search->left_ns[i];

		if (search->samples[i].held_out)
			continue;
		far += fabs(left - mean);
		if (left < 0)
			far -= BROKEN * left;
	}
	return (struct rest){ far / (double)count + CLOCK_NS, mean };
}

/* Spread first; where it tells nothing, as with a queue that is always as
 * long, waiting is believed rather than a latency that happens to be long. */
static double loss(const struct search *search, const double *cost_ns)
{
	struct rest rest = rest_of(search, cost_ns);

	return rest.spread_ns +
	       search->latency_weight * greater(rest.mean_ns, 0);
}

/* ---- the search ---- */

static double try(const struct search *search, double *cost_ns, int limit,
		  double value)
{
	double before = cost_ns[limit], found;

	cost_ns[limit] = value;
	found = loss(search, cost_ns);
	cost_ns[limit] = before;
	return found;
}

/* The best of costs that fall by a factor. */
static double best_of(const struct search *search, double *cost_ns, int limit,
		      double from, double by, int steps)
{
	double best = from, least = INFINITY;

	for (int i = 0; i < steps; i++, from /= by) {
		double found = try(search, cost_ns, limit, from);

		if (found >= least)
			continue;
		least = found;
		best = from;
	}
	return best;
}

static double refine(const struct search *search, double *cost_ns, int limit,
		     double best, double step)
{
	double least = try(search, cost_ns, limit, best);

	for (int i = 0; i < REFINE_STEPS && step > STEP_LAST; i++) {
		double up = best * (1 + step), down = best / (1 + step);
		double better_up = try(search, cost_ns, limit, up);
		double better_down = try(search, cost_ns, limit, down);

		if (better_up < least && better_up <= better_down) {
			least = better_up;
			best = up;
		} else if (better_down < least) {
			least = better_down;
			best = down;
		} else {
			step /= 2;
		}
	}
	return best;
}

static double better_of(const struct search *search, double *cost_ns, int limit,
			double one, double other)
{
	return try(search, cost_ns, limit, one) <=
			       try(search, cost_ns, limit, other) ?
		       one :
		       other;
}

/* Everywhere in large steps, and in very small ones around the mean rate: a
 * limit that holds up everything is that, and is lost sight of a thousandth
 * beside it. */
static void find_limit(struct search *search, double *cost_ns, int limit)
{
	double usual = search->usual_ns[limit];
	double far, near, exact;

	if (usual <= 0)
		return;
	search->latency_weight = limit == STREAM ? 0 : LATENCY_WEIGHT;
	exact = refine(search, cost_ns, limit, usual, 1e-7);
	far = best_of(search, cost_ns, limit, usual * 1.3, 1.15, GRID_STEPS);
	far = refine(search, cost_ns, limit, far, 0.05);
	near = best_of(search, cost_ns, limit, usual * 1.004, 1.0001,
		       FINE_STEPS);
	near = refine(search, cost_ns, limit, near, 5e-5);
	far = better_of(search, cost_ns, limit, far, near);
	cost_ns[limit] = better_of(search, cost_ns, limit, far, exact);
	search->latency_weight = 0;
}

/* Requests that wait for others because of a limit. */
static double waiting_share(const struct search *search, const double *cost_ns,
			    int limit)
{
	double free_ns = -INFINITY;
	size_t waiting = 0;

	if (limit == STREAM)
		return 1;
	for (size_t i = 0; i < search->count; i++) {
		const struct device_sample *sample = &search->samples[i];
		double start_ns = (double)(sample->start_ns -
					   search->samples[0].start_ns);
		double work = limit == IOPS ? 1 : (double)sample->bytes;

		waiting += free_ns > start_ns;
		free_ns = greater(start_ns, free_ns) + work * cost_ns[limit];
	}
	return (double)waiting / (double)search->count;
}

/* Does a limit explain enough to be believed? */
static bool is_seen(const struct search *search, double *cost_ns, int limit)
{
	struct rest with = rest_of(search, cost_ns), without;
	double cost = cost_ns[limit];

	if (cost <= 0 || waiting_share(search, cost_ns, limit) < WAITING_SHARE)
		return false;
	cost_ns[limit] = 0;
	without = rest_of(search, cost_ns);
	cost_ns[limit] = cost;
	return with.spread_ns * SEEN < without.spread_ns ||
	       (limit != STREAM &&
		with.spread_ns < without.spread_ns * NO_WORSE &&
		with.mean_ns * MUCH_LESS < without.mean_ns);
}

/* Adds a limit if it is seen, and lets the others adapt to it. */
static void add_limit(struct search *search, double *cost_ns, int limit)
{
	double kept[LIMITS];

	memcpy(kept, cost_ns, sizeof(kept));
	find_limit(search, cost_ns, limit);
	for (int i = 0; i < LIMITS; i++)
		if (i != limit && cost_ns[i] > 0)
			cost_ns[i] =
				refine(search, cost_ns, i, cost_ns[i], 0.05);
	if (!is_seen(search, cost_ns, limit))
		memcpy(cost_ns, kept, sizeof(kept));
}

/* A limit that another has made needless goes. */
static void drop_needless(const struct search *search, double *cost_ns)
{
	for (int i = 0; i < LIMITS; i++)
		if (!is_seen(search, cost_ns, i))
			cost_ns[i] = 0;
}

/* ---- what is seen without a model ---- */

static int by_issue(const void *a, const void *b)
{
	const struct device_sample *left = a, *right = b;

	if (left->issue_ns != right->issue_ns)
		return left->issue_ns < right->issue_ns ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

static int by_start(const void *a, const void *b)
{
	const struct device_sample *left = a, *right = b;

	if (left->start_ns != right->start_ns)
		return left->start_ns < right->start_ns ? -1 : 1;
	return by_issue(a, b);
}

static int by_size(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The highest rates of any stretch, from its first end to its last. */
static void find_rates(struct device_fit *fit,
		       const struct device_sample *samples, size_t count)
{
	size_t span = count < DEVICE_STRETCH ? count : DEVICE_STRETCH;

	for (size_t first = 0; first + span <= count; first += span) {
		int64_t from_ns = INT64_MAX, to_ns = INT64_MIN;
		double bytes = 0, seconds;

		for (size_t i = first; i < first + span; i++) {
			int64_t end_ns = samples[i].end_ns;

			from_ns = end_ns < from_ns ? end_ns : from_ns;
			to_ns = end_ns > to_ns ? end_ns : to_ns;
			bytes += (double)samples[i].bytes;
		}
		seconds = (double)(to_ns - from_ns) / NS_PER_S;
		if (seconds <= 0)
			continue;
		bytes *= (double)(span - 1) / (double)span;
		fit->bytes_per_s = greater(fit->bytes_per_s, bytes / seconds);
		fit->requests_per_s = greater(fit->requests_per_s,
					      (double)(span - 1) / seconds);
	}
}

static bool is_one_size(const struct device_sample *samples, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (samples[i].bytes != samples[0].bytes)
			return false;
	return true;
}

/* ---- the profile ---- */

static uint64_t whole(double value)
{
	return (uint64_t)(value + 0.5);
}

/* Requests under way with the device at once, if others waited for that. */
static uint32_t find_slots(const struct device_sample *samples, size_t count,
			   double *ends_ns)
{
	size_t waited = 0, ended = 0, most = 0;

	for (size_t i = 0; i < count; i++) {
		waited += samples[i].start_ns > samples[i].issue_ns + CLOCK_NS;
		ends_ns[i] = (double)samples[i].end_ns;
	}
	if (waited * WAITED_SHARE < count)
		return 0;
	qsort(ends_ns, count, sizeof(*ends_ns), by_size);
	for (size_t i = 0; i < count; i++) {
		while (ends_ns[ended] <= (double)samples[i].start_ns &&
		       ended < i)
			ended++;
		if (i + 1 - ended > most)
			most = i + 1 - ended;
	}
	return (uint32_t)most;
}

static void fill_profile(struct device_fit *fit, const struct search *search,
			 const double *cost_ns, struct shape *shape)
{
	struct device_profile *profile = &fit->profile;

	if (cost_ns[BANDWIDTH] > 0)
		profile->bandwidth_bytes_per_s =
			whole(NS_PER_S / cost_ns[BANDWIDTH]);
	if (cost_ns[STREAM] > 0)
		profile->stream_bandwidth_bytes_per_s =
			whole(NS_PER_S / cost_ns[STREAM]);
	if (cost_ns[IOPS] > 0)
		profile->iops = whole(greater(NS_PER_S / cost_ns[IOPS], 1));
	fit->bandwidth_seen = profile->bandwidth_bytes_per_s > 0;
	fit->stream_seen = profile->stream_bandwidth_bytes_per_s > 0;
	fit->iops_seen = profile->iops > 0;
	fit->inflight_seen = profile->max_inflight > 0;
	explain(search, cost_ns);
	for (size_t i = 0; i < search->count; i++)
		if (!search->samples[i].held_out)
			shape_add(shape,
				  (int64_t)greater(search->left_ns[i], 0));
	shape_make(shape, &fit->latency);
	profile->latency_ns = fit->latency.distribution;
}

/* The least cost that some request disproves. */
static double most_stream_cost(const struct search *search)
{
	double most = INFINITY;

	for (size_t i = 0; i < search->count; i++) {
		const struct device_sample *sample = &search->samples[i];
		double time_ns = (double)(sample->end_ns - sample->start_ns);

		if (!sample->held_out && sample->bytes > 0 &&
		    time_ns / (double)sample->bytes < most)
			most = time_ns / (double)sample->bytes;
	}
	return isfinite(most) ? most : 0;
}

/* What the limits would cost at the mean rates of all requests. */
static void find_usual(struct search *search)
{
	const struct device_sample *samples = search->samples;
	int64_t from_ns = INT64_MAX, to_ns = INT64_MIN;
	double bytes = 0, first_bytes = 0, time_ns;

	for (size_t i = 0; i < search->count; i++) {
		int64_t end_ns = samples[i].end_ns;

		if (end_ns < from_ns) {
			from_ns = end_ns;
			first_bytes = (double)samples[i].bytes;
		}
		to_ns = end_ns > to_ns ? end_ns : to_ns;
		bytes += (double)samples[i].bytes;
	}
	/* What ended first was transferred before. */
	bytes -= first_bytes;
	time_ns = (double)to_ns - (double)from_ns;
	search->usual_ns[IOPS] = time_ns / (double)(search->count - 1);
	if (bytes > 0)
		search->usual_ns[BANDWIDTH] = time_ns / bytes;
	search->usual_ns[STREAM] = most_stream_cost(search);
}

static void find_limits(struct device_fit *fit, struct search *search,
			struct shape *shape)
{
	double cost_ns[LIMITS] = { 0 };

	find_usual(search);
	add_limit(search, cost_ns, BANDWIDTH);
	if (!fit->one_size) {
		add_limit(search, cost_ns, STREAM);
		add_limit(search, cost_ns, IOPS);
		/* What operations explain, bytes may have stood in for. */
		drop_needless(search, cost_ns);
	}
	fill_profile(fit, search, cost_ns, shape);
}

/* ---- all together ---- */

static int make(struct device_fit *fit, struct device_sample *samples,
		struct search *search, struct shape *shape, double *room)
{
	size_t count = search->count;

	qsort(samples, count, sizeof(*samples), by_start);
	for (size_t i = 0; i < count; i++)
		samples[i].held_out = count < 2 * DEVICE_STRETCH ?
					      i % 2 :
					      i / DEVICE_STRETCH % 2;
	fit->known = true;
	fit->one_size = is_one_size(samples, count);
	find_rates(fit, samples, count);
	fit->profile.max_inflight = find_slots(samples, count, room);
	find_limits(fit, search, shape);
	device_judge(fit, samples, search->left_ns, count, room);
	qsort(samples, count, sizeof(*samples), by_issue);
	return device_classes(fit, samples, count);
}

int device_fit_make(struct device_fit *fit, struct device_sample *samples,
		    size_t count)
{
	struct search search = { .samples = samples, .count = count };
	double *room = malloc(2 * (count + 1) * sizeof(*room));
	struct shape *shape = calloc(1, sizeof(*shape));
	int error = -ENOMEM;

	*fit = (struct device_fit){
		.count = count,
		.profile = { .latency_ns = distribution_constant(0),
			     .tail_latency_ns = distribution_constant(0) },
	};
	search.left_ns = malloc((count + 1) * sizeof(*search.left_ns));
	if (room && shape && search.left_ns)
		error = count < DEVICE_REQUESTS_MIN ?
				0 :
				make(fit, samples, &search, shape, room);
	free(search.left_ns);
	free(shape);
	free(room);
	return error;
}
