/* SPDX-License-Identifier: MIT */
/* What the three formats make of hand-made results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/document/grid.h"
#include "analysis/metric.h"
#include "analysis/part.h"
#include "analysis/report.h"
#include "analysis/text.h"
#include "tests/support/printed.h"

#define SECOND INT64_C(1000000000)

static struct scenario scenario;
static struct result sim, live;
static struct notes notes;
static const struct result *runs[2];

/* A run of ten seconds that worked eight of them. */
static void fill(struct result *result, bool is_live)
{
	memset(result, 0, sizeof(*result));
	result->live = is_live;
	result->echo = (struct echo){ .place = ECHO_NONE, .factor = 1 };
	result->figures = (struct figures){
		.complete = true,
		.run_steps = 100,
		.steps = 100,
		.elapsed_ns = 10 * SECOND,
		.accelerators = 1,
		.accelerator_ns = 10 * SECOND,
		.busy_ns = 8 * SECOND,
		.idle_ns = 2 * SECOND,
		.steady_busy_ns = 8 * SECOND,
		.steady_elapsed_ns = 10 * SECOND,
		.consumed_examples = 1000,
		.fresh_examples = 1000,
		.batches = 100,
	};
}

static int setup(void **state)
{
	(void)state;
	scenario_init(&scenario);
	fill(&sim, false);
	fill(&live, true);
	memset(&notes, 0, sizeof(notes));
	runs[0] = &sim;
	runs[1] = &live;
	return 0;
}

static struct report report_of(size_t run_count)
{
	return (struct report){ .scenario = &scenario,
				.runs = runs,
				.run_count = run_count,
				.notes = &notes };
}

static char *written(const char *format, const struct report *report)
{
	return printed(report_document(report), format);
}

static void expect_text(const char *format, const struct report *report,
			const char *part, bool there)
{
	char *text = written(format, report);

	if (!strstr(text, part) == there)
		print_message("%s\n", text);
	assert_true(!strstr(text, part) != there);
	free(text);
}

static void every_metric_is_a_key_of_the_json(void **state)
{
	struct report report = report_of(2);
	char key[80];
	const char *last;
	size_t i;

	(void)state;
	for (i = 0; i < metric_count; i++) {
		last = strrchr(metric_table[i].name, '.');
		snprintf(key, sizeof(key),
			 "\"%s\": ", last ? last + 1 : metric_table[i].name);
		expect_text("json", &report, key, true);
	}
}

static void the_throttle_is_of_live_runs_only(void **state)
{
	struct report report = report_of(1);

	(void)state;
	expect_text("json", &report, "\"throttle\"", false);
	report.runs = &runs[1];
	expect_text("json", &report, "\"throttle\"", true);
}

static void what_is_not_known_is_null_and_empty(void **state)
{
	struct report report = report_of(1);

	(void)state;
	expect_text("json", &report, "\"gain\": null", true);
	expect_text("json", &report, "\"mean_lag_steps\": null", true);
	expect_text("csv", &report, "sim,none,1,fixed,true,100,0,10,0.8,0.8,",
		    true);
	expect_text("csv", &report, "0.2,,10,100,100,1000,1000,0,0,0,0,1,0,,,",
		    true);
}

static void words_are_escaped(void **state)
{
	struct report report = report_of(1);

	(void)state;
	snprintf(scenario.name, sizeof(scenario.name), "a \"b\"\n\xff");
	expect_text("json", &report, "\"name\": \"a \\\"b\\\"\\n?\"", true);
}

static void the_scenario_is_in_seconds_and_bytes(void **state)
{
	struct report report = report_of(1);

	(void)state;
	scenario.accelerators.step_ns = distribution_constant(120e6);
	scenario.dataset.block_bytes = 256 << 10;
	scenario.storage.profile.latency_ns = (struct distribution){
		.kind = DISTRIBUTION_LOGNORMAL, .mean = 8e6, .stdev = 2e6
	};
	expect_text("json", &report, "\"step_time\": 0.12,", true);
	expect_text("json", &report, "\"block_bytes\": 262144,", true);
	expect_text("json", &report, "\"dist\": \"lognormal\"", true);
	expect_text("json", &report, "\"stdev\": 0.002", true);
}

