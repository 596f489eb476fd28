/* SPDX-License-Identifier: MIT */
/*
 * How fast the model is: the event core on an M/M/1 queue, whose mean wait is
 * checked against theory so that speed is not bought with wrong answers; the
 * whole pipeline of an ImageNet-sized epoch; the cost of a step from a
 * thousand to ten million steps; and memory by the size of the dataset. Each
 * figure is the median of five runs in seconds of processor time, the bar
 * beside it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/agenda.h"
#include "sim/level.h"
#include "sim/virtual.h"
#include "storage/clock.h"
#include "tests/support/runs.h"

#define REPEATS 5

static double spent_s(int64_t start_ns)
{
	return (double)(clock_thread_cpu_ns() - start_ns) / 1e9;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, REPEATS, sizeof(*values), ascending);
	return values[REPEATS / 2];
}

/* ---- event core ---- */

#define CUSTOMERS 10000000
#define RHO 0.9
#define SERVICE_NS 1000.0

enum happening { ARRIVAL, DEPARTURE };

static inline int64_t draw(const struct distribution *distribution,
			   struct random_stream stream, uint64_t index)
{
	return distribution_draw(distribution, random_bits(stream, index));
}

/* Mean wait in queue of CUSTOMERS customers, in service times. */
static double run_mm1(void)
{
	int64_t times_ns[4];
	uint64_t orders[4];
	uint64_t payloads[4];
	struct agenda agenda = { .times_ns = times_ns,
				 .orders = orders,
				 .payloads = payloads };
	struct distribution gap = { .kind = DISTRIBUTION_EXPONENTIAL,
				    .mean = SERVICE_NS / RHO };
	struct distribution service = { .kind = DISTRIBUTION_EXPONENTIAL,
					.mean = SERVICE_NS };
	struct random_stream gaps = random_stream(1, RANDOM_STEP_TIME);
	struct random_stream services = random_stream(1, RANDOM_DECODE_TIME);
	struct level queue = { 0 };
	uint64_t arrived = 0;
	uint64_t served = 0;
	/* Drawn ahead, as the engine does: nobody waits for a logarithm. */
	int64_t gap_ns = draw(&gap, gaps, arrived);
	int64_t service_ns = draw(&service, services, served);
	int64_t now = 0;

	agenda_init(&agenda, agenda_places(2));
	agenda_push(&agenda, 0, ARRIVAL);
	while (served < CUSTOMERS) {
		struct event event = agenda_pop(&agenda);
		bool begin;

		now = event.time_ns;
		if (event.payload == ARRIVAL) {
			agenda_push(&agenda, now + gap_ns, ARRIVAL);
			gap_ns = draw(&gap, gaps, ++arrived);
			level_up(&queue, now);
			begin = queue.count == 1;
		} else {
			level_down(&queue, now);
			begin = queue.count > 0;
			service_ns = draw(&service, services, ++served);
		}
		if (begin)
			agenda_push(&agenda, now + service_ns, DEPARTURE);
	}
	return level_to_double(level_until(&queue, now)) / CUSTOMERS /
		       SERVICE_NS -
	       1;
}

static void bench_events(void)
{
	double rates[REPEATS];
	double wait = 0;

	for (int i = 0; i < REPEATS; i++) {
		int64_t start_ns = clock_thread_cpu_ns();

		wait = run_mm1();
		rates[i] = 2.0 * CUSTOMERS / spent_s(start_ns) / 1e6;
	}
	printf("event core, M/M/1 at 0.9       %8.1f million events/s"
	       "    bar 40\n",
	       median(rates));
	printf("  its mean wait                %8.3f service times"
	       "       theory %.3f\n",
	       wait, RHO / (1 - RHO));
}

/* ---- whole pipeline ---- */

static struct distribution lognormal_s(double mean, double stdev)
{
	return (struct distribution){ .kind = DISTRIBUTION_LOGNORMAL,
				      .mean = mean * 1e9,
				      .stdev = stdev * 1e9 };
}

/* The ImageNet scenario of the examples folder, every stage at work. */
static struct pipeline imagenet(uint64_t examples)
{
	struct distribution size = { .kind = DISTRIBUTION_LOGNORMAL,
				     .mean = 112 * 1024,
				     .stdev = 70 * 1024 };
	struct pipeline pipeline = plain_pipeline(100, 1000);

