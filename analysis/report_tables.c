/* SPDX-License-Identifier: MIT */
#include "analysis/report_tables.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define COLUMNS(array) .columns = (array), .column_count = COUNT_OF(array)

/* ---- strategies side by side ---- */

static const struct view_column every_strategy[] = {
	COLUMN("name", METRIC_TEXT, "", "strategy"),
	COLUMN("au", METRIC_REAL, "%", "AU\n%"),
	COLUMN("idle_fraction", METRIC_REAL, "%", "idle\n%"),
	COLUMN("steps_per_s", METRIC_REAL, "#", "steps\n/s"),
	COLUMN("examples_per_s", METRIC_REAL, "#", "examples\n/s"),
	COLUMN("fresh_examples_per_s", METRIC_REAL, "#", "fresh\n/s"),
	COLUMN("mean_factor", METRIC_REAL, "", "mean\nfactor"),
	COLUMN("duplicates_in_batch", METRIC_REAL, "#", "dupl.\n/batch"),
	COLUMN("mean_lag_steps", METRIC_REAL, "#", "lag\nsteps"),
};

const struct view strategies_view = {
	.kind = VIEW_TABLE,
	.id = "strategies",
	.about = "AU: share of time the accelerators compute; idle: the rest; "
		 "fresh: examples read from storage; factor: uses of each; "
		 "dupl.: repeats within a batch; lag: steps between uses.",
	.path = "runs",
	.best = "rank",
	COLUMNS(every_strategy),
};

/* ---- variants side by side ---- */

const struct view_column speedup_column =
	COLUMN("speedup", METRIC_REAL, "x", "speed\n-up");

static const struct view_column every_variant[] = {
	COLUMN("name", METRIC_TEXT, "", "variant"),
	COLUMN("changes", METRIC_TEXT, "", "changes"),
	COLUMN("setting", METRIC_TEXT, "", "setting"),
};

const struct view variants_view = {
	.kind = VIEW_TABLE,
	.id = "variants",
	.path = "variants",
	COLUMNS(every_variant),
};

/* Its columns are the strategies that there are. */
const struct view variants_chart = {
	.kind = VIEW_CHART,
	.id = "variants-au",
	.title = "Accelerator utilisation of each variant",
	.path = "variants",
	.label = "name",
	.chart = { .kind = CHART_BARS,
		   .x_title = "share of the accelerators' time",
		   .x_unit = "%" },
};

/* ---- both modes side by side ---- */

static const struct view_column both_modes[] = {
	COLUMN("name", METRIC_TEXT, "", "strategy"),
	COLUMN("au.sim", METRIC_REAL, "%", "AU %\nsim"),
	COLUMN("au.live", METRIC_REAL, "%", "AU %\nlive"),
	COLUMN("au.difference", METRIC_REAL, "points", "differ.\npoints"),
	COLUMN("steps_per_s", METRIC_REAL, "#", "steps/s\nlive"),
	COLUMN("fresh_examples_per_s", METRIC_REAL, "#", "fresh/s\nlive"),
	COLUMN("mean_factor", METRIC_REAL, "", "factor\nlive"),
	{ .path = "throttle.verdict",
	  .kind = METRIC_TEXT,
	  .unit = "",
	  .heading = "throttle",
	  .warning = "not held;native, paused" },
};

const struct view modes_view = {
	.kind = VIEW_TABLE,
	.id = "modes",
	.title = "Simulated and live",
	.about = "AU: share of time the accelerators compute; sim: modelled; "
		 "live: real reads; fresh: examples read from storage; factor: "
		 "uses of each; throttle: held when the host was as fast as "
		 "the device it played.",
	.path = "pairs",
	COLUMNS(both_modes),
};

static const struct view_column both_utilisations[] = {
	COLUMN("au.sim", METRIC_REAL, "%", "sim"),
	COLUMN("au.live", METRIC_REAL, "%", "live"),
};

const struct view modes_chart = {
	.kind = VIEW_CHART,
	.id = "modes-au",
	.title = "Simulated and live accelerator utilisation",
	.path = "pairs",
	.label = "name",
	.chart = { .kind = CHART_BARS,
		   .x_title = "share of the accelerators' time",
		   .x_unit = "%" },
	COLUMNS(both_utilisations),
};