static size_t fields_of(const char *line)
{
	size_t count = 1;

	for (; *line && *line != '\n'; line++)
		count += *line == ',';
	return count;
}

static void csv_rows_are_as_wide_as_their_header(void **state)
{
	struct report report = report_of(2);
	char *text = written("csv", &report), *line = text;
	size_t width = fields_of(text), rows = 0;

	(void)state;
	assert_int_equal(
		width, metric_count - 2 +
			       STAGE_COUNT * part_find("stages")->metric_count);
	for (line = text; *line; line = strchr(line, '\n') + 1, rows++)
		assert_int_equal(fields_of(line), width);
	assert_int_equal(rows, 3);
	free(text);
}

static struct metric_value quoted_cell(const void *context, size_t row,
				       size_t column)
{
	static const char *const cells[] = { "plain", "a,b", "say \"x\"",
					     "two\nlines" };

	(void)context;
	(void)row;
	return value_text(cells[column]);
}

static void csv_quotes_as_rfc_4180_says(void **state)
{
	static const struct view_column columns[4] = {
		COLUMN("a", METRIC_TEXT, "", NULL),
		COLUMN("b", METRIC_TEXT, "", NULL),
		COLUMN("c", METRIC_TEXT, "", NULL),
		COLUMN("d", METRIC_TEXT, "", NULL),
	};
	const struct grid grid = { .name = "rows",
				   .title = "Rows",
				   .columns = columns,
				   .column_count = 4,
				   .row_count = 1,
				   .cell = quoted_cell };
	char *text = printed(grid_document(&grid), "csv");

	(void)state;
	assert_string_equal(text,
			    "a,b,c,d\nplain,\"a,b\",\"say \"\"x\"\"\",\"two\n"
			    "lines\"\n");
	free(text);
}

static void text_fits_in_eighty_columns(void **state)
{
	struct report report;
	char *text, *line;
	size_t count;

	(void)state;
	sim.echo = (struct echo){ .place = ECHO_EXAMPLE_BEFORE_AUGMENT,
				  .policy = ECHO_WHEN_STARVED,
				  .max_factor = 1024 };
	live.echo = sim.echo;
	sim.figures.steps = 123456789;
	live.figures.complete = false;
	for (count = 1; count <= 2; count++) {
		report = report_of(count);
		text = written("text", &report);
		for (line = text; *line; line += strcspn(line, "\n") + 1)
			assert_true(strcspn(line, "\n") <= TEXT_COLUMNS);
		free(text);
	}
}

static void no_line_of_text_ends_in_a_blank(void **state)
{
	struct report report = report_of(1);

	(void)state;
	expect_text("text", &report, " \n", false);
}

static void a_pair_shows_the_difference_in_points(void **state)
{
	struct report report = report_of(2);

	(void)state;
	live.figures.busy_ns = 8 * SECOND - SECOND / 8;
	/* 78.75 % against 80 %. */
	expect_text("text", &report, "-1.25", true);
	expect_text("text", &report, "80.0", true);
	expect_text("text", &report, "78.8", true);
	expect_text("text", &report, "held", true);
}

static void runs_of_different_strategies_are_no_pair(void **state)
{
	struct report report = report_of(2);

	(void)state;
	live.echo = (struct echo){ .place = ECHO_BATCH, .factor = 2 };
	expect_text("text", &report, "batch:2", true);
	expect_text("text", &report, "+0.00", false);
}

/* The notes of both runs, in one text. */
static void expect_note(const char *part, bool there)
{
	struct report report = report_of(2);

	notes.count = 0;
	report_notes(&report, &notes);
	if (!there && notes.count)
		print_message("%s\n", notes.text[0]);
	assert_int_equal(notes.count, there);
	if (there)
		assert_non_null(strstr(notes.text[0], part));
}

