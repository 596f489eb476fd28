/* SPDX-License-Identifier: MIT */
#include "traces/import/scan.h"

#include <string.h>

#define EXPONENT_MAX 40

void scan_blanks(struct scan *scan)
{
	scan->at += strspn(scan->at, " \t");
}

bool scan_text(struct scan *scan, const char *text)
{
	size_t length = strlen(text);

	if (strncmp(scan->at, text, length))
		return false;
	scan->at += length;
	return true;
}

bool scan_until(struct scan *scan, const char *signs, struct scan_word *word)
{
	word->text = scan->at;
	word->length = strcspn(scan->at, signs);
	scan->at += word->length;
	return word->length > 0;
}

bool scan_word(struct scan *scan, struct scan_word *word)
{
	scan_blanks(scan);
	return scan_until(scan, " \t", word);
}

static int digit_of(char sign)
{
	if (sign >= '0' && sign <= '9')
		return sign - '0';
	if (sign >= 'a' && sign <= 'f')
		return sign - 'a' + 10;
	if (sign >= 'A' && sign <= 'F')
		return sign - 'A' + 10;
	return 16;
}

bool scan_whole(struct scan *scan, uint64_t *value)
{
	const char *at = scan->at;
	uint64_t base = 10, whole = 0;
	int digit;

	if (at[0] == '0' && at[1] == 'x') {
		base = 16;
		at += 2;
	}
	if ((uint64_t)digit_of(*at) >= base)
		return false;
	for (; (uint64_t)(digit = digit_of(*at)) < base; at++)
		if (__builtin_mul_overflow(whole, base, &whole) ||
		    __builtin_add_overflow(whole, (uint64_t)digit, &whole))
			return false;
	scan->at = at;
	*value = whole;
	return true;
}

/* Digits into `whole`; those that no longer fit behind a point are dropped,
 * before it they count as a power of ten. */
static bool take_digits(const char **at, bool fraction, uint64_t *whole,
			int *power)
{
	const char *begin = *at;
	uint64_t more;

	for (; digit_of(**at) < 10; ++*at) {
		if (__builtin_mul_overflow(*whole, UINT64_C(10), &more) ||
		    __builtin_add_overflow(more, (uint64_t)digit_of(**at),
					   &more)) {
			if (!fraction)
				return false;
			continue;
		}
		*whole = more;
		*power -= fraction;
	}
	return *at > begin;
}

static bool take_exponent(const char **at, int *power)
{
	int exponent = 0, sign = 1;

	if (**at != 'e' && **at != 'E')
		return true;
	++*at;
	if (**at == '-')
		sign = -1;
	if (**at == '-' || **at == '+')
		++*at;
	if (digit_of(**at) > 9)
		return false;
	for (; digit_of(**at) < 10; ++*at) {
		exponent = exponent * 10 + digit_of(**at);
		if (exponent > EXPONENT_MAX)
			return false;
	}
	*power += sign * exponent;
	return true;
}

bool scan_decimal(struct scan *scan, int shift, int64_t *value)
{
	const char *at = scan->at;
	bool negative = *at == '-';
	uint64_t whole = 0;
	int power = shift;

	at += negative;
	if (!take_digits(&at, false, &whole, &power))
		return false;
	if (*at == '.') {
		at++;
		if (!take_digits(&at, true, &whole, &power))
			return false;
	}
	if (!take_exponent(&at, &power))
		return false;
	for (; power > 0 && whole; power--)
		if (__builtin_mul_overflow(whole, UINT64_C(10), &whole))
			return false;
	for (; power < 0; power++)
		whole /= 10;
	if (whole > INT64_MAX)
		return false;
	scan->at = at;
	*value = negative ? -(int64_t)whole : (int64_t)whole;
	return true;
}

bool scan_is(const struct scan_word *word, const char *text)
{
	return strlen(text) == word->length &&
	       !memcmp(word->text, text, word->length);
}

bool scan_end(struct scan *scan)
{
	scan_blanks(scan);
	return !*scan->at;
}
