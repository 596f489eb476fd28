/* SPDX-License-Identifier: MIT */
#include "traces/units.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* More digits than any amount needs, and few enough that digits times the
 * largest scale still fits 128 bits. */
#define DIGITS_MAX ((wide)10000000000u * 1000000000000u)
#define EXPONENT_MAX 999
#define DIVISOR_EXPONENT_MAX 37

/* digits x 10^exponent */
struct decimal {
	bool negative;
	wide digits;
	int exponent;
};

struct unit {
	const char *name;
	uint64_t scale;
};

/* Ended by a scale of 0. A person reads them in this order. */
static const struct unit count_units[] = { { "", 1 }, { NULL, 0 } };

static const struct unit byte_units[] = {
	{ "B", 1 },
	{ "kB", 1000 },
	{ "KiB", UINT64_C(1) << 10 },
	{ "MB", 1000000 },
	{ "MiB", UINT64_C(1) << 20 },
	{ "GB", 1000000000 },
	{ "GiB", UINT64_C(1) << 30 },
	{ "TB", 1000000000000 },
	{ "TiB", UINT64_C(1) << 40 },
	{ "PB", 1000000000000000 },
	{ "PiB", UINT64_C(1) << 50 },
	{ NULL, 0 },
};

/* Where the scale falls again, what follows is read but never printed. */
static const struct unit rate_units[] = {
	{ "B/s", 1 },
	{ "kB/s", 1000 },
	{ "KiB/s", UINT64_C(1) << 10 },
	{ "MB/s", 1000000 },
	{ "MiB/s", UINT64_C(1) << 20 },
	{ "GB/s", 1000000000 },
	{ "GiB/s", UINT64_C(1) << 30 },
	{ "TB/s", 1000000000000 },
	{ "TiB/s", UINT64_C(1) << 40 },
	{ "PB/s", 1000000000000000 },
	{ "PiB/s", UINT64_C(1) << 50 },
	{ "kbit/s", 125 },
	{ "Mbit/s", 125000 },
	{ "Gbit/s", 125000000 },
	{ "Tbit/s", 125000000000 },
	{ NULL, 0 },
};

static const struct unit time_units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "min", 60000000000 },
	{ "h", 3600000000000 },
	{ "d", 86400000000000 },
	{ NULL, 0 },
};

static const struct {
	const struct unit *units;
	const char *description;
} kinds[] = {
	[UNITS_COUNT] = { count_units, "a whole number" },
	[UNITS_BYTES] = { byte_units, "a size such as 64 KiB" },
	[UNITS_RATE] = { rate_units, "a rate such as 150 MB/s" },
	[UNITS_TIME] = { time_units, "a time such as 8 ms" },
};

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Reads "e-6" if it is there; a lone "e" belongs to the unit. */
static const char *scan_exponent(const char *text, struct decimal *decimal)
{
	const char *at = text + 1;
	bool negative = false;
	int exponent = 0;

	if (*text != 'e' && *text != 'E')
		return text;
	if (*at == '-' || *at == '+')
		negative = *at++ == '-';
	if (!is_digit(*at))
		return text;
	for (; is_digit(*at); at++)
		if (exponent < EXPONENT_MAX)
			exponent = 10 * exponent + (*at - '0');
	decimal->exponent += negative ? -exponent : exponent;
	return at;
}

/* Reads the number at the start of text and says where it ends; NULL and
 * *error when there is none. */
static const char *scan(const char *text, struct decimal *decimal, int *error)
{
	const char *at = text;
	bool point = false;

	*decimal = (struct decimal){ 0 };
	*error = -EINVAL;
	if (*at == '-') {
		decimal->negative = true;
		at++;
	}
	if (!is_digit(*at))
		return NULL;
	for (; is_digit(*at) || (*at == '.' && !point); at++) {
		if (*at == '.') {
			point = true;
			continue;
		}
		*error = -ERANGE;
		if (decimal->digits >= DIGITS_MAX / 10)
			return NULL;
		decimal->digits = 10 * decimal->digits + (unsigned)(*at - '0');
		decimal->exponent -= point;
	}
	*error = -EINVAL;
	if (at[-1] == '.')
		return NULL;
	return scan_exponent(at, decimal);
}

/* digits x scale x 10^exponent as a whole number. */
static int convert(const struct decimal *decimal, uint64_t scale,
		   bool fraction_allowed, uint64_t *value)
{
	wide amount = decimal->digits * scale;
	int exponent = decimal->exponent;
	wide divisor = 1;

	*value = 0;
	if (!amount)
		return 0;
	if (decimal->negative || exponent < -DIVISOR_EXPONENT_MAX)
		return -ERANGE;
	for (; exponent > 0 && amount <= UINT64_MAX; exponent--)
		amount *= 10;
	for (; exponent < 0; exponent++)
		divisor *= 10;
	if (!fraction_allowed && amount % divisor)
		return -EINVAL;
	amount = (amount + divisor / 2) / divisor;
	if (!amount || amount > UINT64_MAX)
		return -ERANGE;
	*value = (uint64_t)amount;
	return 0;
}

