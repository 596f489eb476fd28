/* SPDX-License-Identifier: MIT */
/* A calibration's profile as a file. */
#include <stdio.h>
#include <string.h>

#include "analysis/probe/calibration.h"
#include "analysis/value.h"
#include "traces/yaml.h"

#define NS_PER_S 1e9
#define BYTES_PER_MB 1e6

/* Of a long path the end is kept: a profile's texts have a limit. */
#define PATH_BYTES_MAX 100

/* Within double quotes. */
static void put_quoted(FILE *out, const char *text)
{
	size_t length = strlen(text);

	if (length > PATH_BYTES_MAX) {
		fputs("...", out);
		text += length - PATH_BYTES_MAX;
	}
	yaml_write_text(out, text);
}

static void put(FILE *out, const char *before, const char *unit, double value)
{
	char text[VALUE_TEXT_MAX];

	fprintf(out, "%s%s", before,
		value_human(METRIC_REAL, unit, value_real(value), text,
			    sizeof(text)));
}

static void put_source(FILE *out, const struct calibration *calibration)
{
	const struct fit_error *error = &calibration->held_out;

	fputs("source: \"echosim probe ", out);
	put_quoted(out, calibration->path);
	fprintf(out,
		" (%s, %s; error on points not fitted: median %.1f %%, "
		"p90 %.1f %%, max %.1f %%%s)\"\n",
		calibration->what, calibration->direct ? "direct" : "buffered",
		error->median * 100, error->p90 * 100, error->max * 100,
		calibration->complete ? "" : "; interrupted");
	fprintf(out, "as_of: %s\n", calibration->date);
}

static void put_bucket(FILE *out, const struct device_bucket *bucket)
{
	const struct bucket_profile *profile = &bucket->profile;

	fprintf(out, "buckets:\n  - {of: %s",
		bucket->of == BUCKET_OF_OPS ? "ops" : "bytes");
	fprintf(out, ", capacity: %.0f MB", profile->capacity / BYTES_PER_MB);
	fprintf(out, ", initial: %.0f MB", profile->initial / BYTES_PER_MB);
	put(out, ", baseline: ", "B/s", profile->baseline_per_s);
	put(out, ", peak: ", "B/s", profile->peak_per_s);
	fputs("}\n", out);
}

void calibration_yaml(FILE *out, const struct calibration *calibration)
{
	const struct device_profile *profile = &calibration->profile;
	const struct distribution *latency = &profile->latency_ns;
	const struct fit_law *law = &calibration->law;

	put_source(out, calibration);
	put(out, "bandwidth: ", "B/s", (double)profile->bandwidth_bytes_per_s);
	fputs(law->bytes_seen ? "\n" :
				" # no limit seen: the highest measured\n",
	      out);
	if (profile->stream_bandwidth_bytes_per_s) {
		put(out, "stream_bandwidth: ", "B/s",
		    (double)profile->stream_bandwidth_bytes_per_s);
		fputc('\n', out);
	}
	fprintf(out, "iops: %llu%s\n", (unsigned long long)profile->iops,
		law->iops_seen ? "" : " # no limit seen: the highest measured");
	put(out, "latency: {p50: ", "s", latency->p50 / NS_PER_S);
	put(out, ", p90: ", "s", latency->p90 / NS_PER_S);
	put(out, ", p99: ", "s", latency->p99 / NS_PER_S);
	put(out, ", p999: ", "s", latency->p999 / NS_PER_S);
	fputs("}\n", out);
	if (profile->bucket_count)
		put_bucket(out, &profile->buckets[0]);
}
