/* SPDX-License-Identifier: MIT */
#include "traces/workload/print.h"

#include <string.h>

#include "traces/distribution_text.h"
#include "traces/units.h"
#include "traces/yaml.h"

#define STEPS_DEFAULT 500 /* an epoch by the benchmark's rule */
#define LINE_COLUMNS 78

/* Words as comment lines at an indentation. */
static void comment(FILE *out, const char *indent, const char *words)
{
	size_t column = 0, length;

	while (*words) {
		length = strcspn(words, " ");
		if (column && column + 1 + length > LINE_COLUMNS) {
			fputc('\n', out);
			column = 0;
		}
		if (!column)
			column = (size_t)fprintf(out, "%s#", indent);
		column += (size_t)fprintf(out, " %.*s", (int)length, words);
		words += length;
		words += strspn(words, " ");
	}
	fputc('\n', out);
}

static const char *amount(enum units_kind kind, double value, char *text)
{
	return units_print(kind, (uint64_t)(value + 0.5), text, 32);
}

static void put_distribution(FILE *out, enum units_kind kind,
			     const struct distribution *distribution)
{
	char text[DISTRIBUTION_WRITE_MAX];

	fprintf(out, "%s\n",
		distribution_write(distribution, kind, text, sizeof(text)));
}

/* ---- sections ---- */

/* Samples that are drawn one by one from files that have an index. */
static bool reads_samples(const struct workload *workload)
{
	return workload->sample_shuffle && workload->samples_per_file > 1 &&
	       strcmp(workload->loader, "tensorflow") != 0;
}

static void put_dataset(FILE *out, const struct workload *workload,
			const struct workload_setting *setting)
{
	struct distribution bytes = distribution_constant(
		(double)(uint64_t)(workload->record_bytes + 0.5));
	struct workload_size size;
	char said[WORKLOAD_SAID_MAX], text[32];

	workload_size(workload, setting, &size);
	fputs("dataset:\n", out);
	comment(out, "  ", workload_say_size(workload, setting, &size, said));
	fprintf(out, "  examples: %llu\n", (unsigned long long)size.samples);
	if (workload->record_stdev_bytes > 0) {
		bytes.kind = DISTRIBUTION_LOGNORMAL;
		bytes.stdev = workload->record_stdev_bytes;
		comment(out, "  ",
			"assumed: lognormal, which has no sizes below zero; "
			"DLIO draws normal ones. Mean and spread are the "
			"file's.");
	}
	fputs("  example_bytes: ", out);
	put_distribution(out, UNITS_BYTES, &bytes);
	if (workload->record_bytes < workload->stored_bytes)
		comment(out, "  ",
			"the columns that are read; the others are skipped");
	if (workload->old_record_bytes > 0)
		comment(out, "  ",
			"from dataset.record_length: today's DLIO reads "
			"record_length_bytes and would take 64 KiB");
	fprintf(out, "  shard_examples: %llu # samples in a file\n",
		(unsigned long long)workload->samples_per_file);
	if (reads_samples(workload))
		fprintf(out,
			"  block_bytes: %s # assumed: any sample can be "
			"read alone\n",
			amount(UNITS_BYTES, workload->record_bytes, text));
}

static const char *order_of(const struct workload *workload)
{
	if (reads_samples(workload))
		return "random";
	return workload->file_shuffle || workload->sample_shuffle ?
		       "shuffled-shards" :
		       "sequential";
}

/* Does PyTorch's DataLoader carry the work? In DLIO's other loaders threads
 * read and prepare samples. */
static bool is_pytorch(const struct workload *workload)
{
	return strcmp(workload->loader, "pytorch") == 0;
}

static uint64_t threads_of(const struct workload *workload)
{
	return workload->read_threads ? workload->read_threads : 1;
}

/* What a kind of storage stands for in the catalogue: DLIO says no more. */
static const struct {
	const char *kind;
	const char *device;
} kinds_of_storage[] = {
	{ "s3", "aws-s3-standard" },
};

