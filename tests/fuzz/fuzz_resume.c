/* SPDX-License-Identifier: MIT */
/*
 * An earlier result of a sweep, from hostile bytes. What is taken for one can
 * be written in every format.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/print.h"
#include "analysis/sweep/sweep.h"
#include "sim/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char base[] = "name: fuzz\n"
			   "dataset: {examples: 1000, example_bytes: 1 kB}\n"
			   "storage: {device: {bandwidth: 1 MB/s}}\n"
			   "pipeline: {batch_size: 10}\n"
			   "accelerator: {step_time: 10 ms}\n"
			   "run: {steps: 10}\n";

static void write_all(const struct sweep *sweep)
{
	static const struct notes notes;
	const struct sweep_report report = { .sweep = sweep, .notes = &notes };
	const struct text_style style = { 0 };
	struct document *document = sweep_document(&report);
	char *text;
	size_t length, i;
	FILE *out;

	for (i = 0; i < printer_count; i++) {
		out = open_memstream(&text, &length);
		CHECK(out);
		CHECK(!printer_table[i].print(out, document, &style));
		CHECK(!fclose(out));
		free(text);
	}
	document_free(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fault fault = { 0 };
	struct scenario scenario;
	struct sweep sweep = {
		.base.scenario = &scenario,
		.name = "fuzz",
		.repeat = 2,
		.axis_count = 1,
	};

	CHECK(!scenario_parse(&scenario, "fuzz", base, strlen(base), NULL, 0,
			      &fault));
	CHECK(!vary_parse(&sweep.axes[0], "storage.queue_depth=1,2", &fault));
	CHECK(!sweep_init(&sweep, &fault));
	if (sweep_resume(&sweep, "fuzz", (const char *)bytes, size, &fault))
		CHECK(fault.text[0]);
	sweep_finish(&sweep);
	write_all(&sweep);
	sweep_release(&sweep);
	vary_release(&sweep.axes[0]);
	return 0;
}
