/* SPDX-License-Identifier: MIT */
/* The catalogue as a grid, for people and for programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/device_list.h"
#include "analysis/document/grid.h"
#include "tests/support/close.h"
#include "tests/support/printed.h"
#include "traces/devices.h"

static struct metric_value value_at(const char *device, const char *column)
{
	struct grid grid = device_grid();
	size_t row = 0, i = 0;

	while (strcmp(grid.cell(grid.context, row, 0).text, device) != 0)
		assert_true(++row < grid.row_count);
	while (strcmp(grid.columns[i].path, column) != 0)
		assert_true(++i < grid.column_count);
	return grid.cell(grid.context, row, i);
}

static void every_device_has_a_row_with_its_source(void **state)
{
	struct grid grid = device_grid();
	size_t i;

	(void)state;
	assert_string_equal(grid.name, "devices");
	assert_int_equal(grid.row_count, devices.count);
	for (i = 0; i < devices.count; i++) {
		const char *name = devices.files[i].name;

		assert_string_equal(grid.cell(grid.context, i, 0).text, name);
		assert_true(value_at(name, "source").known);
		assert_true(value_at(name, "as_of").known);
		assert_true(value_at(name, "description").known);
	}
}

/* As the vendors publish them. A limit that there is not is not known. */
static void figures_are_at_most_and_sustained(void **state)
{
	static const struct {
		const char *device, *column;
		double expected; /* below zero: not known */
	} cases[] = {
		{ "aws-ebs-gp2", "iops", 3000 },
		{ "aws-ebs-gp2", "sustained_iops", 1500 },
		{ "aws-ebs-gp2", "bandwidth_bytes_per_s", 250 * 0x1p20 },
		{ "aws-ebs-st1", "bandwidth_bytes_per_s", 500 * 0x1p20 },
		{ "aws-ebs-st1", "sustained_bytes_per_s", 80 * 0x1p20 },
		{ "aws-ebs-st1", "iops", -1 },
		{ "azure-premium-p20", "bandwidth_bytes_per_s", 170e6 },
		{ "azure-premium-p20", "sustained_bytes_per_s", 150e6 },
		{ "azure-premium-p20", "sustained_iops", 2300 },
		{ "aws-s3-standard", "bandwidth_bytes_per_s", -1 },
		{ "aws-s3-standard", "latency_p50_s", 0.030 },
		{ "nvme-pcie3", "latency_p50_s", 71e-6 },
		/* 7.4 ms, half a turn, 0.1 ms. */
		{ "hdd-7200rpm", "iops", 1 / 0.0116667 },
		{ "hdd-7200rpm", "bandwidth_bytes_per_s", 255e6 },
	};
	struct metric_value value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		value = value_at(cases[i].device, cases[i].column);
		assert_int_equal(value.known, cases[i].expected >= 0);
		if (value.known)
			assert_close(value.real / cases[i].expected, 1, 1e-5);
	}
	assert_int_equal(value_at("aws-ebs-gp2", "size_bytes").count,
			 UINT64_C(500) << 30);
	assert_false(value_at("nvme-pcie3", "size_bytes").known);
}

static void assumptions_are_marked(void **state)
{
	(void)state;
	assert_true(value_at("aws-ebs-gp3", "unverified").known);
	assert_false(value_at("nvme-pcie3", "unverified").known);
	assert_non_null(strstr(value_at("aws-ebs-gp3", "about").text,
			       "Unverified: latency: AWS says"));
	assert_null(strstr(value_at("nvme-pcie3", "about").text, "Unverified"));
}

static void prices_are_said_where_they_are_known(void **state)
{
	(void)state;
	assert_string_equal(value_at("aws-ebs-gp3", "price").text,
			    "0.08 USD per GiB a month, 0.03815 USD per MB/s a "
			    "month beyond 125 MiB/s, 0.005 USD per IOPS a "
			    "month beyond 3000");
	assert_non_null(strstr(value_at("aws-ebs-gp2", "about").text,
			       "Price: 0.1 USD per GiB a month."));
	assert_false(value_at("nvme-pcie3", "price").known);
	assert_null(strstr(value_at("nvme-pcie3", "about").text, "Price"));
}

static void limits_are_said_in_words(void **state)
{
	static const char *const pieces[][2] = {
		{ "aws-ebs-gp2", "figures for a size of 500.0 GiB" },
		/* 5.4 million at 1,500 a second. */
		{ "aws-ebs-gp2", "operations burst from a credit of 5.400M for "
				 "60.00 min" },
		{ "aws-ebs-gp2", "an operation per 256 KiB" },
		{ "azure-premium-p20", "for 30.00 min; bytes burst" },
		{ "aws-efs-bursting", "500 MiB/s a host" },
		{ "aws-efs-bursting", "a read counts as 4 KiB or more" },
		{ "aws-s3-standard", "90 MB/s a request" },
		{ "nfs-10gbe", "64 requests in flight" },
		{ "gcs", "5000 operations at first, twice as many every 20.00 "
			 "min" },
		{ "hdd-7200rpm", "7200 rpm, seek 7.400 ms" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		if (!strstr(value_at(pieces[i][0], "limits").text,
			    pieces[i][1]))
			fail_msg("%s: \"%s\" has no \"%s\"", pieces[i][0],
				 value_at(pieces[i][0], "limits").text,
				 pieces[i][1]);
	assert_false(value_at("nvme-pcie3", "limits").known);
}

static char *written(const char *printer)
{
	struct grid grid = device_grid();

	return printed(grid_document(&grid), printer);
}

/* All words stand below a device's figures for people, and in columns of their
 * own for programs. */
static void people_and_programs_get_their_own_words(void **state)
{
	char *text = written("text");
	char *json = written("json");
	char *csv = written("csv");

	(void)state;
	assert_non_null(strstr(text, "Local NVMe SSD, PCIe 3"));
	assert_null(strstr(text, "description"));
	assert_non_null(strstr(json, "\"description\": \"Local NVMe SSD"));
	assert_memory_equal(csv, "name,", 5);
	assert_null(strstr(csv, ",about\n"));
	assert_non_null(strstr(csv, ",price\n"));
	free(text);
	free(json);
	free(csv);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_device_has_a_row_with_its_source),
		cmocka_unit_test(figures_are_at_most_and_sustained),
		cmocka_unit_test(assumptions_are_marked),
		cmocka_unit_test(prices_are_said_where_they_are_known),
		cmocka_unit_test(limits_are_said_in_words),
		cmocka_unit_test(people_and_programs_get_their_own_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
