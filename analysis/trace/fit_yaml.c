/* SPDX-License-Identifier: MIT */
/* A model that was fitted to a trace, as a scenario. */
#include <math.h>
#include <string.h>

#include "analysis/text.h"
#include "analysis/trace/fit.h"
#include "traces/distribution_text.h"
#include "traces/scenario.h"
#include "traces/units.h"
#include "traces/yaml.h"

#define NAME_BYTES_MAX 100
#define GIB 0x1p30

static double lesser(double a, double b)
{
	return a < b ? a : b;
}

static double greater(double a, double b)
{
	return a > b ? a : b;
}

static const char *percent(double share, char *text, size_t size)
{
	if (isnan(share))
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%.1f %%", share * 100);
	return text;
}

static const char *amount(enum units_kind kind, double value, char *text)
{
	return units_print(kind, (uint64_t)(value + 0.5), text, 32);
}

/* "  key: VALUE # n values; error on those held out: ..." */
static void put_shape(FILE *out, const char *key, enum units_kind kind,
		      const struct shape_fit *fit)
{
	char text[DISTRIBUTION_WRITE_MAX], mean[24], quantile[24];

	if (!fit->known || distribution_mean(&fit->distribution) < 1) {
		fprintf(out, "  %s: %s # assumed: the trace has none\n", key,
			kind == UNITS_TIME ? "1 ms" : "100 kB");
		return;
	}

	fprintf(out,
		"  # %llu values; error on the half not fitted: mean %s, "
		"quantiles %s\n",
		(unsigned long long)fit->count,
		percent(fit->mean_error, mean, sizeof(mean)),
		percent(fit->quantile_error, quantile, sizeof(quantile)));
	fprintf(out, "  %s: %s\n", key,
		distribution_write(&fit->distribution, kind, text,
				   sizeof(text)));
}

static double mean_bytes(const struct shape_fit *fit)
{
	double mean = fit->known ? distribution_mean(&fit->distribution) : 0;

	return mean < 1 ? 1 : mean > GIB ? GIB : mean;
}

/* The size of an example: as a stage saw it, or that of a request, or of a part
 * of one. Returns the mean. */
static double put_example(FILE *out, const struct trace_model *model)
{
	double bytes = mean_bytes(&model->request_bytes);
	char text[32];

	if (model->example_bytes.known) {
		put_shape(out, "example_bytes", UNITS_BYTES,
			  &model->example_bytes);
		return mean_bytes(&model->example_bytes);
	}
	if (model->known.example_bytes > 0) {
		bytes = lesser(greater(model->known.example_bytes, 1), GIB);
		fprintf(out, "  example_bytes: %s # the mean, as recorded\n",
			amount(UNITS_BYTES, bytes, text));
		return bytes;
	}
	if (model->request_examples > 1) {
		bytes = greater(bytes / (double)model->request_examples, 1);
		fprintf(out,
			"  # assumed: all of one size, %llu in a request, so "
			"that batches come out even\n  example_bytes: %s\n",
			(unsigned long long)model->request_examples,
			amount(UNITS_BYTES, bytes, text));
		return bytes;
	}
	fputs("  # assumed: each request reads one example; the trace has "
	      "none of\n  # their sizes\n",
	      out);
	put_shape(out, "example_bytes", UNITS_BYTES, &model->request_bytes);
	return bytes;
}

static void put_dataset(FILE *out, const struct trace_model *model)
{
	double block = mean_bytes(&model->request_bytes);
	bool recorded = model->known.examples && model->known.shard_examples;
	double bytes, in_shard, examples;
	char text[32];

	fputs("dataset:\n", out);
	bytes = put_example(out, model);
	in_shard =
		(double)(uint64_t)((double)model->object_bytes / bytes + 0.5);
	in_shard = lesser(greater(in_shard, 1), 1e9);
	examples = lesser(in_shard * greater((double)model->objects, 1), 1e12);
	if (recorded) {
		in_shard = (double)model->known.shard_examples;
		examples = (double)model->known.examples;
	}
	fprintf(out,
		"  # %llu objects, the largest read as far as %s%s\n"
		"  examples: %.0f\n  shard_examples: %.0f\n",
		(unsigned long long)model->objects,
		units_print(UNITS_BYTES, model->object_bytes, text,
			    sizeof(text)),
		recorded ? "; as recorded:" : "", examples, in_shard);
	if (model->block_bytes.known)
		block = mean_bytes(&model->block_bytes);
	/* A little more, so that all its examples have room for sure. */
	fprintf(out, "  block_bytes: %s # %s\n",
		amount(UNITS_BYTES, lesser(block + bytes / 4, GIB), text),
		model->block_bytes.known ? "as decompressed" :
					   "assumed: a request is one block");
}