static void nothing_is_noted_of_ordinary_runs(void **state)
{
	(void)state;
	expect_note("", false);
}

static void a_short_run_is_noted_when_it_matters_by_a_point(void **state)
{
	(void)state;
	/* 80 % in the window against 79.5 % and 78.5 %. */
	sim.figures.steady_busy_ns = 7950 * SECOND / 1000;
	expect_note("", false);
	sim.figures.steady_busy_ns = 7850 * SECOND / 1000;
	expect_note("sim none (80.0, steady 78.5)", true);
}

static void an_interrupted_run_is_noted(void **state)
{
	(void)state;
	live.figures.complete = false;
	expect_note("live none (after 100 steps)", true);
}

static void a_throttle_that_did_not_hold_is_noted_with_by_how_much(void **state)
{
	(void)state;
	live.throttle.completions = 200;
	live.throttle.elapsed_ns = 100 * SECOND;
	live.throttle.disturbed_ns = 5 * SECOND;
	live.throttle.late = 50;
	while (live.throttle.lateness_ns.count < 50)
		histogram_add(&live.throttle.lateness_ns, SECOND / 10);
	expect_note("live none (5.0 % of the time; 25.0 % of reads late, at "
		    "most 100.0 ms)",
		    true);
	live.throttle.blocks = 300;
	live.throttle.overtaken = 3;
	live.throttle.overtaken_ns = SECOND / 2;
	expect_note("; 3 of 300 blocks late, 500.0 ms in all)", true);
	/* The device as it is is held to nothing; but if the clock went on
	 * without the run, it is not what was measured. */
	live.throttle.native = true;
	expect_note("live none (5.0 s in all)", true);
	live.throttle.disturbed_ns = 0;
	expect_note("", false);
}

static void a_note_is_said_once(void **state)
{
	(void)state;
	notes_add(&notes, "same %d", 1);
	notes_add(&notes, "same %d", 1);
	notes_add(&notes, "same %d", 2);
	assert_int_equal(notes.count, 2);
	while (notes.count < NOTES_MAX)
		notes_add(&notes, "note %zu", notes.count);
	notes_add(&notes, "one too many");
	assert_int_equal(notes.count, NOTES_MAX);
}

static void strategies_are_named_as_echo_takes_them(void **state)
{
	static const char *const names[] = {
		"none",
		"batch:2",
		"example-after-augment:1.28",
		"example-before-decode:1024",
		"batch:when-starved:4",
	};
	struct fault fault = { 0 };
	char text[STRATEGY_TEXT_MAX];
	struct echo echo;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(scenario_parse_echo(names[i], &echo, &fault),
				 0);
		assert_string_equal(strategy_name(&echo, text, sizeof(text)),
				    names[i]);
	}
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup(test, setup)
	const struct CMUnitTest tests[] = {
		TEST(every_metric_is_a_key_of_the_json),
		TEST(the_throttle_is_of_live_runs_only),
		TEST(what_is_not_known_is_null_and_empty),
		TEST(words_are_escaped),
		TEST(the_scenario_is_in_seconds_and_bytes),
		TEST(csv_rows_are_as_wide_as_their_header),
		TEST(csv_quotes_as_rfc_4180_says),
		TEST(text_fits_in_eighty_columns),
		TEST(no_line_of_text_ends_in_a_blank),
		TEST(a_pair_shows_the_difference_in_points),
		TEST(runs_of_different_strategies_are_no_pair),
		TEST(nothing_is_noted_of_ordinary_runs),
		TEST(a_short_run_is_noted_when_it_matters_by_a_point),
		TEST(an_interrupted_run_is_noted),
		TEST(a_throttle_that_did_not_hold_is_noted_with_by_how_much),
		TEST(a_note_is_said_once),
		TEST(strategies_are_named_as_echo_takes_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
