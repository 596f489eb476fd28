/* SPDX-License-Identifier: MIT */
/* What a person is told about a scenario that is wrong, word for word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/mistake.h"
#include "tests/support/temp.h"
#include "traces/scenario.h"

static struct scenario scenario;

#define FIFTY_EIGHT "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
#define SIXTY_FOUR FIFTY_EIGHT "nnnnnn"

static void misspelt_keys_get_the_nearest(void **state)
{
	static const struct mistake mistakes[] = {
		{ MISTAKE_LEAST
		  "pipeline:\n  decode: {workers: 2, rtae: 1 MB/s}\n",
		  5,
		  "unknown key \"rtae\" in pipeline.decode; did you mean "
		  "\"rate\"?" },
		{ MISTAKE_LEAST "pipline: {batch_size: 3}\n", 4,
		  "unknown key \"pipline\"; did you mean \"pipeline\"?" },
		{ MISTAKE_LEAST "run:\n  setps: 10\n", 5,
		  "unknown key \"setps\" in run; did you mean \"steps\"?" },
		{ MISTAKE_LEAST "batch_size: 3\n", 4,
		  "unknown key \"batch_size\"; did you mean "
		  "\"pipeline.batch_size\"?" },
		{ MISTAKE_LEAST "weather: {rain: 1}\n", 4,
		  "unknown key \"weather\"" },
		{ MISTAKE_LEAST "echo:\n- {place: none}\n- {place: batch,\n"
				"   fcator: 2}\n",
		  7,
		  "unknown key \"fcator\" in echo.1; did you mean "
		  "\"factor\"?" },
		{ MISTAKE_LEAST
		  "pipeline: {decode: {time: {dist: normal, maen: 1 "
		  "ms}}}\n",
		  4,
		  "unknown key \"maen\" in pipeline.decode.time; expected "
		  "mean, stdev with dist normal" },
		/* Dots are for --set. */
		{ MISTAKE_LEAST "run.steps: 3\n", 4,
		  "unknown key \"run.steps\"; expected a key of its own for "
		  "each "
		  "level, as in {run: {steps: 100}}" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void wrong_units_get_the_units(void **state)
{
	static const struct mistake mistakes[] = {
		{ MISTAKE_LEAST "pipeline:\n  decode: {time: 8}\n", 5,
		  "pipeline.decode.time: found \"8\"; expected a time such as "
		  "8 ms (ns, us, ms, s, min, h, d) or a distribution" },
		{ MISTAKE_LEAST
		  "pipeline:\n  decode:\n    time:\n  ordered: true\n",
		  6,
		  "pipeline.decode.time: found nothing; expected a time "
		  "such as 8 ms (ns, us, ms, s, min, h, d) or a "
		  "distribution" },
		{ MISTAKE_LEAST "run: {duration: 60}\n", 4,
		  "run.duration: found \"60\"; expected a time such as 8 ms "
		  "(ns, us, ms, s, min, h, d)" },
		{ MISTAKE_LEAST "run: {duration: [60 s]}\n", 4,
		  "run.duration: found a list; expected a time such as 8 ms "
		  "(ns, us, ms, s, min, h, d)" },
		{ "storage:\n  device: {bandwidth: 150 MB}\n", 2,
		  "storage.device.bandwidth: found \"150 MB\"; expected a "
		  "rate such as 150 MB/s (B/s, kB/s, KiB/s, MB/s, MiB/s, "
		  "GB/s, GiB/s, TB/s, TiB/s, PB/s, PiB/s, kbit/s, Mbit/s, "
		  "Gbit/s, Tbit/s)" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void values_out_of_range_get_the_range(void **state)
{
	static const struct mistake mistakes[] = {
		{ "storage: {queue_depth: 0}\n", 1,
		  "storage.queue_depth: found \"0\"; expected a whole number "
		  "from 1 to 16384" },
		{ "storage: {queue_depth: -3}\n", 1,
		  "storage.queue_depth: found \"-3\"; expected a whole number "
		  "from 1 to 16384" },
		{ "storage: {queue_depth: 2.5}\n", 1,
		  "storage.queue_depth: found \"2.5\"; expected a whole "
		  "number from 1 to 16384" },
		{ "storage: {request_bytes: 2 GiB}\n", 1,
		  "storage.request_bytes: found \"2 GiB\"; expected a size "
		  "such as 64 KiB, from 512 B to 1 GiB" },
		{ "storage: {order: sequental}\n", 1,
		  "storage.order: found \"sequental\"; expected one of "
		  "sequential, shuffled-shards, shuffled-blocks, random; did "
		  "you mean \"sequential\"?" },
		{ "storage: {order: best}\n", 1,
		  "storage.order: found \"best\"; expected one of "
		  "sequential, shuffled-shards, shuffled-blocks, random" },
		{ "pipeline: {ordered: yes}\n", 1,
		  "pipeline.ordered: found \"yes\"; expected true or false" },
		{ "dataset: {compression_ratio: nan}\n", 1,
		  "dataset.compression_ratio: found \"nan\"; expected a "
		  "number from 0.001 to 100000" },
		{ "accelerator: {step_time: 2 h}\n", 1,
		  "accelerator.step_time: found \"2 h\"; expected a time such "
		  "as 8 ms or a distribution, from 1 ns to 1 h" },
		{ "name: [a]\n", 1,
		  "name: found a list; expected a text of at most 255 "
		  "characters" },
		{ "name: " SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR "\n", 1,
		  "name: found \"" FIFTY_EIGHT "...\"; expected a text of at "
		  "most 255 characters" },
		{ "echo: [{place: batch, factor: 2000}]\n", 1,
		  "echo.0.factor: found \"2000\"; expected a number from 1 "
		  "to 1024" },
		{ "pipeline: 3\n", 1,
		  "pipeline: found \"3\"; expected a map of keys and values" },
		{ "- a\n", 1,
		  "scenario: found a list; expected a map of keys and "
		  "values" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void distributions_must_be_whole(void **state)
{
	static const struct mistake mistakes[] = {
		{ "pipeline.decode.time={mean: 3 ms}", 0,
		  "pipeline.decode.time.dist: not given; expected one of "
		  "constant, uniform, exponential, normal, lognormal, "
		  "quantiles, cycle" },
		{ "pipeline.decode.time={dist: gamma, mean: 3 ms}", 0,
		  "pipeline.decode.time.dist: found \"gamma\"; expected one "
		  "of constant, uniform, exponential, normal, lognormal, "
		  "quantiles, cycle" },
		{ "pipeline.decode.time={dist: lognormal, mean: 3 ms}", 0,
		  "pipeline.decode.time.stdev: not given; dist lognormal "
		  "expects mean, stdev" },
		{ "pipeline.decode.time={dist: uniform, low: 1 ms, high: 2 "
		  "ms, stdev: 1 ms}",
		  0,
		  "pipeline.decode.time.stdev: has no effect with dist "
		  "uniform; expected low, high" },
		{ "pipeline.decode.time={dist: cycle, mean: 1 ms}", 0,
		  "pipeline.decode.time.mean: has no effect with dist cycle; "
		  "expected values" },
		{ "pipeline.decode.time={dist: cycle}", 0,
		  "pipeline.decode.time.values: not given; dist cycle expects "
		  "values" },
		{ "pipeline.decode.time={dist: cycle, values: []}", 0,
		  "pipeline.decode.time.values: expected a list of 1 to 32768 "
		  "values" },
		{ "pipeline.decode.time={dist: cycle, values: 1 ms}", 0,
		  "pipeline.decode.time.values: expected a list of 1 to 32768 "
		  "values" },
		{ "pipeline.decode.time={dist: cycle, values: [1 ms, 2]}", 0,
		  "pipeline.decode.time.values: found \"2\"; expected a time "
		  "such as 8 ms (ns, us, ms, s, min, h, d) or a "
		  "distribution" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

static void distributions_must_make_sense(void **state)
{
	static const struct mistake mistakes[] = {
		{ "pipeline.decode.time={dist: uniform, low: 2 ms, high: 1 "
		  "ms}",
		  0, "pipeline.decode.time: expected low <= high" },
		{ "pipeline.decode.time={dist: lognormal, mean: 0 s, stdev: 1 "
		  "ms}",
		  0, "pipeline.decode.time: expected a mean above 0" },
		{ "pipeline.decode.time={dist: normal, mean: 1 ms, stdev: 2 "
		  "ms}",
		  0, "pipeline.decode.time: expected stdev <= mean" },
		{ "storage.device.latency={p50: 1 ms, p90: 3 ms, p99: 2 ms, "
		  "p999: 4 ms}",
		  0,
		  "storage.device.latency: expected p50 <= p90 <= p99 <= "
		  "p999" },
		{ "storage.device.latency={p50: 1 ms, p90: 2 ms, p99: 5 ms, "
		  "p999: 4 ms}",
		  0,
		  "storage.device.latency: expected p50 <= p90 <= p99 <= "
		  "p999" },
		{ "storage.device.latency={p50: 1 ms, p99: 2 ms}", 0,
		  "storage.device.latency.p90: not given; dist quantiles "
		  "expects p50, p90, p99, p999" },
		{ "pipeline.decode.time={dist: normal, mean: 3 ms, stdev: -1 "
		  "ms}",
		  0,
		  "pipeline.decode.time.stdev: found \"-1 ms\"; expected a "
		  "time such as 8 ms or a distribution, from 0 ns to 1 h" },
		{ "dataset.db=train", MISTAKE_WHOLE,
		  "dataset.db: found \"train\", but no dataset.path that it "
		  "could be in" },
		{ "dataset.example_bytes={dist: lognormal, mean: 1 MB, stdev: "
		  "1 GB}",
		  0,
		  "dataset.example_bytes: expected no size above 15 GiB, "
		  "however rare" },
		{ "pipeline.decode.time.mean=1", 0,
		  "pipeline.decode.time.mean: found \"1\"; expected a time "
		  "such as 8 ms (ns, us, ms, s, min, h, d) or a "
		  "distribution" },
		{ "pipeline.decode.time.stdev=1 ms", 0,
		  "pipeline.decode.time.stdev: has no effect with dist "
		  "constant; expected mean" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

static void overrides_are_checked_like_files(void **state)
{
	static const struct mistake mistakes[] = {
		{ "seed", 0,
		  "found \"seed\"; expected KEY=VALUE such as "
		  "storage.queue_depth=64" },
		{ "=3", 0,
		  "found \"=3\"; expected KEY=VALUE such as "
		  "storage.queue_depth=64" },
		{ "seed=", 0,
		  "seed: found nothing; expected a whole number from 0 to "
		  "18446744073709551615" },
		{ "seed={a: 1}", 0,
		  "seed: found a map; expected a whole number from 0 to "
		  "18446744073709551615" },
		{ "seed=[", 0, "not YAML: did not find expected node content" },
		{ "seed=1\n---\n2", 0,
		  "a second document begins; expected only one" },
		{ "sede=3", 0, "unknown key \"sede\"; did you mean \"seed\"?" },
		{ "storage.device.bandwith=1 MB/s", 0,
		  "unknown key \"storage.device.bandwith\"; did you mean "
		  "\"storage.device.bandwidth\"?" },
		{ "echo.1.factor=2", 0,
		  "unknown key \"echo.1.factor\"; expected echo.N.KEY with N "
		  "from 0 to 0" },
		{ "echo[].factor=2", 0,
		  "unknown key \"echo[].factor\"; expected echo.N.KEY with N "
		  "from 0 to 0" },
		{ "echo..factor=2", 0,
		  "unknown key \"echo..factor\"; expected echo.N.KEY with N "
		  "from 0 to 0" },
		{ "echo.0.place=bach", 0,
		  "echo.0.place: found \"bach\"; expected one of none, "
		  "example-before-decode, example-before-augment, "
		  "example-after-augment, batch; did you mean \"batch\"?" },
		{ "echo=batch:2", 0,
		  "echo: found \"batch:2\"; expected a list of strategies "
		  "such as [{place: none}, {place: batch, factor: 2}]" },
		{ "echo=[]", 0,
		  "echo: found a list; expected a list of strategies such as "
		  "[{place: none}, {place: batch, factor: 2}]" },
		{ "echo=[batch]", 0,
		  "echo.0: found \"batch\"; expected a map such as {place: "
		  "batch, factor: 2}" },
	};

	(void)state;
	MISTAKE_OVERRIDES(mistakes);
}

static void faults_of_echo_options_are_plain(void **state)
{
	static const struct mistake mistakes[] = {
		{ "bach:2", 0,
		  "place: found \"bach\"; expected one of none, "
		  "example-before-decode, example-before-augment, "
		  "example-after-augment, batch; did you mean \"batch\"?" },
		{ "batch:0", 0,
		  "factor: found \"0\"; expected a number from 1 to 1024" },
		{ "batch:when-starved:0", 0,
		  "max_factor: found \"0\"; expected a whole number from 1 to "
		  "1024" },
		{ "batch", 0,
		  "found \"batch\"; expected none, PLACE:FACTOR such as "
		  "batch:2, or PLACE:when-starved:MAX_FACTOR" },
		{ "none:2", 0,
		  "found \"none:2\"; expected none, PLACE:FACTOR such as "
		  "batch:2, or PLACE:when-starved:MAX_FACTOR" },
		{ SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR, 0,
		  "found \"" SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR FIFTY_EIGHT
		  "...\"; expected none, PLACE:FACTOR such as batch:2, or "
		  "PLACE:when-starved:MAX_FACTOR" },
		{ "batch:2:3", 0,
		  "found \"batch:2:3\"; expected none, PLACE:FACTOR such as "
		  "batch:2, or PLACE:when-starved:MAX_FACTOR" },
		{ "batch:when-starved:3:4", 0,
		  "found \"batch:when-starved:3:4\"; expected none, "
		  "PLACE:FACTOR such as batch:2, or "
		  "PLACE:when-starved:MAX_FACTOR" },
	};
	struct echo echo;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		struct fault fault = { 0 };

		assert_int_equal(scenario_parse_echo(mistakes[i].text, &echo,
						     &fault),
				 -EINVAL);
		mistake_check(&mistakes[i], "--echo", &fault);
	}
}

/* What came from outside cannot steer a terminal, nor flood it. */
static void hostile_texts_are_tamed(void **state)
{
	static const struct mistake mistakes[] = {
		{ "name: \"a\\e[31mb\\x9bc\"\n", 1,
		  "name: found \"a?[31mb?c\"; expected no control "
		  "characters" },
		{ "\"k\\ny\": 1\n", 1, "unknown key \"k?y\"" },
		{ "seed: 1234567890123456789012345678901234567890123456789012"
		  "345678901234567890\n",
		  1,
		  "seed: found \"12345678901234567890123456789012345678901234"
		  "56789012345678...\"; expected a whole number from 0 to "
		  "18446744073709551615" },
		/* Cut between characters, not within one. */
		{ "seed: "
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\n",
		  1,
		  "seed: found "
		  "\"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "...\"; expected a whole number from 0 to "
		  "18446744073709551615" },
		{ "seed: "
		  "x\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\n",
		  1,
		  "seed: found "
		  "\"x\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9...\";"
		  " expected a whole number from 0 to "
		  "18446744073709551615" },
	};

	(void)state;
	MISTAKE_FILES(mistakes);
}

static void files_that_cannot_be_read_say_why(void **state)
{
	struct temp *temp = *state;
	struct fault fault = { 0 };
	char path[TEMP_PATH_MAX];

	assert_int_equal(scenario_read(&scenario,
				       temp_name(temp, "missing", path), NULL,
				       0, &fault),
			 -ENOENT);
	assert_string_equal(fault.text,
			    "cannot be read: No such file or directory");
	assert_string_equal(fault.file, path);
	fault.text[0] = '\0';
	assert_int_equal(scenario_read(&scenario, temp->path, NULL, 0, &fault),
			 -EISDIR);
	assert_string_equal(fault.text, "cannot be read: Is a directory");
	fault.text[0] = '\0';
	assert_int_equal(scenario_read(&scenario, "/dev/zero", NULL, 0, &fault),
			 -EINVAL);
	assert_string_equal(fault.text,
			    "longer than 1 MiB; expected a shorter text");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(misspelt_keys_get_the_nearest),
		cmocka_unit_test(wrong_units_get_the_units),
		cmocka_unit_test(values_out_of_range_get_the_range),
		cmocka_unit_test(distributions_must_be_whole),
		cmocka_unit_test(distributions_must_make_sense),
		cmocka_unit_test(overrides_are_checked_like_files),
		cmocka_unit_test(faults_of_echo_options_are_plain),
		cmocka_unit_test(hostile_texts_are_tamed),
		cmocka_unit_test_setup_teardown(
			files_that_cannot_be_read_say_why, temp_setup,
			temp_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
