/* SPDX-License-Identifier: MIT */
#include "sim/device.h"

#include <string.h>

#include "sim/check.h"
#include "sim/math.h"

#define NS_PER_S 1e9

/* Over a random pair of places on a stroke of 1: the mean of the square root
 * of the distance, and of the distance. */
#define MEAN_ROOT (8.0 / 15)
#define MEAN_DISTANCE (1.0 / 3)

size_t device_memory_bytes(const struct device_profile *profile)
{
	return profile->max_inflight * sizeof(int64_t);
}

static void fit_seek(struct device *device)
{
	const struct device_seek *seek = &device->profile.seek;
	double average = (double)(seek->average_ns - seek->track_to_track_ns);
	double full = (double)(seek->full_ns - seek->track_to_track_ns);

	if (seek->full_ns == 0)
		full = average / MEAN_ROOT;
	device->seek_root =
		(average - full * MEAN_DISTANCE) / (MEAN_ROOT - MEAN_DISTANCE);
	device->seek_linear = full - device->seek_root;
}

void device_init(struct device *device, const struct device_profile *profile,
		 uint64_t seed, void *memory)
{
	memset(device, 0, sizeof(*device));
	device->profile = *profile;
	distribution_prepare(&device->profile.latency_ns);
	distribution_prepare(&device->profile.tail_latency_ns);
	device->latency_stream = random_stream(seed, RANDOM_DEVICE_LATENCY);
	device->tail_stream = random_stream(seed, RANDOM_DEVICE_TAIL);
	device->error_stream = random_stream(seed, RANDOM_DEVICE_ERROR);
	device->metadata_stream = random_stream(seed, RANDOM_DEVICE_METADATA);
	device->slot_free_ns = memory;
	if (profile->max_inflight > 0)
		memset(memory, 0, device_memory_bytes(profile));
	for (uint32_t i = 0; i < profile->bucket_count; i++)
		bucket_init(&device->buckets[i], &profile->buckets[i].profile);
	if (profile->seek.rpm > 0)
		fit_seek(device);
}

