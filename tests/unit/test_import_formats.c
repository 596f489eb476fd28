/* SPDX-License-Identifier: MIT */
/* What each importer makes of its sample. The figures are worked out by hand
 * from the text of the samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "tests/support/import_samples.h"
#include "tests/support/imported.h"

static struct imported imported;

static const struct import_sample *sample(const char *importer, size_t which)
{
	size_t i;

	for (i = 0; i < import_sample_count; i++)
		if (!strcmp(import_samples[i].importer, importer) && !which--)
			return &import_samples[i];
	fail_msg("no sample of %s", importer);
	return NULL;
}

static void import_sample(const char *importer, size_t which)
{
	const struct import_sample *found = sample(importer, which);

	imported.options.strict = true;
	if (imported_from(&imported, NULL, found->bytes, found->size))
		fail_msg("%s: %s", importer, imported.fault.text);
	assert_string_equal(imported.report.importer->name, importer);
	assert_int_equal(imported.count, found->events);
	assert_int_equal(imported.report.bad, 0);
}

struct wanted {
	int64_t issue_ns;
	int64_t start_ns;
	int64_t end_ns;
	uint64_t offset_bytes;
	uint64_t bytes;
	uint32_t object;
	unsigned flags;
};

static void check_event(size_t index, const struct wanted *wanted)
{
	const struct trace_event *event = &imported.events[index];

	assert_int_equal(event->issue_ns, wanted->issue_ns);
	assert_int_equal(event->start_ns, wanted->start_ns);
	assert_int_equal(event->end_ns, wanted->end_ns);
	assert_int_equal(event->offset_bytes, wanted->offset_bytes);
	assert_int_equal(event->bytes, wanted->bytes);
	assert_int_equal(event->object, wanted->object);
	assert_int_equal(event->flags, wanted->flags);
}

#define CHECK_EVENT(index, ...)                                                \
	check_event(index, &(const struct wanted){ __VA_ARGS__ })

#define NEVER TIME_UNKNOWN

static void iolog_3_counts_microseconds_from_the_start(void **state)
{
	(void)state;
	import_sample("fio-iolog", 1);
	CHECK_EVENT(0, 576000, NEVER, NEVER, 0, 65536, 0, 0);
	CHECK_EVENT(1, 15837000, NEVER, NEVER, 720896, 65536, 0, 0);
	assert_int_equal(imported.report.skipped, 3);
}

static void iolog_2_waits_for_milliseconds_since_the_start(void **state)
{
	(void)state;
	import_sample("fio-iolog", 0);
	CHECK_EVENT(0, 0, NEVER, NEVER, 65536, 131072, 0, 0);
	CHECK_EVENT(1, 1500000000, NEVER, NEVER, 0, 4096, 0, TRACE_WRITE);
}

static void iolog_2_waits_as_documented_when_told(void **state)
{
	static const char text[] = "fio version 2 iolog\n"
				   "a wait 1500\n"
				   "a read 0 1\n"
				   "wait 1500\n"
				   "a read 1 1\n";

	(void)state;
	imported.options.wait = IMPORT_WAIT_US_RELATIVE;
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	imported.options.wait = IMPORT_WAIT_MS_ABSOLUTE;
	assert_int_equal(imported.events[0].issue_ns, 1500000);
	assert_int_equal(imported.events[1].issue_ns, 3000000);
}

static void a_latency_log_has_the_completion(void **state)
{
	(void)state;
	import_sample("fio-latency", 0);
	/* Said to be over at 0 ms, after 82 us. */
	CHECK_EVENT(0, 0, NEVER, 81959, 0, 65536, 0, 0);
	CHECK_EVENT(1, 15000000 - 35027, NEVER, 15000000, 720896, 65536, 0, 0);
	CHECK_EVENT(2, 31000000 - 30011, NEVER, 31000000, 851968, 65536, 0,
		    TRACE_WRITE);
}

static void a_latency_log_without_offsets_says_so(void **state)
{
	(void)state;
	assert_int_equal(imported_text(&imported, NULL,
				       "3, 3605132, 0, 65536, 0\n"
				       "3, 158195, 0, 65536, 0\n"),
			 0);
	assert_int_equal(imported.report.note_count, 1);
	assert_non_null(strstr(imported.report.notes[0], "log_offset=1"));
}

static void an_average_is_no_request(void **state)
{
	(void)state;
	assert_int_equal(imported_text(&imported, "fio-latency",
				       "500, 81959, 0, 0, 0\n"),
			 -EINVAL);
	assert_non_null(strstr(imported.fault.text, "log_avg_msec"));
}

