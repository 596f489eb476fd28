/* SPDX-License-Identifier: MIT */
#include "cli/decompress.h"

#define MEASURE_NS 300000000

/* Is there anything to decompress? */
static bool is_compressed(const struct runner *runner)
{
	const struct dataset_facts *facts;

	if (!runner->dataset)
		return runner->scenario.dataset.compression_ratio > 1;
	facts = dataset_facts(runner->dataset);
	return !facts->foreign || facts->content_bytes != facts->stored_bytes;
}

/* How fast this host decompresses, when the scenario does not say. */
static int measure(struct runner *runner, struct fault *fault)
{
	struct live_decompress cost;
	int error;

	error = live_measure_decompress(runner->dataset, MEASURE_NS, &cost,
					fault);
	if (error)
		return error;
	runner->scenario.stages[STAGE_DECOMPRESS].time_ns =
		distribution_constant((double)cost.fixed_ns);
	runner->scenario.stages[STAGE_DECOMPRESS].rate_bytes_per_s =
		cost.rate_bytes_per_s;
	host_add_decompress(&runner->host, &cost);
	notes_add(&runner->notes,
		  "The scenario gives no pipeline.decompress.rate: the "
		  "simulation uses what one thread of this host was measured "
		  "to do, %.1f us a block and %.0f MB/s.",
		  (double)cost.fixed_ns / 1e3,
		  (double)cost.rate_bytes_per_s / 1e6);
	return 0;
}

int decompress_settle(struct runner *runner, bool replays_live, bool sim,
		      bool live, struct fault *fault)
{
	if (!runner->scenario.decompress_unset)
		return 0;
	if (sim && live && !runner->scenario.storage.native)
		return measure(runner, fault);
	if (sim && !replays_live && is_compressed(runner))
		notes_add(&runner->notes,
			  "The scenario gives no pipeline.decompress.rate or "
			  "time: decompression is simulated as free. compare "
			  "--live measures on this host what it takes.");
	return 0;
}