/* Replaces the earliest slot's time, at the root, and lets it sink. */
static void slot_take(struct device *device, int64_t until_ns)
{
	int64_t *heap = device->slot_free_ns;
	uint32_t count = device->profile.max_inflight;
	uint32_t hole = 0;

	for (;;) {
		uint32_t child = 2 * hole + 1;

		if (child >= count)
			break;
		if (child + 1 < count && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= until_ns)
			break;
		heap[hole] = heap[child];
		hole = child;
	}
	heap[hole] = until_ns;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- what is charged ---- */

struct charge {
	uint64_t ops;
	uint64_t bytes;
};

static struct charge charge_of(const struct device_profile *profile,
			       uint64_t bytes)
{
	struct charge charge = { 1, bytes };

	if (profile->io_unit_bytes > 0 && bytes > 0)
		charge.ops = (bytes - 1) / profile->io_unit_bytes + 1;
	if (charge.bytes < profile->min_charge_bytes)
		charge.bytes = profile->min_charge_bytes;
	return charge;
}

/* A merged run is charged as one request that grows: each part what it adds.
 */
static struct charge charge_next(struct device *device,
				 const struct device_request *request,
				 bool continues)
{
	const struct device_profile *profile = &device->profile;
	struct charge before = { 0, 0 };
	struct charge after;

	if (!profile->merges || !continues)
		device->run_bytes = 0;
	if (device->run_bytes > 0)
		before = charge_of(profile, device->run_bytes);
	device->run_bytes += request->bytes;
	after = charge_of(profile, device->run_bytes);
	return (struct charge){ after.ops - before.ops,
				after.bytes - before.bytes };
}

/* ---- limits ---- */

static uint64_t ramped_iops(const struct device *device, int64_t now_ns)
{
	const struct device_ramp *ramp = &device->profile.ramp;
	int64_t doublings;

	if (ramp->initial_iops == 0 || ramp->doubling_ns == 0)
		return device->profile.iops;
	doublings = (now_ns - device->first_arrival_ns) / ramp->doubling_ns;
	if (doublings >= 63 ||
	    ramp->initial_iops > device->profile.iops >> doublings)
		return device->profile.iops;
	return ramp->initial_iops << doublings;
}

/* When the debt of earlier ops is paid; this request's is added to it. */
static int64_t pass_ops(struct device *device, int64_t start_ns, uint64_t ops)
{
	const struct device_profile *profile = &device->profile;
	int64_t pass_ns = start_ns;

	if (ops == 0)
		return start_ns;
	if (profile->iops > 0) {
		pass_ns = later(pass_ns, device->ops.free_ns);
		pipe_pass(&device->ops, ramped_iops(device, start_ns), start_ns,
			  ops);
	}
	for (uint32_t i = 0; i < profile->bucket_count; i++) {
		struct bucket *bucket = &device->buckets[i];

		if (profile->buckets[i].of != BUCKET_OF_OPS)
			continue;
		pass_ns = later(pass_ns, bucket->free_ns);
		bucket_pass(bucket, &profile->buckets[i].profile, start_ns,
			    (double)ops);
	}
	return pass_ns;
}

/* When the bytes are through all that carries them. */
static int64_t pass_bytes(struct device *device, int64_t start_ns,
			  uint64_t bytes)
{
	const struct device_profile *profile = &device->profile;
	int64_t done_ns = pipe_pass(&device->bytes,
				    profile->bandwidth_bytes_per_s, start_ns,
				    bytes);

	for (uint32_t i = 0; i < profile->bucket_count; i++)
		if (profile->buckets[i].of == BUCKET_OF_BYTES)
			done_ns =
				later(done_ns,
				      bucket_pass(&device->buckets[i],
						  &profile->buckets[i].profile,
						  start_ns, (double)bytes));
	return done_ns;
}

/* ---- head ---- */

/* Where on the stroke a position is: 0 is its outer end, 1 its inner one. */
static double place_of(const struct device_seek *seek, uint64_t position)
{
	double capacity = (double)seek->capacity_bytes;
	double share;

	if (seek->data_bytes == 0)
		return (double)(position % seek->capacity_bytes) / capacity;
	share = (double)position / (double)seek->data_bytes;
	if (share > 1)
		share = 1;
	if (seek->span_bytes > 0)
		share *= (double)seek->span_bytes / capacity;
	return share;
}

static double media_bytes_per_ns(const struct device_seek *seek, double place)
{
	double outer = (double)seek->outer_bytes_per_s;
	double inner = seek->inner_bytes_per_s > 0 ?
			       (double)seek->inner_bytes_per_s :
			       outer;

	return (outer + (inner - outer) * place) / NS_PER_S;
}

/* Moving the arm over a share of the stroke, then waiting for the place to
 * come round; where on its track a place lies follows from its position. */
static double reach_ns(const struct device *device, double from, double to,
		       uint64_t position, int64_t start_ns)
{
	const struct device_seek *seek = &device->profile.seek;
	double turn_ns = 60 * NS_PER_S / seek->rpm;
	double track_bytes = media_bytes_per_ns(seek, to) * turn_ns;
	double distance = from < to ? to - from : from - to;
	double seek_ns = (double)seek->track_to_track_ns +
			 device->seek_root * math_sqrt(distance) +
			 device->seek_linear * distance;
	double angle = (double)position / track_bytes -
		       ((double)start_ns + seek_ns) / turn_ns;

	angle -= (double)(int64_t)angle;
	return seek_ns + (angle < 0 ? angle + 1 : angle) * turn_ns;
}

static int64_t pass_head(struct device *device, int64_t start_ns,
			 const struct device_request *request, bool continues)
{
	const struct device_seek *seek = &device->profile.seek;
	double from = place_of(seek, device->next_position);
	double to = place_of(seek, request->position_bytes);
	double busy_ns = (double)request->bytes / media_bytes_per_ns(seek, to);

	start_ns = later(start_ns, device->head_free_ns);
	if (!continues)
		busy_ns += reach_ns(device, from, to, request->position_bytes,
				    start_ns);
	device->head_free_ns = start_ns + (int64_t)(busy_ns + 0.5);
	return device->head_free_ns;
}

/* ---- a request ---- */

static int64_t draw_latency(const struct device *device, uint64_t number,
			    uint32_t attempt)
{
	const struct device_profile *profile = &device->profile;
	struct random_stream stream = device->latency_stream;
	const struct distribution *latency_ns = &profile->latency_ns;

	if (profile->tail_probability > 0 && attempt == 0 &&
	    random_unit(random_bits(device->tail_stream, number)) <
		    profile->tail_probability)
		latency_ns = &profile->tail_latency_ns;
	if (attempt > 0)
		stream = random_substream(stream, attempt);
	return distribution_draw_at(latency_ns, stream, number);
}

static int64_t stream_ns(const struct device_profile *profile, uint64_t bytes)
{
	if (profile->stream_bandwidth_bytes_per_s == 0)
		return 0;
	return (int64_t)((double)bytes * NS_PER_S /
				 (double)profile->stream_bandwidth_bytes_per_s +
			 0.5);
}

/* Serves the request from start_ns on, latency not counted. */
static int64_t serve(struct device *device, int64_t start_ns,
		     const struct device_request *request)
{
	const struct device_profile *profile = &device->profile;
	bool continues = device->started &&
			 request->position_bytes == device->next_position;
	struct charge charge = charge_next(device, request, continues);
	int64_t done_ns = pass_ops(device, start_ns, charge.ops);

	done_ns = later(done_ns, pass_bytes(device, start_ns, charge.bytes));
	if (profile->seek.rpm > 0)
		done_ns = later(done_ns, pass_head(device, start_ns, request,
						   continues));
	device->served_bytes += request->bytes;
	device->next_position = request->position_bytes + request->bytes;
	return later(done_ns, start_ns + stream_ns(profile, request->bytes));
}

/* What a request waits for the metadata of its file, besides what that
 * occupies of the device: behind it in every account, the request pays for
 * this anyway. */
static int64_t metadata_ns(struct device *device, int64_t start_ns,
			   uint64_t number)
{
	const struct device_profile *profile = &device->profile;
	const struct device_seek *seek = &profile->seek;
	uint64_t places = seek->data_bytes > 0 ? seek->data_bytes :
						 seek->capacity_bytes;
	struct random_stream latency =
		random_substream(device->metadata_stream, 0);
	struct device_request request = { .bytes = profile->metadata_bytes };

	if (places > 0)
		request.position_bytes = random_below(
			random_bits(device->metadata_stream, number), places);
	serve(device, start_ns, &request);
	return distribution_draw_at(&profile->latency_ns, latency, number) +
	       stream_ns(profile, request.bytes);
}

static int64_t backoff_ns(const struct device *device, uint64_t bits,
			  uint32_t attempt)
{
	const struct device_error *error = &device->profile.error;
	int64_t wait_ns = error->backoff_base_ns;

	while (attempt-- > 0 && wait_ns < error->backoff_cap_ns)
		wait_ns *= 2;
	if (error->backoff_cap_ns > 0 && wait_ns > error->backoff_cap_ns)
		wait_ns = error->backoff_cap_ns;
	return (int64_t)((double)wait_ns *
			 (1 - error->jitter * random_unit(bits)));
}

/* Does this attempt fail? Each has two numbers: for failing, for waiting. */
static uint64_t error_bits(const struct device *device, uint64_t number,
			   uint32_t attempt, uint32_t which)
{
	return random_bits(random_substream(device->error_stream,
					    2 * attempt + which),
			   number);
}

static bool attempt_fails(const struct device *device, uint64_t number,
			  uint32_t attempt)
{
	double probability = device->profile.error.probability;

	return probability > 0 &&
	       random_unit(error_bits(device, number, attempt, 0)) <
		       probability;
}

/* Time lost to failed attempts. All is charged from start_ns on: what happens
 * later to this request must not keep others waiting now. */
static int64_t failures_ns(struct device *device, int64_t start_ns,
			   uint64_t number, struct completion *answer)
{
	int64_t lost_ns = 0;

	while (attempt_fails(device, number, answer->retries)) {
		uint32_t attempt = answer->retries;

		pass_ops(device, start_ns, 1);
		lost_ns += draw_latency(device, number, attempt);
		if (attempt == device->profile.error.retries) {
			answer->failed = true;
			break;
		}
		lost_ns += backoff_ns(device,
				      error_bits(device, number, attempt, 1),
				      attempt);
		answer->retries++;
	}
	return lost_ns;
}

struct completion device_submit(struct device *device, int64_t now_ns,
				const struct device_request *request)
{
	const struct device_profile *profile = &device->profile;
	struct completion answer = { .at_ns = now_ns };
	int64_t start_ns = now_ns;

	CHECK(now_ns >= device->last_arrival_ns);
	CHECK(request->bytes <= DEVICE_REQUEST_BYTES_MAX);
	device->last_arrival_ns = now_ns;
	if (!device->started)
		device->first_arrival_ns = now_ns;
	if (profile->max_inflight > 0)
		start_ns = later(now_ns, device->slot_free_ns[0]);
	answer.start_ns = start_ns;
	answer.at_ns = start_ns +
		       failures_ns(device, start_ns, request->number, &answer);
	if (request->opens && profile->metadata_bytes > 0)
		answer.at_ns += metadata_ns(device, start_ns, request->number);
	if (!answer.failed)
		answer.at_ns +=
			serve(device, start_ns, request) - start_ns +
			draw_latency(device, request->number, answer.retries) +
			(request->first_touch ? profile->first_touch_ns : 0);
	device->started = true;
	if (profile->max_inflight > 0)
		slot_take(device, answer.at_ns);
	return answer;
}
