/* SPDX-License-Identifier: MIT */
/* The timeline of a run: what it keeps, and the file that Perfetto opens. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/document/node.h"
#include "analysis/simulation.h"
#include "analysis/trace/timeline.h"
#include "analysis/trace/timeline_json.h"
#include "tests/support/crews.h"

#define US_PER_S 1e6

static struct timeline *timeline;
static struct setting setting;
static struct figures figures;

/* Two accelerators of a step of 1 s, batches of 10; storage of 15 examples a
 * second, decode of 0.05 s on four workers: storage holds them up. */
static int setup(void **state)
{
	struct pipeline *pipeline = &setting.pipeline;

	(void)state;
	memset(&setting, 0, sizeof(setting));
	*pipeline = plain_pipeline(100000, 1000);
	pipeline->batch_size = 10;
	pipeline->accelerators.count = 2;
	pipeline->accelerators.sync = SYNC_BARRIER;
	pipeline->accelerators.step_ns = seconds(1);
	pipeline->stages[STAGE_READ].workers = 4;
	pipeline->stages[STAGE_DECODE].time_ns = seconds(0.05);
	pipeline->stages[STAGE_DECODE].workers = 4;
	pipeline->limit = (struct run_limit){ .steps = 8 };
	pipeline->read_ahead_examples = pipeline_read_ahead_default(pipeline);
	setting.tiers.device = plain_device(15000);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	timeline_close(timeline);
	timeline = NULL;
	return 0;
}

static void run(uint64_t steps)
{
	struct simulation_watch watch = { .memory_max = SIZE_MAX };

	assert_int_equal(timeline_open(&timeline, steps), 0);
	watch.timeline = timeline;
	assert_int_equal(simulation_run(&setting, &watch, &figures), 0);
}

/* The events of a kind, from when on each counts to its end, in seconds. */
static double sum_of(const struct stretch *stretch, enum trace_event_kind kind,
		     size_t *count)
{
	double sum = 0;
	size_t i;

	*count = 0;
	for (i = 0; i < stretch->count; i++) {
		if (stretch->events[i].kind != kind)
			continue;
		sum += seconds_of(stretch->events[i].end_ns -
				  timeline_from_ns(&stretch->events[i]));
		(*count)++;
	}
	return sum;
}

static void a_run_of_few_steps_is_there_in_whole(void **state)
{
	const struct stretch *first;
	size_t count;

	(void)state;
	run(10);
	first = timeline_first(timeline);
	assert_non_null(first);
	assert_null(timeline_steady(timeline));
	assert_int_equal(first->steps, 8);
	assert_false(first->cut);
	assert_true(sum_of(first, TRACE_STEP, &count) ==
		    level_to_double(figures.busy_ns) / 1e9);
	assert_int_equal(count, 16);
	sum_of(first, TRACE_REQUEST, &count);
	assert_int_equal(count, figures.storage.requests);
}

static void watching_changes_nothing(void **state)
{
	const struct simulation_watch alone = { .memory_max = SIZE_MAX };
	uint64_t digest;

	(void)state;
	run(3);
	digest = figures.digest;
	assert_int_equal(simulation_run(&setting, &alone, &figures), 0);
	assert_true(figures.digest == digest);
}

static void the_first_stretch_has_as_many_steps_as_asked(void **state)
{
	const struct stretch *first;

	(void)state;
	run(3);
	first = timeline_first(timeline);
	assert_int_equal(first->steps, 3);
	assert_int_equal(first->start_ns, 0);
	/* Twenty examples a step, read at 15 a second: step 3 begins after 60
	 * of them at the earliest, and takes a second. */
	assert_true(first->end_ns >= 5 * NS_PER_S);
	assert_true(first->end_ns < figures.run_ns);
}