/* ---- device ---- */

static void put_limit(FILE *out, const char *key, bool seen,
		      enum units_kind kind, uint64_t value, double reached)
{
	char text[32];

	if (seen)
		fprintf(out, "    %s: %s\n", key,
			units_print(kind, value, text, sizeof(text)));
	else if (reached > 0)
		fprintf(out, "    # %s: none met, up to %s\n", key,
			amount(kind, reached, text));
	else
		fprintf(out, "    # %s: none met\n", key);
}

static void put_classes(FILE *out, const struct device_fit *fit)
{
	char bytes[32];
	size_t i;

	fputs("    # From issue to end, by size and by requests in flight:\n"
	      "    #   size from  depth from   requests   p50 ms   p90 ms   "
	      "p99 ms\n",
	      out);
	for (i = 0; i < fit->class_count; i++)
		fprintf(out, "    # %11s %11u %10llu %8.3g %8.3g %8.3g\n",
			units_print(UNITS_BYTES, fit->classes[i].bytes_low,
				    bytes, sizeof(bytes)),
			fit->classes[i].depth_low,
			(unsigned long long)fit->classes[i].count,
			fit->classes[i].p50_s * 1e3,
			fit->classes[i].p90_s * 1e3,
			fit->classes[i].p99_s * 1e3);
}

/* Where more requests in flight bring no more: bandwidth or operations times
 * the time that one takes alone. */
static void put_knee(FILE *out, const struct trace_model *model)
{
	const struct device_profile *profile = &model->device.profile;
	double bytes = mean_bytes(&model->request_bytes);
	double latency_s = distribution_mean(&profile->latency_ns) / 1e9;
	double knee = INFINITY;

	if (profile->bandwidth_bytes_per_s)
		knee = (double)profile->bandwidth_bytes_per_s / bytes *
			       latency_s +
		       1;
	if (profile->iops)
		knee = lesser(knee, (double)profile->iops * latency_s + 1);
	if (isfinite(knee))
		fprintf(out,
			"    # With requests of the mean size %.3g in flight "
			"reach the limit.\n",
			knee);
}

static void put_device(FILE *out, const struct trace_model *model)
{
	const struct device_fit *fit = &model->device;
	char text[DISTRIBUTION_WRITE_MAX], mean[24];

	fputs("  device:\n", out);
	if (!fit->known) {
		fputs("    # assumed: the trace has too few requests with "
		      "times\n    bandwidth: 1 GB/s\n",
		      out);
		return;
	}
	fprintf(out,
		"    # fitted to %zu requests; error of the time from issue "
		"to end on the\n    # half not fitted: mean %s, p50, p90 and "
		"p99 at most %.1f %%\n",
		fit->count / 2, percent(fit->mean_error, mean, sizeof(mean)),
		fit->quantiles.max * 100);
	put_limit(out, "bandwidth", fit->bandwidth_seen, UNITS_RATE,
		  fit->profile.bandwidth_bytes_per_s, fit->bytes_per_s);
	put_limit(out, "stream_bandwidth", fit->stream_seen, UNITS_RATE,
		  fit->profile.stream_bandwidth_bytes_per_s, 0);
	put_limit(out, "iops", fit->iops_seen, UNITS_COUNT, fit->profile.iops,
		  fit->requests_per_s);
	if (fit->one_size)
		fputs("    # All requests are of one size: a limit on bytes "
		      "may be one on operations.\n",
		      out);
	put_limit(out, "max_inflight", fit->inflight_seen, UNITS_COUNT,
		  fit->profile.max_inflight, 0);
	fprintf(out, "    latency: %s\n",
		distribution_write(&fit->profile.latency_ns, UNITS_TIME, text,
				   sizeof(text)));
	put_knee(out, model);
	put_classes(out, fit);
}