static void put_device(FILE *out, const struct workload *workload,
		       const struct workload_setting *setting)
{
	size_t i;

	for (i = 0; i < sizeof(kinds_of_storage) / sizeof(kinds_of_storage[0]);
	     i++) {
		if (setting->device ||
		    strcmp(kinds_of_storage[i].kind, workload->storage) != 0)
			continue;
		fprintf(out,
			"  device: %s # storage_type: %s; whose store, the "
			"file does not say\n",
			kinds_of_storage[i].device, workload->storage);
		return;
	}
	if (setting->device)
		fprintf(out, "  device: %s\n", setting->device);
	else
		fprintf(out, "  device: %s # assumed: %s%s names none\n",
			WORKLOAD_DEVICE,
			workload->storage[0] ? "storage_type: " :
					       "a workload file",
			workload->storage);
}

static void put_storage(FILE *out, const struct workload *workload,
			const struct workload_setting *setting)
{
	char text[32];

	fputs("storage:\n", out);
	put_device(out, workload, setting);
	fprintf(out, "  order: %s\n", order_of(workload));
	if (workload->transfer_bytes)
		fprintf(out, "  request_bytes: %s\n",
			amount(UNITS_BYTES, (double)workload->transfer_bytes,
			       text));
	else if (reads_samples(workload) || workload->samples_per_file == 1)
		fputs("  request_bytes: 1 GiB # assumed: a sample is asked "
		      "for in one go\n",
		      out);
	if (is_pytorch(workload))
		return;
	comment(out, "  ",
		"assumed: each of the accelerators' read_threads has one "
		"request in flight");
	fprintf(out, "  queue_depth: %llu\n",
		(unsigned long long)(threads_of(workload) *
				     setting->accelerators));
}

/* DLIO gives its DataLoader prefetch_size over all workers, rounded up, or 2
 * when that is 0; keeps the workers, and gives no sample twice. */
static void put_loader(FILE *out, const struct workload *workload)
{
	uint64_t threads = threads_of(workload);
	uint64_t prefetch =
		(workload->prefetch_batches + threads - 1) / threads;

	fputs("  loader:\n    like: pytorch # data_loader\n", out);
	fprintf(out, "    workers: %llu # read_threads, of each accelerator\n",
		(unsigned long long)workload->read_threads);
	fprintf(out, "    prefetch_factor: %llu # of prefetch_size %llu\n",
		(unsigned long long)(prefetch ? prefetch : 2),
		(unsigned long long)workload->prefetch_batches);
	fputs("    restart: run # persistent_workers, in DLIO\n"
	      "    pad: false # DLIO's sampler gives no sample twice\n",
	      out);
}

static void put_pipeline(FILE *out, const struct workload *workload,
			 const struct workload_setting *setting)
{
	uint64_t prefetch =
		workload->prefetch_batches ? workload->prefetch_batches : 1;
	bool pytorch = is_pytorch(workload);

	fputs("pipeline:\n", out);
	if (pytorch)
		put_loader(out, workload);
	if (!distribution_is_zero(&workload->decode_ns)) {
		fputs("  decode:\n", out);
		if (!pytorch)
			fprintf(out, "    workers: %llu # read_threads\n",
				(unsigned long long)(threads_of(workload) *
						     setting->accelerators));
		fputs("    time: ", out);
		put_distribution(out, UNITS_TIME, &workload->decode_ns);
	}
	if (workload->sample_shuffle && !reads_samples(workload) &&
	    strcmp(workload->loader, "tensorflow") == 0)
		fprintf(out, "  shuffle_examples: %llu\n",
			(unsigned long long)(workload->shuffle_examples *
					     setting->accelerators));
	fprintf(out, "  batch_size: %llu\n",
		(unsigned long long)workload->batch_size);
	if (!pytorch)
		fprintf(out,
			"  prefetch_batches: %llu # of each accelerator %llu\n",
			(unsigned long long)(prefetch * setting->accelerators),
			(unsigned long long)prefetch);
}

