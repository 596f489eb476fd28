/* SPDX-License-Identifier: MIT */
#include "analysis/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST_DIGITS 16

struct metric_value value_unknown(void)
{
	return (struct metric_value){ .known = false };
}

struct metric_value value_bool(bool value)
{
	return (struct metric_value){ .known = true, .real = value ? 1 : 0 };
}

struct metric_value value_count(uint64_t value)
{
	return (struct metric_value){ .known = true, .count = value };
}

struct metric_value value_real(double value)
{
	if (!isfinite(value))
		return value_unknown();
	return (struct metric_value){ .known = true, .real = value };
}

struct metric_value value_ratio(double numerator, double denominator)
{
	return value_real(numerator / denominator);
}

struct metric_value value_per_second(uint64_t count, int64_t elapsed_ns)
{
	return value_ratio((double)count, (double)elapsed_ns / 1e9);
}

struct metric_value value_text(const char *value)
{
	return (struct metric_value){ .known = value != NULL, .text = value };
}

struct metric_value value_of_digest(const char *text)
{
	if (!text || strlen(text) != DIGEST_DIGITS ||
	    strspn(text, "0123456789abcdef") != DIGEST_DIGITS)
		return value_unknown();
	return value_count(strtoull(text, NULL, 16));
}

int value_digits(double value)
{
	char text[VALUE_TEXT_MAX];
	int digits;

	for (digits = 15; digits < 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return digits;
}

const char *value_exact(enum metric_kind kind, struct metric_value value,
			char *text, size_t size)
{
	if (!value.known)
		return "";
	if (kind == METRIC_TEXT)
		return value.text;
	if (kind == METRIC_BOOL)
		return value.real != 0 ? "true" : "false";
	if (kind == METRIC_DIGEST)
		snprintf(text, size, "%0*" PRIx64, DIGEST_DIGITS, value.count);
	else if (kind == METRIC_COUNT)
		snprintf(text, size, "%" PRIu64, value.count);
	else
		snprintf(text, size, "%.*g", value_digits(value.real),
			 value.real);
	return text;
}

/* One step of a unit's ladder: numbers from `from` upwards are divided by
 * `divisor` and followed by `suffix`. */
struct rung {
	double from;
	double divisor;
	const char *suffix;
};

static const struct rung plain[] = { { 0, 1, "" } };

static const struct rung seconds[] = {
	{ 7200, 3600, " h" },  { 600, 60, " min" },   { 1, 1, " s" },
	{ 1e-3, 1e-3, " ms" }, { 1e-6, 1e-6, " us" }, { 0, 1e-9, " ns" },
};

static const struct rung bytes[] = {
	{ 0x1p50, 0x1p50, " PiB" }, { 0x1p40, 0x1p40, " TiB" },
	{ 0x1p30, 0x1p30, " GiB" }, { 0x1p20, 0x1p20, " MiB" },
	{ 0x1p10, 0x1p10, " KiB" }, { 0, 1, " B" },
};

static const struct rung byte_rates[] = {
	{ 1e12, 1e12, " TB/s" }, { 1e9, 1e9, " GB/s" }, { 1e6, 1e6, " MB/s" },
	{ 1e3, 1e3, " kB/s" },	 { 0, 1, " B/s" },
};

static const struct rung event_rates[] = {
	{ 1e9, 1e9, " G/s" },
	{ 1e6, 1e6, " M/s" },
	{ 1e4, 1e3, " k/s" },
	{ 0, 1, " /s" },
};

static const struct rung short_numbers[] = {
	{ 1e9, 1e9, "G" },
	{ 1e6, 1e6, "M" },
	{ 1e4, 1e3, "k" },
	{ 0, 1, "" },
};

static const struct rung hundredths[] = { { 0, 0.01, "" } };

static const struct ladder {
	const char *unit;
	const struct rung *rungs; /* the last one starts at 0 */
	int decimals;		  /* negative: four significant digits */
	const char *sign;	  /* before a number that is not negative */
} ladders[] = {
	{ "", plain, -1, "" },
	{ "s", seconds, -1, "" },
	{ "B", bytes, -1, "" },
	{ "B/s", byte_rates, -1, "" },
	{ "1/s", event_rates, -1, "" },
	{ "#", short_numbers, -1, "" },
	{ "x", plain, 2, "" },
	{ "%", hundredths, 1, "" },
	{ "points", hundredths, 2, "+" },
};

/* Units that are not listed are not scaled. */
static const struct ladder *find_ladder(const char *unit)
{
	size_t i = sizeof(ladders) / sizeof(ladders[0]) - 1;

	while (i > 0 && strcmp(unit, ladders[i].unit) != 0)
		i--;
	return &ladders[i];
}

/* Decimals that make four significant digits, as far as four decimals go. */
static int decimals_of(double size)
{
	if (size == 0 || size >= 1000)
		return 0;
	if (size >= 100)
		return 1;
	if (size >= 10)
		return 2;
	return size >= 1 ? 3 : 4;
}

#define BAR_COLUMNS 10

static const char *bar_of(double share, char *text, size_t size)
{
	size_t length = share > 0 ? (size_t)(share * BAR_COLUMNS + 0.5) : 0;

	if (length > BAR_COLUMNS)
		length = BAR_COLUMNS;
	snprintf(text, size, "%.*s", (int)length, "##########");
	return text;
}

const char *value_human(enum metric_kind kind, const char *unit,
			struct metric_value value, char *text, size_t size)
{
	const struct ladder *ladder = find_ladder(unit);
	const struct rung *rung = ladder->rungs;
	double number;
	int decimals;

	if (!value.known)
		return "-";
	if (kind == METRIC_TEXT)
		return value.text;
	if (kind == METRIC_BOOL)
		return value.real != 0 ? "yes" : "no";
	if (kind == METRIC_DIGEST || (kind == METRIC_COUNT && !unit[0]))
		return value_exact(kind, value, text, size);
	number = kind == METRIC_COUNT ? (double)value.count : value.real;
	if (!strcmp(unit, "bar"))
		return bar_of(number, text, size);
	while (fabs(number) < rung->from)
		rung++;
	number /= rung->divisor;
	decimals = ladder->decimals;
	if (decimals < 0)
		decimals = decimals_of(fabs(number));
	snprintf(text, size, "%s%.*f%s", number < 0 ? "" : ladder->sign,
		 decimals, number, rung->suffix);
	return text;
}

struct metric_value value_quantile_s(const struct histogram *times_ns,
				     double fraction)
{
	if (!times_ns->count)
		return value_unknown();
	return value_real((double)histogram_quantile(times_ns, fraction) / 1e9);
}

struct metric_value value_max_s(const struct histogram *times_ns)
{
	if (!times_ns->count)
		return value_unknown();
	return value_real((double)times_ns->max / 1e9);
}

const char *metric_kind_name(enum metric_kind kind)
{
	static const char *const names[] = {
		[METRIC_BOOL] = "bool",	    [METRIC_COUNT] = "count",
		[METRIC_REAL] = "real",	    [METRIC_TEXT] = "text",
		[METRIC_DIGEST] = "digest", [METRIC_PART] = "part",
	};

	return names[kind];
}
