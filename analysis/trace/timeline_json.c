/* SPDX-License-Identifier: MIT */
#include "analysis/trace/timeline_json.h"

#include "analysis/trace/perfetto.h"

static int name_all(struct perfetto *perfetto,
		    const struct accelerators *accelerators)
{
	uint32_t i;
	int error = perfetto_name_host(perfetto, accelerators->hosts - 1);

	for (i = 0; !error && i < accelerators->count * accelerators->hosts;
	     i++)
		perfetto_name_accelerator(perfetto, i / accelerators->count, i);
	return error;
}

static void put_samples(struct perfetto *perfetto,
			const struct samples *samples)
{
	const struct engine_levels *levels;
	int64_t at_ns;
	size_t i;

	for (i = 0; i < samples->count; i++) {
		levels = &samples->at[i];
		at_ns = samples->start_ns + (int64_t)i * samples->distance_ns;
		perfetto_count(perfetto, at_ns, "requests in flight",
			       levels->requests);
		perfetto_count(perfetto, at_ns, "blocks to decompress",
			       levels->waiting[STAGE_READ]);
		perfetto_count(perfetto, at_ns, "examples to decode",
			       levels->waiting[STAGE_DECOMPRESS]);
		perfetto_count(perfetto, at_ns, "examples decoded",
			       levels->waiting[STAGE_DECODE]);
		perfetto_count(perfetto, at_ns, "examples in shuffle buffers",
			       levels->shuffled_examples);
		perfetto_count(perfetto, at_ns, "examples augmented",
			       levels->waiting[STAGE_AUGMENT]);
		perfetto_count(perfetto, at_ns, "read-ahead credit in use",
			       levels->ahead_examples);
		perfetto_count(perfetto, at_ns, "batches ready",
			       levels->batches);
		perfetto_count(perfetto, at_ns, "accelerators busy",
			       levels->stepping);
	}
}

static int put_stretch(struct perfetto *perfetto, const struct stretch *stretch)
{
	size_t i;
	int put;

	for (i = 0; i < stretch->count; i++) {
		put = perfetto_put(perfetto, &stretch->events[i]);
		if (put < 0)
			return put;
	}
	put_samples(perfetto, &stretch->samples);
	return 0;
}

int timeline_write(FILE *out, const struct timeline *timeline,
		   const struct pipeline *pipeline)
{
	const struct accelerators *accelerators = &pipeline->accelerators;
	struct perfetto perfetto;
	int error;

	perfetto_begin(&perfetto, out, accelerators->hosts > 1);
	error = name_all(&perfetto, accelerators);
	if (!error && timeline_first(timeline))
		error = put_stretch(&perfetto, timeline_first(timeline));
	if (!error && timeline_steady(timeline))
		error = put_stretch(&perfetto, timeline_steady(timeline));
	perfetto_end(&perfetto);
	return error;
}