static void blkparse_pairs_queue_issue_and_completion(void **state)
{
	(void)state;
	import_sample("blkparse", 0);
	/* D to C: 601.345 us. */
	CHECK_EVENT(0, 9507758, 9511000, 10112345, 223490 * 512ull, 28672, 0,
		    0);
	assert_int_equal(imported.events[0].end_ns -
				 imported.events[0].start_ns,
			 601345);
	CHECK_EVENT(1, 20000000, 20000000, 20500000, 4096, 4096, 1,
		    TRACE_WRITE | TRACE_FAILED);
}

static void blktrace_holds_the_same_from_its_first_event_on(void **state)
{
	(void)state;
	import_sample("blktrace", 0);
	CHECK_EVENT(0, 0, 3242, 604587, 223490 * 512ull, 28672, 0, 0);
	CHECK_EVENT(1, 10492242, 10492242, 10992242, 4096, 4096, 0,
		    TRACE_WRITE | TRACE_FAILED);
}

static void a_merged_request_completes_with_the_other(void **state)
{
	static const char text[] = "8,0 0 1 0.000001000 1 Q R 100 + 8 [a]\n"
				   "8,0 0 2 0.000002000 1 Q R 108 + 8 [a]\n"
				   "8,0 0 3 0.000003000 1 M R 108 + 8 [a]\n"
				   "8,0 0 4 0.000004000 1 D R 100 + 16 [a]\n"
				   "8,0 0 5 0.000009000 0 C R 100 + 16 [0]\n";

	(void)state;
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	assert_int_equal(imported.count, 1);
	CHECK_EVENT(0, 1000, 4000, 9000, 51200, 8192, 0, 0);
	assert_int_equal(imported.report.note_count, 0);
}

static void completions_without_request_are_told(void **state)
{
	static const char text[] = "8,0 0 1 0.000001000 1 C R 50 + 8 [0]\n"
				   "8,0 0 2 0.000002000 1 D R 100 + 8 [a]\n"
				   "8,0 0 3 0.000003000 1 C R 100 + 8 [0]\n"
				   "8,0 0 4 0.000004000 1 D R 200 + 8 [a]\n";

	(void)state;
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	assert_int_equal(imported.count, 1);
	assert_non_null(strstr(imported.report.notes[0],
			       "1 requests without their completion and 1 "
			       "completions without their request"));
}

static void strace_follows_positions_and_joins_halves(void **state)
{
	(void)state;
	import_sample("strace", 0);
	CHECK_EVENT(0, 0, NEVER, 252000, 0, 4096, 0, 0);
	CHECK_EVENT(1, 462000, NEVER, 1162000, 4096, 1000, 0, 0);
	CHECK_EVENT(2, 1109000, NEVER, 1335000, 1000000, 8192, 1, 0);
}

static void strace_shares_positions_where_the_kernel_does(void **state)
{
	static const char text[] =
		"1 1.000000 open(\"a\", O_RDONLY) = 3</a> <0.000001>\n"
		"1 1.000010 read(3</a>, \"\"..., 10) = 10 <0.000001>\n"
		"1 1.000020 dup(3</a>) = 4</a> <0.000001>\n"
		"1 1.000030 read(4</a>, \"\"..., 10) = 10 <0.000001>\n"
		"1 1.000040 clone(child_stack=NULL, flags=SIGCHLD) = 2 "
		"<0.000001>\n"
		"2 1.000050 read(3</a>, \"\"..., 10) = 10 <0.000001>\n"
		"1 1.000060 open(\"a\", O_RDONLY) = 5</a> <0.000001>\n"
		"1 1.000070 read(5</a>, \"\"..., 10) = 10 <0.000001>\n"
		"1 1.000080 lseek(3</a>, 100, SEEK_SET) = 100 <0.000001>\n"
		"2 1.000090 readv(4</a>, [{iov_base=\"(\", iov_len=10}], 1) = "
		"10 <0.000001>\n"
		"1 1.000100 read(3</a>, \"\", 10) = 0 <0.000001>\n"
		"1 1.000110 read(3</a>, 0x1, 7) = -1 EIO (Input/output error) "
		"<0.000001>\n";
	static const uint64_t offsets[] = { 0, 10, 20, 0, 100, 110 };
	size_t i;

	(void)state;
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	assert_int_equal(imported.count, 6);
	for (i = 0; i < 6; i++)
		assert_int_equal(imported.events[i].offset_bytes, offsets[i]);
	assert_int_equal(imported.events[5].flags, TRACE_FAILED);
	assert_int_equal(imported.events[5].bytes, 7);
}