	layout_compute(&pipeline.layout, examples, &size, 1, 256 * 1024, 1251,
		       1);
	pipeline.order = ORDER_SHUFFLED_SHARDS;
	pipeline.request_bytes = 1024 * 1024;
	pipeline.stages[STAGE_READ].workers = 32;
	pipeline.stages[STAGE_DECOMPRESS] =
		(struct stage){ .workers = 2, .rate_bytes_per_s = 800000000 };
	pipeline.stages[STAGE_DECODE] =
		(struct stage){ .workers = 8,
				.time_ns = lognormal_s(0.003, 0.001) };
	pipeline.stages[STAGE_AUGMENT] =
		(struct stage){ .workers = 8, .time_ns = seconds(0.0012) };
	pipeline.stages[STAGE_COLLATE] =
		(struct stage){ .workers = 1, .time_ns = seconds(0.002) };
	pipeline.shuffle_examples = 10000;
	pipeline.batch_size = 256;
	pipeline.accelerators.count = 8;
	pipeline.accelerators.step_ns = seconds(0.120);
	pipeline.read_ahead_examples = 20000;
	return pipeline;
}

static struct device_profile object_store(void)
{
	struct device_profile device = plain_device(1000000000);

	device.latency_ns = lognormal_s(0.045, 0.024);
	return device;
}

static double run_spent_s(const struct pipeline *pipeline,
			  struct figures *figures)
{
	struct device_profile device = object_store();
	int64_t start_ns = clock_thread_cpu_ns();

	run_pipeline(pipeline, &device, NULL, figures);
	return spent_s(start_ns);
}

static double million_examples_per_s(const struct pipeline *pipeline)
{
	static struct figures figures;
	double rates[REPEATS];

	for (int i = 0; i < REPEATS; i++) {
		double taken_s = run_spent_s(pipeline, &figures);

		rates[i] = (double)figures.consumed_examples / taken_s / 1e6;
	}
	return median(rates);
}

static void bench_pipeline(void)
{
	struct pipeline pipeline = imagenet(1281167);

	printf("whole pipeline, ImageNet epoch %8.2f million examples/s"
	       "  bar 5\n",
	       million_examples_per_s(&pipeline));
	pipeline.shuffle_examples = 0;
	printf("  without a shuffle buffer     %8.2f million examples/s\n",
	       million_examples_per_s(&pipeline));
	/* Eight ranks: each takes every eighth example of a block. */
	pipeline.loading = (struct loading){ .kind = LOADER_WORKERS,
					     .workers = 4,
					     .prefetch_factor = 2,
					     .in_order = true,
					     .reads = 1 };
	pipeline.read_ahead_examples = pipeline_read_ahead_default(&pipeline);
	printf("  the same by workers          %8.2f million examples/s"
	       "  bar: as many\n",
	       million_examples_per_s(&pipeline));
}

static void bench_steps(void)
{
	static struct figures figures;

	printf("cost per step of 32 examples, all stages (flat is the bar)\n");
	for (uint64_t steps = 1000; steps <= 10000000; steps *= 10) {
		struct pipeline pipeline = imagenet(1281167);
		double taken_s;

		pipeline.accelerators.count = 1;
		pipeline.batch_size = 32;
		pipeline.shuffle_examples = 0;
		pipeline.read_ahead_examples = 0;
		pipeline.limit = (struct run_limit){ .steps = steps };
		taken_s = run_spent_s(&pipeline, &figures);
		printf("  %10llu steps             %8.2f us\n",
		       (unsigned long long)steps,
		       taken_s / (double)steps * 1e6);
	}
}

static void bench_memory(void)
{
	printf("engine memory by examples in the dataset (bar 50 MiB)\n");
	for (uint64_t examples = 100000; examples <= 100000000;
	     examples *= 10) {
		struct pipeline pipeline = imagenet(examples);

		printf("  %10llu examples          %8.2f MiB\n",
		       (unsigned long long)examples,
		       (double)engine_memory_bytes(&pipeline) / 1048576);
	}
}

int main(int count, char **arguments)
{
	bool quick = count > 1 && strcmp(arguments[1], "quick") == 0;

	bench_events();
	bench_pipeline();
	bench_memory();
	if (!quick)
		bench_steps();
	return 0;
}
