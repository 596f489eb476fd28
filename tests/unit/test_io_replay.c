/* SPDX-License-Identifier: MIT */
/*
 * Requests issued again against files: all of them, none twice, where the
 * rule says, never more in flight than were, and a target that fails ends it
 * with a line that names the request.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "storage/replay.h"
#include "tests/support/temp.h"

#define COUNT 500
#define FILES 2
#define FILE_BYTES (UINT64_C(1) << 20)

struct site {
	struct temp *temp;
	int files[FILES];
	uint64_t bytes[FILES];
	struct io_replay_target target;
	struct io_request requests[COUNT];
	struct io_replay_report report;
	struct fault fault;
};

static void open_site(struct site *site, void **state)
{
	char path[TEMP_PATH_MAX], name[16];

	*site = (struct site){ .temp = *state };
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "file%d", i);
		site->files[i] = open(temp_name(site->temp, name, path),
				      O_RDWR | O_CREAT, 0600);
		assert_true(site->files[i] >= 0);
		assert_int_equal(ftruncate(site->files[i], FILE_BYTES), 0);
		site->bytes[i] = FILE_BYTES;
	}
	site->target = (struct io_replay_target){ site->files, site->bytes,
						  FILES, 512 };
	for (uint64_t i = 0; i < COUNT; i++)
		site->requests[i] = (struct io_request){
			.issue_ns = (int64_t)i * 20000,
			.offset_bytes = i * 4096 % FILE_BYTES,
			.bytes = 4096,
			.object = i % FILES,
			.depth = 1 + i % 4,
		};
}

static void close_site(struct site *site)
{
	for (int i = 0; i < FILES; i++)
		close(site->files[i]);
}

static int issue(struct site *site, double speed, bool closed,
		 struct device *device)
{
	const struct io_replay_options options = { .speed = speed,
						   .closed = closed,
						   .device = device };

	return io_replay_run(site->requests, COUNT, &site->target, &options,
			     &site->report, &site->fault);
}

static void every_request_is_issued_once(void **state)
{
	struct site site;

	open_site(&site, state);
	for (int closed = 0; closed < 2; closed++) {
		assert_int_equal(issue(&site, 10, closed, NULL), 0);
		assert_true(site.report.complete);
		assert_int_equal(site.report.requests, COUNT);
		assert_int_equal(site.report.bytes, COUNT * 4096);
		assert_int_equal(site.report.latency_ns.count, COUNT);
		assert_int_equal(site.report.lateness_ns.count,
				 closed ? 0 : COUNT);
		assert_int_equal(site.report.moved, 0);
		assert_int_equal(site.report.cut, 0);
	}
	close_site(&site);
}

static void a_schedule_is_never_ahead_of_its_times(void **state)
{
	struct site site;

	open_site(&site, state);
	assert_int_equal(issue(&site, 2, false, NULL), 0);
	assert_int_equal(site.report.schedule_ns, (COUNT - 1) * 10000);
	assert_true(site.report.elapsed_ns >= site.report.schedule_ns);
	assert_string_equal(io_replay_verdict(&site.report, true),
			    "no schedule");
	site.report.behind = COUNT / 100;
	assert_string_equal(io_replay_verdict(&site.report, false),
			    "on schedule");
	site.report.behind++;
	assert_string_equal(io_replay_verdict(&site.report, false),
			    "fell behind");
	close_site(&site);
}

static void no_more_are_in_flight_than_were(void **state)
{
	struct site site;

	open_site(&site, state);
	assert_int_equal(issue(&site, 1, true, NULL), 0);
	assert_true(site.report.inflight_max <= 4);
	for (size_t i = 0; i < COUNT; i++)
		site.requests[i].depth = 1;
	assert_int_equal(issue(&site, 1, true, NULL), 0);
	assert_int_equal(site.report.inflight_max, 1);
	/* There is room for four, and only the first was one of so many. */
	site.requests[0].depth = 4;
	assert_int_equal(issue(&site, 1, true, NULL), 0);
	assert_int_equal(site.report.inflight_max, 1);
	close_site(&site);
}

/* A device of 1 ms a request, one at a time: 20 take 20 ms at least. */
static void a_device_holds_them_back(void **state)
{
	struct device_profile profile = {
		.max_inflight = 1,
		.latency_ns = distribution_constant(1e6),
	};
	int64_t memory[1];
	struct device device;
	struct site site;

	open_site(&site, state);
	device_init(&device, &profile, 1, memory);
	assert_int_equal(issue(&site, 1e6, false, &device), 0);
	assert_true(site.report.elapsed_ns >= COUNT * INT64_C(1000000));
	assert_true(site.report.latency_ns.max >=
		    COUNT * UINT64_C(1000000) * 9 / 10);
	close_site(&site);
}

static void what_lies_elsewhere_is_moved(void **state)
{
	struct site site;

	open_site(&site, state);
	for (size_t i = 0; i < COUNT; i++) {
		site.requests[i].object = (uint32_t)i * 2654435761u;
		site.requests[i].offset_bytes = UINT64_MAX - i * 4096;
	}
	site.requests[7].bytes = UINT64_MAX;
	site.requests[8].bytes = 0;
	assert_int_equal(issue(&site, 1e6, false, NULL), 0);
	assert_int_equal(site.report.requests, COUNT);
	assert_int_equal(site.report.moved, COUNT);
	assert_int_equal(site.report.cut, 1);
	close_site(&site);
}

static void an_empty_target_is_refused(void **state)
{
	struct site site;

	open_site(&site, state);
	site.bytes[1] = 0;
	assert_int_equal(issue(&site, 1, false, NULL), -EINVAL);
	assert_non_null(strstr(site.fault.text, "nothing to read"));
	close_site(&site);
}

static void a_read_that_fails_is_named(void **state)
{
	struct site site;

	open_site(&site, state);
	assert_int_equal(ftruncate(site.files[1], 8192), 0);
	assert_int_equal(issue(&site, 1e6, false, NULL), -EIO);
	assert_non_null(strstr(site.fault.text, "object 1, offset "));
	assert_false(site.report.complete);
	close_site(&site);
}

static void one_that_is_stopped_is_not_complete(void **state)
{
	const atomic_bool stop = true;
	const struct io_replay_options options = { .speed = 1, .stop = &stop };
	struct site site;

	open_site(&site, state);
	assert_int_equal(io_replay_run(site.requests, COUNT, &site.target,
				       &options, &site.report, &site.fault),
			 0);
	assert_false(site.report.complete);
	close_site(&site);
}

#define IN_FOLDER(test)                                                        \
	cmocka_unit_test_setup_teardown(test, temp_setup, temp_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(every_request_is_issued_once),
		IN_FOLDER(a_schedule_is_never_ahead_of_its_times),
		IN_FOLDER(no_more_are_in_flight_than_were),
		IN_FOLDER(a_device_holds_them_back),
		IN_FOLDER(what_lies_elsewhere_is_moved),
		IN_FOLDER(an_empty_target_is_refused),
		IN_FOLDER(a_read_that_fails_is_named),
		IN_FOLDER(one_that_is_stopped_is_not_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