static void strace_says_what_it_cannot_see(void **state)
{
	static const char text[] =
		"1.000000 io_uring_enter(5<anon_inode:[io_uring]>, 4, 1, 0, "
		"NULL, 8) = 4 <0.000001>\n"
		"1.000010 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 3</a>, 0) = "
		"0x7f0000000000 <0.000001>\n"
		"1.000020 read(3</a>, \"\", 10) = 10 <0.000001>\n"
		"1.000030 read(4, \"\", 10) = 10 <0.000001>\n";

	(void)state;
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	assert_int_equal(imported.count, 1);
	assert_int_equal(imported.report.note_count, 4);
	assert_non_null(
		strstr(imported.report.notes[0], "1 calls of io_uring_enter"));
	assert_non_null(strstr(imported.report.notes[1], "mapped 1 times"));
	assert_non_null(strstr(imported.report.notes[2], "-yy"));
	assert_non_null(strstr(imported.report.notes[3], "opened before"));
}

static void darshan_is_put_in_order_and_told_once(void **state)
{
	(void)state;
	import_sample("darshan", 0);
	CHECK_EVENT(0, 102100000, NEVER, 104300000, 0, 1048576, 0, 0);
	CHECK_EVENT(1, 105100000, NEVER, 106200000, 1048576, 1048576, 0, 0);
	CHECK_EVENT(2, 200000000, NEVER, 250000000, 0, 4096, 0, TRACE_WRITE);
	assert_non_null(strstr(imported.report.notes[0], "1 rows of MPI-IO"));
}

static void dftracer_holds_requests_and_steps(void **state)
{
	(void)state;
	import_sample("dftracer", 0);
	CHECK_EVENT(0, 0, NEVER, 310000, 0, 65536, 0, 0);
	assert_int_equal(imported.events[1].kind, TRACE_STEP);
	CHECK_EVENT(1, 879000, 879000, 50879000, 0, 0, 0, 0);
}

static void dftracer_follows_positions(void **state)
{
#define CALL(name, ts, arguments)                                              \
	"{\"name\":\"" name "\",\"cat\":\"POSIX\",\"pid\":9,\"ts\":" ts        \
	",\"dur\":\"1\",\"ph\":\"X\",\"args\":{\"fhash\":\"f\"" arguments      \
	"}},\n"
	static const char text[] = CALL("open64", "100", ",\"ret\":\"5\"") CALL(
		"read", "101", ",\"fd\":5,\"ret\":\"100\"")
		CALL("read", "102", ",\"fd\":5,\"ret\":50") CALL(
			"lseek64", "103", ",\"fd\":5,\"offset\":7,\"ret\":7")
			CALL("read", "104", ",\"fd\":5,\"ret\":1")
				CALL("read", "105", ",\"fd\":5,\"ret\":0")
					CALL("read", "106",
					     ",\"fd\":5,\"ret\":-1");
	static const uint64_t offsets[] = { 0, 100, 7, 8 };
	size_t i;

	(void)state;
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	assert_int_equal(imported.count, 4);
	for (i = 0; i < 4; i++)
		assert_int_equal(imported.events[i].offset_bytes, offsets[i]);
	assert_int_equal(imported.events[3].flags, TRACE_FAILED);
	assert_int_equal(imported.report.note_count, 0);
}

static void a_broken_object_costs_one_event(void **state)
{
	static const char text[] = CALL(
		"pread", "100",
		",\"offset\":0,\"ret\":5") "{\"name\":\"pread\",\"cat\":"
					   "\"PO\n" CALL(
						   "pread", "102",
						   ",\"offset\":0,"
						   "\"ret\":5") "{\"name"
								"\":]}"
								"\n" CALL(
									"pread",
									"104",
									",\"off"
									"set\":"
									"0,"
									"\"ret"
									"\":5");

	(void)state;
	imported.options.strict = false;
	assert_int_equal(imported_text(&imported, NULL, text), 0);
	assert_int_equal(imported.count, 3);
	assert_int_equal(imported.report.bad, 2);
	assert_int_equal(imported.report.bad_line, 3);
}