static void the_steady_stretch_begins_with_the_last_power_of_two(void **state)
{
	const struct stretch *steady;

	(void)state;
	setting.pipeline.limit.steps = 100;
	run(5);
	steady = timeline_steady(timeline);
	assert_non_null(steady);
	/* Events count steps from 0. */
	assert_int_equal(steady->first_step, 63);
	assert_int_equal(steady->steps, 5);
	/* Storage-bound: 20 examples a step at 15 a second. */
	assert_true(fabs(seconds_of(steady->end_ns - steady->start_ns) -
			 (4 * 20 / 15.0 + 1)) < 0.1);
}

static void long_steps_are_cut_and_memory_is_bounded(void **state)
{
	const struct stretch *first, *steady;

	(void)state;
	setting.pipeline.batch_size = 1000;
	setting.pipeline.limit.steps = 120;
	setting.pipeline.layout.examples = 10000000;
	setting.pipeline.read_ahead_examples =
		pipeline_read_ahead_default(&setting.pipeline);
	run(50);
	first = timeline_first(timeline);
	steady = timeline_steady(timeline);
	assert_true(first->cut);
	assert_int_equal(first->count, TIMELINE_EVENTS_MAX);
	assert_true(first->steps > 0);
	assert_true(first->steps < 50);
	assert_non_null(steady);
	assert_true(steady->cut);
	assert_int_equal(steady->count, TIMELINE_EVENTS_MAX);
	assert_true(timeline_levels(timeline)->count <= TIMELINE_SAMPLES_MAX);
	assert_true(timeline_levels(timeline)->count >=
		    TIMELINE_SAMPLES_MAX / 2);
}

static void levels_are_sampled_over_the_whole_run(void **state)
{
	const struct samples *levels;
	double stepping = 0;
	size_t i;

	(void)state;
	setting.pipeline.limit.steps = 400;
	run(5);
	levels = timeline_levels(timeline);
	for (i = 0; i < levels->count; i++)
		stepping += levels->at[i].stepping;
	stepping /= 2 * (double)levels->count;
	/* Busy 1 s of 20 / 15. */
	assert_true(fabs(stepping - 15 / 20.0) < 0.05);
	assert_true(
		fabs(seconds_of((int64_t)levels->count * levels->distance_ns) -
		     seconds_of(figures.run_ns)) <
		2 * seconds_of(levels->distance_ns));
}

/* ---- the file ---- */

static struct node *root;
static const struct node *events;