static void put_share(FILE *out, double share, uint64_t count, const char *what)
{
	if (count)
		fprintf(out, "  # %.1f %% of %llu %s\n", share * 100,
			(unsigned long long)count, what);
}

static void put_order(FILE *out, const struct trace_model *model)
{
	const struct sequence *sequence = &model->sequence;

	put_share(out, sequence->sequential, sequence->pairs,
		  "requests go on where the last one in their object ended");
	put_share(out, sequence->ascending, sequence->switches,
		  model->known.numbered ?
			  "changes of object go to the next one" :
			  "returns to an object go to the next one");
	if (!model->requests)
		fputs("  # assumed: the trace has no requests\n", out);
	else if (sequence->assumed)
		fputs("  # assumed: objects are numbered as they were met, so "
		      "that being read once\n  # tells nothing of their "
		      "order\n",
		      out);
	fprintf(out, "  order: %s%s\n", read_order_name(sequence->order),
		model->known.order[0] ? " # as recorded" : "");
}

static bool reads_block_by_block(enum read_order order)
{
	return order == ORDER_RANDOM || order == ORDER_SHUFFLED_BLOCKS;
}

static void put_storage(FILE *out, const struct trace_model *model)
{
	double bytes = greater(mean_bytes(&model->request_bytes), 512);
	double block;
	uint32_t hosts = model->hosts;
	uint32_t depth = (model->device.depth_max + hosts - 1) / hosts;
	char text[32];

	fputs("storage:\n", out);
	put_order(out, model);
	/* Without blocks of the trace's own, a block is a request. */
	block = model->block_bytes.known ? mean_bytes(&model->block_bytes) :
					   bytes;
	if (reads_block_by_block(model->sequence.order))
		fputs("  request_bytes: 1 GiB # one block each, in one go\n",
		      out);
	else
		fprintf(out, "  request_bytes: %s # and half a block\n",
			amount(UNITS_BYTES, lesser(bytes + block / 2, GIB),
			       text));
	fprintf(out, "  queue_depth: %.0f # in flight at once\n",
		lesser(greater(depth, 1), 16384));
	put_device(out, model);
}

/* ---- pipeline ---- */

static void put_stage(FILE *out, const char *name,
		      const struct trace_stage *stage)
{
	char text[DISTRIBUTION_WRITE_MAX];

	if (!stage->time_ns.known ||
	    distribution_mean(&stage->time_ns.distribution) < 1)
		return;
	fprintf(out, "  %s:\n    workers: %u # busy at once\n", name,
		stage->workers);
	fprintf(out, "    time: %s\n",
		distribution_write(&stage->time_ns.distribution, UNITS_TIME,
				   text, sizeof(text)));
}

/* One worker that makes a batch whenever the trace had one. */
static void put_unexplained(FILE *out, const struct trace_model *model)
{
	double every_ns = 1e9 / model->own.steps_per_s / model->accelerators;
	char text[32];

	fprintf(out,
		"  # assumed: what else the accelerators waited for, which the "
		"trace does not\n  # tell, is one worker that makes a batch "
		"as often as the trace has one\n"
		"  collate:\n    workers: 1\n    time: %s\n",
		amount(UNITS_TIME, lesser(greater(every_ns, 1), 3600e9), text));
}

static void put_batch(FILE *out, const struct trace_model *model)
{
	uint64_t size = model->batch_size ? model->batch_size : 1;
	const char *why = "";

	if (!model->batch_size)
		why = " # assumed: the trace has no batches";
	else if (model->known.batch_size)
		why = " # as recorded";
	else if (model->batch_guessed && !model->requests)
		why = " # assumed: the trace does not tell";
	else if (model->batch_guessed)
		why = " # assumed: as few as make requests come out even";
	fprintf(out, "  batch_size: %llu%s\n", (unsigned long long)size, why);
}

static void put_pipeline(FILE *out, const struct trace_model *model)
{
	fputs("pipeline:\n", out);
	put_stage(out, "decompress", &model->stages[STAGE_DECOMPRESS]);
	put_stage(out, "decode", &model->stages[STAGE_DECODE]);
	put_stage(out, "augment", &model->stages[STAGE_AUGMENT]);
	put_stage(out, "collate", &model->stages[STAGE_COLLATE]);
	if (model->unexplained)
		put_unexplained(out, model);
	put_batch(out, model);
	fprintf(out, "  prefetch_batches: %u # assumed\n",
		2 * (model->accelerators ? model->accelerators : 1));
}