int units_parse(enum units_kind kind, const char *text, uint64_t *value)
{
	const struct unit *unit = kinds[kind].units;
	struct decimal decimal;
	const char *at;
	int error;

	at = scan(text, &decimal, &error);
	if (!at)
		return error;
	*value = 0;
	if (!decimal.digits && !*at) /* nothing is nothing in any unit */
		return 0;
	while (*at == ' ' && *unit->name)
		at++;
	while (unit->name && strcmp(unit->name, at) != 0)
		unit++;
	if (!unit->name)
		return -EINVAL;
	return convert(&decimal, unit->scale, kind != UNITS_COUNT, value);
}

int units_parse_number(const char *text, double *value)
{
	struct decimal decimal;
	const char *end;
	int error;

	end = scan(text, &decimal, &error);
	if (!end)
		return error;
	if (*end)
		return -EINVAL;
	/* Nothing is left but what the scan has seen. */
	*value = strtod(text, NULL);
	if (*value > 1e300 || (decimal.digits && *value < 1e-300))
		return -ERANGE;
	*value = *value > 0 ? *value : 0;
	return 0;
}

const char *units_print(enum units_kind kind, uint64_t value, char *text,
			size_t size)
{
	const struct unit *best = kinds[kind].units;
	const struct unit *unit = best + 1;

	for (; value && unit->scale > unit[-1].scale; unit++)
		if (value % unit->scale == 0)
			best = unit;
	snprintf(text, size, "%llu%s%s",
		 (unsigned long long)(value / best->scale),
		 *best->name ? " " : "", best->name);
	return text;
}

const char *units_print_number(double value, char *text, size_t size)
{
	int digits = 1;

	if (value < 1e18 && value == (double)(uint64_t)value) {
		snprintf(text, size, "%.0f", value);
		return text;
	}
	do
		snprintf(text, size, "%.*g", digits, value);
	while (digits++ < 17 && strtod(text, NULL) != value);
	return text;
}

const char *units_names(enum units_kind kind, char *text, size_t size)
{
	const struct unit *unit = kinds[kind].units;
	size_t used = 0;

	text[0] = '\0';
	for (; unit->name && used < size; unit++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 used ? ", " : "", unit->name);
	return text;
}

const char *units_describe(enum units_kind kind)
{
	return kinds[kind].description;
}

/* What is left of a unit without capitals and the i of KiB, with b for bit and
 * /s for ps: kb of kB, KiB, kbit and KB. Longer than any unit: nothing. */
#define LOOSE_MAX 16
static void loosen(const char *unit, char loose[LOOSE_MAX])
{
	size_t length = strlen(unit), used = 0, i;

	for (i = 0; i < length && length < LOOSE_MAX - 1; i++) {
		char letter = unit[i];

		if (letter == 'i' && i)
			continue;
		if (letter == 't' && i && unit[i - 1] == 'i')
			continue;
		if (letter == 'p' && i && !strcmp(unit + i, "ps"))
			letter = '/';
		loose[used++] = letter >= 'A' && letter <= 'Z' ?
					(char)(letter - 'A' + 'a') :
					letter;
	}
	loose[used] = '\0';
}

const char *units_meant(const char *amount, char text[UNITS_MEANT_MAX])
{
	static const struct unit *const tables[] = { byte_units, rate_units };
	char written[LOOSE_MAX], loose[LOOSE_MAX];
	const char *names[8];
	const struct unit *unit;
	struct decimal decimal;
	size_t count = 0, used = 0, i;
	int error;

	amount = scan(amount, &decimal, &error);
	if (!amount)
		return NULL;
	amount += strspn(amount, " ");
	loosen(amount, written);
	for (i = 0; *written && i < 2; i++)
		for (unit = tables[i]; unit->name; unit++) {
			if (!strcmp(unit->name, amount))
				return NULL;
			loosen(unit->name, loose);
			if (!strcmp(loose, written) && count < 8)
				names[count++] = unit->name;
		}
	for (i = 0; i < count; i++)
		used += (size_t)snprintf(text + used, UNITS_MEANT_MAX - used,
					 "%s%s", names[i],
					 i + 2 < count	? ", " :
					 i + 2 == count ? " or " :
							  "");
	return count ? text : NULL;
}