static void write_and_parse(void)
{
	struct fault fault = { 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(timeline_write(out, timeline, &setting.pipeline), 0);
	fclose(out);
	assert_int_equal(node_parse(&root, text, size, &fault), 0);
	free(text);
	events = node_at(root, "traceEvents");
	assert_true(node_count(events) > 0);
}

static bool is_phase(const struct node *event, const char *phase)
{
	return !strcmp(node_text(event, "ph"), phase);
}

static bool same_text(const struct node *a, const struct node *b,
		      const char *key)
{
	return !strcmp(node_text(a, key), node_text(b, key));
}

/* Each async event is closed by the very next one. */
static void check_pairs(void)
{
	const struct node *begin, *end;
	size_t i, pairs = 0;

	for (i = 0; i < node_count(events); i++) {
		begin = node_item(events, i);
		assert_false(is_phase(begin, "e"));
		if (!is_phase(begin, "b"))
			continue;
		end = node_item(events, ++i);
		assert_true(is_phase(end, "e"));
		assert_true(same_text(begin, end, "id"));
		assert_true(same_text(begin, end, "cat"));
		assert_true(same_text(begin, end, "name"));
		assert_true(node_real(begin, "pid") == node_real(end, "pid"));
		assert_true(node_real(begin, "ts") <= node_real(end, "ts"));
		pairs++;
	}
	assert_true(pairs > 0);
}

struct slice {
	double pid, tid, from, to;
};

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

static int in_order(const void *left, const void *right)
{
	const struct slice *a = left, *b = right;
	int order = compare(a->pid, b->pid);

	if (!order)
		order = compare(a->tid, b->tid);
	return order ? order : compare(a->from, b->from);
}

/* A row shows one thing at a time. */
static void check_slices(void)
{
	struct slice *slices = calloc(node_count(events), sizeof(*slices));
	const struct node *event;
	size_t count = 0, i;

	for (i = 0; i < node_count(events); i++) {
		event = node_item(events, i);
		if (!is_phase(event, "X"))
			continue;
		slices[count++] = (struct slice){
			node_real(event, "pid"), node_real(event, "tid"),
			node_real(event, "ts"),
			node_real(event, "ts") + node_real(event, "dur")
		};
	}
	assert_true(count > 0);
	qsort(slices, count, sizeof(*slices), in_order);
	for (i = 1; i < count; i++)
		if (slices[i].pid == slices[i - 1].pid &&
		    slices[i].tid == slices[i - 1].tid)
			assert_true(slices[i].from >=
				    slices[i - 1].to - 0.0005);
	free(slices);
}

static void check_counters(void)
{
	const struct node *event, *other;
	double before = -1;
	size_t i, counters = 0;

	for (i = 0; i < node_count(events); i++) {
		event = node_item(events, i);
		if (!is_phase(event, "C"))
			continue;
		if (!counters++)
			other = event;
		if (!same_text(event, other, "name"))
			continue;
		assert_true(node_real(event, "ts") > before);
		before = node_real(event, "ts");
	}
	assert_true(counters > 0);
}

static void check_file(void)
{
	write_and_parse();
	check_pairs();
	check_slices();
	check_counters();
	node_free(root);
}

static void the_file_is_whole_and_rows_show_one_thing_at_a_time(void **state)
{
	(void)state;
	setting.pipeline.limit.steps = 100;
	run(5);
	check_file();
}

static void so_it_is_without_a_barrier_on_hosts_and_with_echo(void **state)
{
	(void)state;
	setting.pipeline.limit.steps = 100;
	setting.pipeline.accelerators.hosts = 3;
	setting.pipeline.accelerators.sync = SYNC_NONE;
	setting.pipeline.echo = (struct echo){ .place = ECHO_BATCH,
					       .factor = 2.5,
					       .max_factor = 1,
					       .shuffle_batches = 1 };
	setting.pipeline.read_ahead_examples =
		pipeline_read_ahead_default(&setting.pipeline);
	run(5);
	check_file();
}

static void so_it_is_with_examples_echoed(void **state)
{
	(void)state;
	setting.pipeline.stages[STAGE_AUGMENT].time_ns = seconds(0.01);
	setting.pipeline.stages[STAGE_COLLATE].time_ns = seconds(0.02);
	setting.pipeline.echo =
		(struct echo){ .place = ECHO_EXAMPLE_BEFORE_AUGMENT,
			       .factor = 2,
			       .max_factor = 1,
			       .shuffle_batches = 1 };
	run(10);
	check_file();
}

static void steps_of_the_file_are_the_busy_time_of_the_run(void **state)
{
	const struct node *event;
	double steps = 0, decoded = 0;
	size_t i;

	(void)state;
	run(10);
	write_and_parse();
	for (i = 0; i < node_count(events); i++) {
		event = node_item(events, i);
		if (!is_phase(event, "X"))
			continue;
		if (!strcmp(node_text(event, "name"), "step"))
			steps += node_real(event, "dur");
		if (!strcmp(node_text(event, "name"), "example"))
			decoded++;
	}
	assert_true(fabs(steps - 16 * US_PER_S) < 0.01);
	/* Every example that was consumed, and what was under way. */
	assert_true(decoded >= 160);
	assert_true(decoded <=
		    160 + (double)setting.pipeline.read_ahead_examples);
	node_free(root);
}

/* Batches of 30 and of 10 ms in turn on two workers, each with one out, steps
 * of 1 ms: the second worker's wait for those of the first. */
static void set_crew(uint32_t prefetch_factor, bool in_order)
{
	static const double times_ns[] = { 30e6, 10e6 };
	struct pipeline *pipeline = &setting.pipeline;

	memset(&setting, 0, sizeof(setting));
	*pipeline = crew_pipeline(1000, 2, prefetch_factor, in_order);
	pipeline->stages[STAGE_DECODE].time_ns = crew_cycle(times_ns, 2);
	pipeline->accelerators.step_ns = seconds(0.001);
	pipeline->limit = (struct run_limit){ .steps = 40 };
}

static void a_batch_that_waits_for_those_before_it_is_told(void **state)
{
	/* Begun, finished, handed over; by workers 0 and 1 in turn. */
	static const int64_t times_ms[4][3] = {
		{ 0, 30, 30 }, { 0, 10, 31 }, { 30, 60, 60 }, { 31, 41, 61 }
	};
	const struct trace_event *event;
	const struct stretch *first;
	size_t i, told = 0;

	(void)state;
	set_crew(1, true);
	run(10);
	first = timeline_first(timeline);
	for (i = 0; i < first->count && told < 4; i++) {
		event = &first->events[i];
		if (event->kind != TRACE_CARRY)
			continue;
		assert_int_equal(event->number, told);
		assert_int_equal(event->object, told % 2);
		assert_true(event->issue_ns == times_ms[told][0] * 1000000);
		assert_true(event->start_ns == times_ms[told][1] * 1000000);
		assert_true(event->end_ns == times_ms[told][2] * 1000000);
		told++;
	}
	assert_int_equal(told, 4);
}

/* How long the bars of this name on a row are, together. */
static double length_us(const char *name, int row)
{
	const struct node *event;
	double sum = 0;
	size_t i;

	for (i = 0; i < node_count(events); i++) {
		event = node_item(events, i);
		if (is_phase(event, "X") && row == node_real(event, "tid") &&
		    !strcmp(node_text(event, "name"), name))
			sum += node_real(event, "dur");
	}
	return sum;
}

/* Worker 1 works 10 ms of every 30 and waits 20; worker 0 never waits. */
static void a_row_for_each_worker_shows_that_it_waits(void **state)
{
	(void)state;
	set_crew(1, true);
	run(40);
	write_and_parse();
	assert_true(fabs(length_us("batch", 1) - 20 * 10e3) < 1);
	assert_true(fabs(length_us("finished, waits", 1) - 19 * 20e3 - 21e3) <
		    1);
	assert_true(length_us("finished, waits", 0) < 1);
	node_free(root);
}

static void a_worker_with_another_batch_does_not_wait(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		set_crew(1 + i % 2 * 3, i / 2);
		run(5);
		check_file();
		timeline_close(timeline);
		timeline = NULL;
	}
}

static void a_timeline_of_nothing_is_a_file_all_the_same(void **state)
{
	(void)state;
	assert_int_equal(timeline_open(&timeline, 1), 0);
	write_and_parse();
	node_free(root);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_run_of_few_steps_is_there_in_whole),
		TEST(watching_changes_nothing),
		TEST(the_first_stretch_has_as_many_steps_as_asked),
		TEST(the_steady_stretch_begins_with_the_last_power_of_two),
		TEST(long_steps_are_cut_and_memory_is_bounded),
		TEST(levels_are_sampled_over_the_whole_run),
		TEST(the_file_is_whole_and_rows_show_one_thing_at_a_time),
		TEST(so_it_is_without_a_barrier_on_hosts_and_with_echo),
		TEST(so_it_is_with_examples_echoed),
		TEST(steps_of_the_file_are_the_busy_time_of_the_run),
		TEST(a_batch_that_waits_for_those_before_it_is_told),
		TEST(a_row_for_each_worker_shows_that_it_waits),
		TEST(a_worker_with_another_batch_does_not_wait),
		TEST(a_timeline_of_nothing_is_a_file_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