static void put_accelerator(FILE *out, const struct trace_model *model)
{
	double every_s = 1;
	char text[32];

	fprintf(out, "accelerator:\n  count: %u\n  hosts: %u\n",
		model->accelerators ? model->accelerators : 1, model->hosts);
	if (model->between_waits)
		fputs("  # from one wait for a batch to the next: the trace "
		      "has no steps\n",
		      out);
	if (model->step_ns.known) {
		put_shape(out, "step_time", UNITS_TIME, &model->step_ns);
		return;
	}
	if (model->requests && model->seconds > 0)
		every_s =
			model->seconds / (double)model->requests * model->hosts;
	fprintf(out,
		"  # assumed: the trace has no steps; this one asks as often "
		"as it was read\n  step_time: %s\n",
		amount(UNITS_TIME, lesser(greater(every_s * 1e9, 1), 3600e9),
		       text));
}

static void put_run(FILE *out, const struct trace_model *model)
{
	uint64_t steps = model->steps;

	fputs("run:\n", out);
	if (!steps)
		fputs("  steps: 500 # assumed\n", out);
	else if (steps == 1)
		fputs("  steps: 1\n  warmup_steps: 0\n", out);
	else
		fprintf(out, "  steps: %llu\n", (unsigned long long)steps);
}

/* Within double quotes. */
static void put_name(FILE *out, const char *name)
{
	size_t length = strlen(name);

	if (length > NAME_BYTES_MAX)
		name += length - NAME_BYTES_MAX;
	yaml_write_text(out, name);
}

void trace_fit_caution(const struct trace_model *model,
		       char text[TRACE_FIT_CAUTION_MAX])
{
	const struct device_fit *device = &model->device;
	FILE *out = fmemopen(text, TRACE_FIT_CAUTION_MAX, "w");
	const char *comma = "";

	text[0] = '\0';
	if (!out)
		return;
	if (!device->known) {
		fprintf(out,
			"fewer than %d requests have times, so the device is "
			"assumed and au says nothing of this storage",
			DEVICE_REQUESTS_MIN);
		comma = "; ";
	} else if (device->count < TRACE_FIT_REQUESTS_FEW) {
		fprintf(out,
			"the device rests on %zu requests; below %d the "
			"slowest "
			"hundredth is fewer than 5 of those fitted to",
			device->count, TRACE_FIT_REQUESTS_FEW);
		comma = "; ";
	}
	if (!model->step_ns.known)
		fprintf(out,
			"%sno steps in the trace, so step_time is how often it "
			"was read and au is near 1 by construction: set "
			"accelerator.step_time to what a step computes",
			comma);
	fclose(out);
}

static void put_caution(FILE *out, const struct trace_model *model)
{
	char text[TRACE_FIT_CAUTION_MAX];

	trace_fit_caution(model, text);
	if (text[0])
		text_paragraph(out, "# Caution: ", "# ", text);
}

static void put_left_out(FILE *out, uint64_t count, const char *what)
{
	if (count)
		fprintf(out, "# %llu requests %s; they are left out.\n",
			(unsigned long long)count, what);
}

void trace_fit_print(FILE *out, const struct trace_model *model,
		     const char *source)
{
	fprintf(out,
		"# Fitted by echosim to a trace of %llu events in %.6g s. "
		"What the trace does\n# not hold is called assumed.\n",
		(unsigned long long)model->events, model->seconds);
	if (model->cached_requests)
		fprintf(out,
			"# %llu requests had bytes from a cache and say "
			"nothing of the device.\n",
			(unsigned long long)model->cached_requests);
	put_left_out(out, model->written_requests, "are writes");
	put_left_out(out, model->endless_requests, "have no end");
	put_left_out(out, model->unusable_requests,
		     "were repeated, failed or have no times");
	put_caution(out, model);
	fputs("name: \"fitted to ", out);
	put_name(out, source);
	fputs("\"\n", out);
	put_dataset(out, model);
	put_storage(out, model);
	put_pipeline(out, model);
	put_accelerator(out, model);
	put_run(out, model);
}