static const struct view_column utilisations[] = {
	COLUMN("au", METRIC_REAL, "%", "AU"),
	COLUMN("useful_au", METRIC_REAL, "%", "useful AU"),
};

static const enum view_shade utilisation_shades[] = { SHADE_BUSY,
						      SHADE_USEFUL };

const struct view utilisation_chart = {
	.kind = VIEW_CHART,
	.id = "au",
	.title = "Accelerator utilisation, and what of it counts",
	.path = "runs",
	.label = "name",
	.chart = { .kind = CHART_BARS,
		   .x_title = "share of the accelerators' time",
		   .x_unit = "%",
		   .shades = utilisation_shades },
	COLUMNS(utilisations),
};

/* ---- why they idle ---- */

static const struct view_column cause_shares[] = {
	COLUMN("au", METRIC_REAL, "%", "busy"),
	COLUMN("stalls.fetch", METRIC_REAL, "%", "waits for storage (fetch)"),
	COLUMN("stalls.prep", METRIC_REAL, "%", "waits for CPU stages (prep)"),
	COLUMN("stalls.other", METRIC_REAL, "%",
	       "other: start-up, hand-over, barrier"),
};

static const enum view_shade cause_shades[] = { SHADE_BUSY, SHADE_FETCH,
						SHADE_PREP, SHADE_OTHER };

const struct view causes_chart = {
	.kind = VIEW_CHART,
	.id = "idle",
	.title = "Where the accelerators' time went",
	.path = "runs",
	.label = "name",
	.chart = { .kind = CHART_STACKED,
		   .x_title = "share of the accelerators' time",
		   .x_unit = "%",
		   .shades = cause_shades },
	COLUMNS(cause_shares),
};

static const struct view_column causes[] = {
	COLUMN("name", METRIC_TEXT, "", "strategy"),
	COLUMN("stalls.fetch", METRIC_REAL, "%", "fetch\n%"),
	COLUMN("stalls.prep", METRIC_REAL, "%", "prep\n%"),
	COLUMN("stalls.other", METRIC_REAL, "%", "other\n%"),
	COLUMN("bottleneck.resource", METRIC_TEXT, "", "bottleneck"),
	COLUMN("bottleneck.gain_per_10pct", METRIC_REAL, "%", "gain\n%"),
	COLUMN("bottleneck.next", METRIC_TEXT, "", "next"),
};

const struct view causes_view = {
	.kind = VIEW_TABLE,
	.id = "causes",
	.title = "Why they idle",
	.about = "fetch: idle that infinitely fast storage would end; prep: "
		 "of the rest, what infinitely fast stages would end; other: "
		 "what remains; gain: of the rate when the bottleneck gets "
		 "10 % better.",
	.path = "runs",
	.best = "rank",
	COLUMNS(causes),
};

/* ---- what a repeat is worth ---- */

static const struct view_column worths[] = {
	COLUMN("name", METRIC_TEXT, "", "strategy"),
	COLUMN("useful_au", METRIC_REAL, "%", "useful\nAU %"),
	COLUMN("gain", METRIC_REAL, "x", "gain\n"),
	COLUMN("gain_min", METRIC_REAL, "x", "\nmin"),
	COLUMN("gain_max", METRIC_REAL, "x", "\nmax"),
	COLUMN("gain_source", METRIC_TEXT, "", "gain\nfrom"),
	COLUMN("efficiency", METRIC_REAL, "x", "effi-\nciency"),
	COLUMN("time_to_target_s", METRIC_REAL, "s", "time to\ntarget"),
	COLUMN("speedup", METRIC_REAL, "x", "speed\n-up"),
	COLUMN("rank", METRIC_TEXT, "", "\n"),
};

const struct view worth_view = {
	.kind = VIEW_TABLE,
	.id = "worth",
	.title = "What a repeat is worth",
	.about = "gain: fresh examples to the target without / with the echo, "
		 "min..max; efficiency: gain / factor; useful AU: AU x "
		 "efficiency; speed-up: of the time to target; tie: the law's "
		 "spread cannot tell it from the best.",
	.path = "runs",
	.best = "rank",
	COLUMNS(worths),
};

/* ---- what of it lasts ---- */