static void a_step_is_what_is_left_after_the_wait(void **state)
{
	(void)state;
	import_sample("pytorch", 0);
	/* 52000.5 us from 1000.125 on, 9000.2 us of it waiting. The wait
	 * begins at 1001.0 us: from there times count. */
	assert_int_equal(imported.events[1].kind, TRACE_BATCH);
	CHECK_EVENT(1, NEVER, 0, 9000200, 0, 0, 0, 0);
	assert_int_equal(imported.events[0].kind, TRACE_STEP);
	assert_int_equal(imported.events[0].number, 12);
	CHECK_EVENT(0, 8999325, 8999325, 51999625, 0, 0, 0, 0);
	assert_string_equal(imported.report.notes[0],
			    "kernels ran for 0.041 s, together, of the "
			    "0.052 s of steps");
}

static void msr_times_are_units_of_100_ns(void **state)
{
	(void)state;
	import_sample("msr", 0);
	CHECK_EVENT(0, 0, NEVER, 4128600, 7014609920, 24576, 0, 0);
	CHECK_EVENT(1, 1332052600, NEVER, 1332248900, 1317441536, 8192, 0,
		    TRACE_WRITE);
	CHECK_EVENT(2, 2332061600, NEVER, 2332245100, 2436440064, 4096, 1, 0);
}

static void arrivals_of_a_second_are_spread_over_it(void **state)
{
	(void)state;
	import_sample("oracle", 0);
	CHECK_EVENT(0, 0, NEVER, NEVER, 0, 512, 0, 0);
	CHECK_EVENT(1, 500000000, NEVER, NEVER, 0, 512, 1, 0);
	CHECK_EVENT(2, 2000000000, NEVER, NEVER, 0, 4096, 0, 0);
	CHECK_EVENT(3, 2500000000, NEVER, NEVER, 0, 4096, 0, 0);
}

static void operations_say_which_requests_write(void **state)
{
	(void)state;
	import_sample("oracle-op", 0);
	CHECK_EVENT(0, 0, NEVER, NEVER, 0, 512, 0, 0);
	CHECK_EVENT(1, 500000000, NEVER, NEVER, 0, 700, 1, TRACE_WRITE);
	CHECK_EVENT(2, 2000000000, NEVER, NEVER, 0, 4096, 0, 0);
	CHECK_EVENT(3, 2500000000, NEVER, NEVER, 0, 4096, 0, 0);
	assert_int_equal(imported.report.skipped, 1);
	assert_int_equal(imported.report.lines, 5);
}

static void alibaba_counts_microseconds_and_has_no_latencies(void **state)
{
	(void)state;
	import_sample("alibaba", 0);
	CHECK_EVENT(0, 0, NEVER, NEVER, 126703644672, 4096, 0, 0);
	CHECK_EVENT(1, 183000, NEVER, NEVER, 19546832896, 8192, 1, TRACE_WRITE);
	CHECK_EVENT(2, 1000000, NEVER, NEVER, 126703648768, 4096, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(iolog_3_counts_microseconds_from_the_start),
		cmocka_unit_test(
			iolog_2_waits_for_milliseconds_since_the_start),
		cmocka_unit_test(iolog_2_waits_as_documented_when_told),
		cmocka_unit_test(a_latency_log_has_the_completion),
		cmocka_unit_test(a_latency_log_without_offsets_says_so),
		cmocka_unit_test(an_average_is_no_request),
		cmocka_unit_test(blkparse_pairs_queue_issue_and_completion),
		cmocka_unit_test(
			blktrace_holds_the_same_from_its_first_event_on),
		cmocka_unit_test(a_merged_request_completes_with_the_other),
		cmocka_unit_test(completions_without_request_are_told),
		cmocka_unit_test(strace_follows_positions_and_joins_halves),
		cmocka_unit_test(strace_shares_positions_where_the_kernel_does),
		cmocka_unit_test(strace_says_what_it_cannot_see),
		cmocka_unit_test(darshan_is_put_in_order_and_told_once),
		cmocka_unit_test(dftracer_holds_requests_and_steps),
		cmocka_unit_test(dftracer_follows_positions),
		cmocka_unit_test(a_broken_object_costs_one_event),
		cmocka_unit_test(a_step_is_what_is_left_after_the_wait),
		cmocka_unit_test(msr_times_are_units_of_100_ns),
		cmocka_unit_test(arrivals_of_a_second_are_spread_over_it),
		cmocka_unit_test(operations_say_which_requests_write),
		cmocka_unit_test(
			alibaba_counts_microseconds_and_has_no_latencies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
