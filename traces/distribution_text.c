/* SPDX-License-Identifier: MIT */
#include "traces/distribution_text.h"

#include <stdio.h>

const char *const distribution_kinds[] = {
	[DISTRIBUTION_CONSTANT] = "constant",
	[DISTRIBUTION_UNIFORM] = "uniform",
	[DISTRIBUTION_EXPONENTIAL] = "exponential",
	[DISTRIBUTION_NORMAL] = "normal",
	[DISTRIBUTION_LOGNORMAL] = "lognormal",
	[DISTRIBUTION_QUANTILES] = "quantiles",
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
	};

bool distribution_uses(enum distribution_kind kind, size_t parameter)
{
	return distribution_parameters[parameter].kinds & KIND(kind);
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
	size_t used = (size_t)snprintf(text, size, "%s",
				       distribution_kinds[distribution->kind]);
	char number[32];
	size_t i;

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