static const struct view_column sustained[] = {
	COLUMN("name", METRIC_TEXT, "", "strategy"),
	COLUMN("burst.credit_used", METRIC_REAL, "%", "credit\nused %"),
	COLUMN("burst.lasts_s", METRIC_REAL, "s", "credit\nlasts"),
	COLUMN("au_sustained", METRIC_REAL, "%", "then\nAU %"),
	COLUMN("sustained.fresh_per_s", METRIC_REAL, "#", "fresh\n/s"),
	COLUMN("sustained.time_to_target_s", METRIC_REAL, "s",
	       "time to\ntarget"),
	COLUMN("sustained.speedup", METRIC_REAL, "x", "speed\n-up"),
	COLUMN("sustained.cost_per_epoch", METRIC_REAL, "", "cost an\nepoch"),
	COLUMN("rank", METRIC_TEXT, "", "\n"),
};

const struct view sustained_view = {
	.kind = VIEW_TABLE,
	.id = "sustained",
	.title = "What lasts",
	.about = "credit: of the device's burst, used so far, and how long "
		 "all of it lasts at this rate; then: what is sustained, at "
		 "the device's baseline, which decides between strategies.",
	.path = "runs",
	.best = "rank",
	COLUMNS(sustained),
};

/* ---- requests to storage ---- */

static const struct view_column latency_group[] = {
	COLUMN("run", METRIC_TEXT, "", ""),
};

const struct view latency_chart = {
	.kind = VIEW_CHART,
	.id = "latency",
	.title = "Latency of requests: how many were answered within a time",
	.path = "latency",
	.chart = { .kind = CHART_CURVES,
		   .x = "latency_s",
		   .y = "share",
		   .x_title = "time from issue to completion",
		   .x_unit = "s",
		   .y_title = "share of requests",
		   .y_unit = "%",
		   .x_log = true },
	COLUMNS(latency_group),
};

static const struct view_column request_columns[] = {
	COLUMN("name", METRIC_TEXT, "", "strategy"),
	COLUMN("storage.latency_s.p50", METRIC_REAL, "s", "p50"),
	COLUMN("storage.latency_s.p90", METRIC_REAL, "s", "p90"),
	COLUMN("storage.latency_s.p99", METRIC_REAL, "s", "p99"),
	COLUMN("storage.latency_s.p999", METRIC_REAL, "s", "p99.9"),
	COLUMN("storage.latency_s.max", METRIC_REAL, "s", "max"),
	COLUMN("storage.requests_per_s", METRIC_REAL, "1/s", "requests"),
	COLUMN("storage.bytes_per_s", METRIC_REAL, "B/s", "bytes"),
	COLUMN("storage.queue_depth_mean", METRIC_REAL, "#", "in flight"),
	COLUMN("storage.cache_hit_rate", METRIC_REAL, "%", "cache hits %"),
	COLUMN("throttle.late_fraction", METRIC_REAL, "%", "late reads %"),
};

const struct view requests_view = {
	.kind = VIEW_TABLE,
	.audience = SEEN_IN_PAGE,
	.id = "requests",
	.title = "Requests to storage",
	.path = "runs",
	COLUMNS(request_columns),
};

/* ---- run by run ---- */

static const struct view_column stage_shares[] = {
	COLUMN("stages.read.utilisation", METRIC_REAL, "%", "read"),
	COLUMN("stages.decompress.utilisation", METRIC_REAL, "%", "decompress"),
	COLUMN("stages.decode.utilisation", METRIC_REAL, "%", "decode"),
	COLUMN("stages.augment.utilisation", METRIC_REAL, "%", "augment"),
	COLUMN("stages.collate.utilisation", METRIC_REAL, "%", "collate"),
};

const struct view stages_chart = {
	.kind = VIEW_CHART,
	.id = "stages",
	.title = "How busy each stage was",
	.path = "runs",
	.label = "name",
	.chart = { .kind = CHART_BARS,
		   .x_title = "share of its workers' time",
		   .x_unit = "%" },
	COLUMNS(stage_shares),
};

/* ---- what it takes to see the same ---- */

static const struct view_column digests[] = {
	COLUMN("name", METRIC_TEXT, "", "run"),
	COLUMN("digest", METRIC_DIGEST, "", NULL),
};

const struct view digests_view = {
	.kind = VIEW_TABLE,
	.audience = SEEN_IN_PAGE,
	.id = "digests",
	.title = "Digests: of every decision of a run",
	.path = "runs",
	COLUMNS(digests),
};