static void put_accelerator(FILE *out, const struct workload *workload,
			    const struct workload_setting *setting)
{
	fputs("accelerator:\n", out);
	fprintf(out, "  count: %u\n  hosts: %u\n", setting->accelerators,
		setting->hosts);
	fputs("  step_time: ", out);
	put_distribution(out, UNITS_TIME, &workload->step_ns);
	fprintf(out,
		"  # An accelerator that never waits consumes %.4g MB/s.\n",
		workload_demand_bytes_per_s(workload) / 1e6);
	if (workload->au_target > 0)
		fprintf(out, "  # Its goal: --require 'au>=%g'\n",
			workload->au_target);
}

/* 0: an epoch has fewer samples than a step takes. */
static uint64_t epoch_steps(const struct workload *workload,
			    const struct workload_setting *setting)
{
	uint64_t batch = setting->batch_size ? setting->batch_size :
					       workload->batch_size;
	struct workload_size size;

	workload_size(workload, setting, &size);
	return size.samples / (batch * setting->accelerators * setting->hosts);
}

uint64_t workload_steps(const struct workload *workload,
			const struct workload_setting *setting)
{
	uint64_t epoch = epoch_steps(workload, setting);

	if (workload->steps)
		return workload->steps;
	if (epoch && epoch < STEPS_DEFAULT / workload->epochs)
		return epoch * workload->epochs;
	return STEPS_DEFAULT;
}

static void put_run(FILE *out, const struct workload *workload,
		    const struct workload_setting *setting)
{
	uint64_t epoch = epoch_steps(workload, setting);
	uint64_t steps = workload_steps(workload, setting);

	fputs("run:\n", out);
	if (epoch)
		fprintf(out,
			"  # An epoch has %llu steps; the file trains %llu.\n",
			(unsigned long long)epoch,
			(unsigned long long)workload->epochs);
	else
		fputs("  # An epoch has fewer samples than a step takes.\n",
		      out);
	if (!setting->own_end)
		fprintf(out, "  steps: %llu\n", (unsigned long long)steps);
	if (steps <= workload->warmup_steps)
		fputs("  warmup_steps: 0 # so short a run has none to spare\n",
		      out);
	else
		fprintf(out, "  warmup_steps: %llu\n",
			(unsigned long long)workload->warmup_steps);
}

/* In double quotes; the texts are plain ASCII (traces/workload/value.c). */
static void put_name(FILE *out, const char *name)
{
	fputs("name: \"", out);
	yaml_write_text(out, name);
	fputs("\"\n", out);
}

/* What DLIO takes for keys that are not given is assumed as well. */
static void put_defaults(FILE *out, const struct workload_keys *keys)
{
	char words[1024] = "assumed, as DLIO does where a key is not given:";
	size_t start = strlen(words), used = start, i;

	for (i = 0; i < workload_key_count; i++) {
		const struct workload_key *row = &workload_key_table[i];

		if (keys->seen[i] || !row->fallback || !row->fallback[0] ||
		    strstr(row->name, "record_length") || used >= sizeof(words))
			continue;
		used += (size_t)snprintf(words + used, sizeof(words) - used,
					 "%s %s %s", used > start ? "," : "",
					 row->name, row->fallback);
	}
	if (used > start)
		comment(out, "", words);
}

void workload_print(FILE *out, const struct workload *workload,
		    const struct workload_keys *keys,
		    const struct workload_setting *setting)
{
	const char *name = setting->name ? setting->name : workload->model;

	fputs("# Made by echosim of a DLIO workload. What the workload does "
	      "not say is\n# called assumed.\n",
	      out);
	if (workload->source[0]) {
		fputs("# Source: ", out);
		fprintf(out, "%s (%s)\n", workload->source, workload->as_of);
	}
	if (keys)
		put_defaults(out, keys);
	put_name(out, name[0] ? name : "workload");
	fprintf(out, "seed: %llu\n", (unsigned long long)workload->seed);
	put_dataset(out, workload, setting);
	put_storage(out, workload, setting);
	put_pipeline(out, workload, setting);
	put_accelerator(out, workload, setting);
	put_run(out, workload, setting);
}
