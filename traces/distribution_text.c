/* SPDX-License-Identifier: MIT */
#include "traces/distribution_text.h"

#include <stdio.h>

#include "sim/check.h"

const char *const distribution_kinds[] = {
	[DISTRIBUTION_CONSTANT] = "constant",
	[DISTRIBUTION_UNIFORM] = "uniform",
	[DISTRIBUTION_EXPONENTIAL] = "exponential",
	[DISTRIBUTION_NORMAL] = "normal",
	[DISTRIBUTION_LOGNORMAL] = "lognormal",
	[DISTRIBUTION_QUANTILES] = "quantiles",
	[DISTRIBUTION_CYCLE] = "cycle",
	NULL,
};

#define KIND(kind) (1u << (kind))

const struct distribution_parameter
	distribution_parameters[DISTRIBUTION_PARAMETERS] = {
		{ "mean", offsetof(struct distribution, mean),
		  KIND(DISTRIBUTION_CONSTANT) | KIND(DISTRIBUTION_EXPONENTIAL) |
			  KIND(DISTRIBUTION_NORMAL) |
			  KIND(DISTRIBUTION_LOGNORMAL) },
		{ "stdev", offsetof(struct distribution, stdev),
		  KIND(DISTRIBUTION_NORMAL) | KIND(DISTRIBUTION_LOGNORMAL) },
		{ "low", offsetof(struct distribution, low),
		  KIND(DISTRIBUTION_UNIFORM) },
		{ "high", offsetof(struct distribution, high),
		  KIND(DISTRIBUTION_UNIFORM) },
		{ "p50", offsetof(struct distribution, p50),
		  KIND(DISTRIBUTION_QUANTILES) },
		{ "p90", offsetof(struct distribution, p90),
		  KIND(DISTRIBUTION_QUANTILES) },
		{ "p99", offsetof(struct distribution, p99),
		  KIND(DISTRIBUTION_QUANTILES) },
		{ "p999", offsetof(struct distribution, p999),
		  KIND(DISTRIBUTION_QUANTILES) },
		{ "values", offsetof(struct distribution, values),
		  KIND(DISTRIBUTION_CYCLE) },
	};

bool distribution_uses(enum distribution_kind kind, size_t parameter)
{
	return distribution_parameters[parameter].kinds & KIND(kind);
}

/* Two sequences that differ have different digests, all but surely. */
static uint64_t digest_of(const struct distribution *cycle)
{
	uint64_t digest = cycle->value_count;
	uint32_t i;

	for (i = 0; i < cycle->value_count; i++) {
		digest ^= (uint64_t)cycle->values[i];
		digest *= UINT64_C(0x9e3779b97f4a7c15);
		digest ^= digest >> 29;
	}
	return digest;
}

/* Thousands of values in one word. */
static const char *print_cycle(const struct distribution *cycle, char *text,
			       size_t size)
{
	char mean[32];

	snprintf(text, size, "cycle count=%u mean=%s digest=%016llx",
		 cycle->value_count,
		 units_print_number(distribution_mean(cycle), mean,
				    sizeof(mean)),
		 (unsigned long long)digest_of(cycle));
	return text;
}

static double parameter_value(const struct distribution *distribution,
			      size_t parameter)
{
	const char *start = (const char *)distribution;

	return *(const double *)(start +
				 distribution_parameters[parameter].offset);
}

const char *distribution_used(enum distribution_kind kind, char *text,
			      size_t size)
{
	size_t used = 0;
	size_t i;

	for (i = 0; i < DISTRIBUTION_PARAMETERS && used < size; i++)
		if (distribution_uses(kind, i))
			used += (size_t)snprintf(
				text + used, size - used, "%s%s",
				used ? ", " : "",
				distribution_parameters[i].name);
	return text;
}

const char *distribution_print(const struct distribution *distribution,
			       char *text, size_t size)
{
	char number[32];
	size_t used, i;

	if (distribution->kind == DISTRIBUTION_CYCLE)
		return print_cycle(distribution, text, size);
	used = (size_t)snprintf(text, size, "%s",
				distribution_kinds[distribution->kind]);
	for (i = 0; i < DISTRIBUTION_PARAMETERS && used < size; i++)
		if (distribution_uses(distribution->kind, i))
			used += (size_t)snprintf(
				text + used, size - used, " %s=%s",
				distribution_parameters[i].name,
				units_print_number(parameter_value(distribution,
								   i),
						   number, sizeof(number)));
	return text;
}

const char *distribution_write(const struct distribution *distribution,
			       enum units_kind kind, char *text, size_t size)
{
	size_t used, i;
	char amount[32];

	CHECK(distribution->kind != DISTRIBUTION_CYCLE);
	if (distribution->kind == DISTRIBUTION_CONSTANT)
		return units_print(kind, (uint64_t)(distribution->mean + 0.5),
				   text, size);
	used = (size_t)snprintf(text, size, "{dist: %s",
				distribution_kinds[distribution->kind]);
	for (i = 0; i < DISTRIBUTION_PARAMETERS && used < size; i++) {
		double value = parameter_value(distribution, i);

		if (distribution_uses(distribution->kind, i))
			used += (size_t)snprintf(
				text + used, size - used, ", %s: %s",
				distribution_parameters[i].name,
				units_print(kind, (uint64_t)(value + 0.5),
					    amount, sizeof(amount)));
	}
	if (used < size)
		snprintf(text + used, size - used, "}");
	return text;
}
