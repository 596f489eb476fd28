/* SPDX-License-Identifier: MIT */
/* The catalogue of devices, file by file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/mistake.h"
#include "tests/support/temp.h"
#include "traces/devices.h"
#include "traces/nearest.h"
#include "traces/scenario.h"

#define FOLDER "traces/devices"

static struct scenario scenario;

/* Checks pass, in a scenario around it. */
static void parse(const char *name)
{
	char override[SCENARIO_TEXT_MAX];
	const char *overrides[] = { override };
	struct fault fault = { 0 };

	snprintf(override, sizeof(override), "storage.device=%s", name);
	if (scenario_parse(&scenario, "a.yaml", MISTAKE_LEAST,
			   strlen(MISTAKE_LEAST), overrides, 1, &fault))
		fail_msg("%s: %s", name, fault.text);
}

static void drop_line(const char *path, const char *start)
{
	char lines[64][256];
	size_t count = 0, i;
	FILE *file = fopen(path, "r+e");

	assert_non_null(file);
	while (count < 64 && fgets(lines[count], sizeof(lines[0]), file))
		if (strncmp(lines[count], start, strlen(start)) != 0)
			count++;
	assert_non_null(freopen(path, "we", file));
	for (i = 0; i < count; i++)
		fputs(lines[i], file);
	fclose(file);
}

static void every_device_is_right_and_says_where_it_comes_from(void **state)
{
	const struct device_facts *facts = &scenario.storage.facts;
	size_t i;

	(void)state;
	assert_true(devices.count >= 30);
	for (i = 0; i < devices.count; i++) {
		parse(devices.files[i].name);
		assert_string_equal(scenario.storage.device,
				    devices.files[i].name);
		if (!facts->description[0] || !facts->source[0])
			fail_msg("%s has no description or no source",
				 devices.files[i].name);
		/* A year, at least. */
		assert_memory_equal(facts->as_of, "20", 2);
		/* Where rates hang on a size, there is one. */
		assert_true(!scenario.storage.scale_count ==
			    !scenario.storage.size_bytes);
	}
}

/* Amounts that a default size leads to are written at their field too: who
 * reads the file sees what the device is. */
/* Amounts that follow from the default size are written at their field too:
 * who reads the file sees what the device is. So forget the rules. */
static void rules_give_what_the_file_says_for_its_size(void **state)
{
	static struct scenario plain;
	char path[TEMP_PATH_MAX], override[TEMP_PATH_MAX + 20];
	struct fault fault = { 0 };
	const char *text, *scale;
	size_t i, compared = 0;

	for (i = 0; i < devices.count; i++) {
		text = devices.files[i].text;
		scale = strstr(text, "\nscale:");
		if (!scale)
			continue;
		/* They come last. The size, alone, would have no effect. */
		temp_write(*state, "a.yaml", text, (size_t)(scale + 1 - text));
		drop_line(temp_name(*state, "a.yaml", path), "size:");
		snprintf(override, sizeof(override), "storage.device=%s", path);
		scenario_init(&plain);
		if (scenario_set(&plain, override, &fault))
			fail_msg("%s", fault.text);
		parse(devices.files[i].name);
		assert_memory_equal(&plain.storage.profile,
				    &scenario.storage.profile,
				    sizeof(plain.storage.profile));
		compared++;
	}
	assert_true(compared >= 8);
}

static void words_lead_to_the_nearest_names(void **state)
{
	static const struct {
		const char *word, *nearest;
	} cases[] = {
		{ "aws-ebs-gp4", "aws-ebs-gp2 or aws-ebs-gp3" },
		{ "gp3", "aws-ebs-gp3" },
		{ "p20", "azure-premium-p20" },
		{ "gcp", "gcs" },
		/* Three that are as near come before these. */
		{ "azure-premium-p61",
		  "azure-premium-p6 or azure-premium-p60" },
		{ "azure-permium-p30", "azure-premium-p30" },
		{ "nfs", "nfs-100gbe, nfs-100gbe-nconnect or nfs-10gbe" },
		{ "hdd", "hdd-7200rpm" },
		{ "x", "" },
		{ "", "" },
		{ "something else", "" },
	};
	char text[NEAREST_OFFERS_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(nearest_offers(cases[i].word, &devices,
						   text, sizeof(text)),
				    cases[i].nearest);
	/* In half the room, half of the answer. */
	nearest_offers("nfs", &devices, text, 8);
	assert_string_equal(text, "nfs-100");
}

static void names_are_found_and_in_order(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < devices.count; i++) {
		assert_ptr_equal(embedded_find(&devices, devices.files[i].name),
				 &devices.files[i]);
		assert_int_equal(strlen(devices.files[i].text),
				 devices.files[i].size);
		if (i)
			assert_true(strcmp(devices.files[i - 1].name,
					   devices.files[i].name) < 0);
	}
	assert_null(embedded_find(&devices, "aws-ebs-gp"));
	assert_null(embedded_find(&devices, ""));
}

/* The program holds the files as they are. */
static void the_program_holds_every_file(void **state)
{
	DIR *folder = opendir(FOLDER);
	const struct embedded_file *entry;
	char name[64], path[128], text[8192];
	struct dirent *file;
	size_t count = 0, size;
	FILE *stream;

	(void)state;
	assert_non_null(folder);
	while ((file = readdir(folder))) {
		if (!strstr(file->d_name, ".yaml"))
			continue;
		snprintf(name, sizeof(name), "%.*s",
			 (int)(strlen(file->d_name) - strlen(".yaml")),
			 file->d_name);
		snprintf(path, sizeof(path), FOLDER "/%.60s", file->d_name);
		entry = embedded_find(&devices, name);
		assert_non_null(entry);
		stream = fopen(path, "re");
		assert_non_null(stream);
		size = fread(text, 1, sizeof(text), stream);
		fclose(stream);
		assert_int_equal(size, entry->size);
		assert_memory_equal(text, entry->text, size);
		count++;
	}
	closedir(folder);
	assert_int_equal(count, devices.count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			every_device_is_right_and_says_where_it_comes_from),
		cmocka_unit_test_setup_teardown(
			rules_give_what_the_file_says_for_its_size, temp_setup,
			temp_teardown),
		cmocka_unit_test(words_lead_to_the_nearest_names),
		cmocka_unit_test(names_are_found_and_in_order),
		cmocka_unit_test(the_program_holds_every_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
