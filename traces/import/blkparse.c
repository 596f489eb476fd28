/* SPDX-License-Identifier: MIT */
/*
 * What blkparse prints, in its default form:
 *
 *	maj,min cpu seq seconds pid action rwbs sector + sectors [process]
 *	8,0 3 11 0.009507758 697 D R 223490 + 56 [python]
 *	8,0 1 20 0.010112345   0 C R 223490 + 56 [0]
 *
 * and the summary behind it. What stands in a completion's last brackets is
 * its error.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/import/block_pairs.h"
#include "traces/import/row.h"
#include "traces/import/scan.h"

#define MINOR_BITS 20

struct head {
	uint64_t major;
	uint64_t minor;
	int64_t time_ns;
	struct scan_word action;
	struct scan_word rwbs;
};

/* Up to rwbs; everything that is no action but text has no such beginning. */
static bool take_head(struct scan *scan, struct head *head)
{
	uint64_t number;
	size_t i;

	scan_blanks(scan);
	if (!scan_whole(scan, &head->major) || !scan_text(scan, ",") ||
	    !scan_whole(scan, &head->minor) || head->major >= 1 << 12 ||
	    head->minor >= 1 << MINOR_BITS)
		return false;
	/* The CPU and the number of the line. */
	for (i = 0; i < 2; i++) {
		scan_blanks(scan);
		if (!scan_whole(scan, &number))
			return false;
	}
	scan_blanks(scan);
	if (!scan_decimal(scan, 9, &head->time_ns))
		return false;
	scan_blanks(scan);
	return scan_whole(scan, &number) && scan_word(scan, &head->action) &&
	       scan_word(scan, &head->rwbs);
}

static bool is_action(const char *line)
{
	struct scan scan = { line };
	struct head head;

	return take_head(&scan, &head) && head.action.length <= 2;
}

static bool fits(const char *head, size_t size, bool whole)
{
	(void)whole;
	return import_head_has(head, size, 4, is_action);
}

static bool word_has(const struct scan_word *word, char sign)
{
	return memchr(word->text, sign, word->length) != NULL;
}

/* The summary that blkparse ends with. */
static bool is_summary(const char *text)
{
	static const char *const begins[] = {
		"CPU",	      "Total ",	  "Reads ",	"Read ",    "Writes ",
		"IO unplugs", "PC Reads", "Throughput", "Events (", "Skips:",
	};
	struct scan scan = { text };
	size_t i;

	scan_blanks(&scan);
	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (scan_text(&scan, begins[i]))
			return true;
	return false;
}

/* sector + sectors [..] */
static const char *take_place(struct scan *scan, struct block_action *action)
{
	uint64_t sectors;
	int64_t status;

	scan_blanks(scan);
	if (!scan_whole(scan, &action->sector) ||
	    action->sector > UINT64_MAX / BLOCK_SECTOR_BYTES)
		return "expected a sector";
	scan_blanks(scan);
	if (!scan_text(scan, "+"))
		return "expected \"sector + sectors\"";
	scan_blanks(scan);
	if (!scan_whole(scan, &sectors) ||
	    sectors > UINT64_MAX / BLOCK_SECTOR_BYTES)
		return "expected a number of sectors";
	action->bytes = sectors * BLOCK_SECTOR_BYTES;
	scan_blanks(scan);
	if (!scan_text(scan, "["))
		return "expected [process], or a completion's [error]";
	if (action->action == 'C') {
		if (!scan_decimal(scan, 0, &status) || !scan_text(scan, "]"))
			return "expected a completion's error in brackets";
		action->failed = status != 0;
	}
	return NULL;
}

static int take_line(struct import *import, void *state, char *text)
{
	struct block_action action = { 0 };
	struct scan scan = { text };
	const char *wrong;
	struct head head;

	if (!take_head(&scan, &head)) {
		if (!is_summary(text))
			return import_bad(import,
					  "expected \"maj,min cpu seq seconds "
					  "pid action rwbs sector + sectors "
					  "[process]\"");
		import_skip(import);
		return 0;
	}
	if (head.time_ns < 0)
		return import_bad(import, "a time below 0");
	if (head.action.length != 1 || !strchr("QDCM", head.action.text[0]) ||
	    word_has(&head.rwbs, 'D') ||
	    (!word_has(&head.rwbs, 'R') && !word_has(&head.rwbs, 'W'))) {
		import_skip(import);
		return 0;
	}
	action.action = head.action.text[0];
	action.device = (uint32_t)(head.major << MINOR_BITS | head.minor);
	action.time_ns = head.time_ns;
	action.write = word_has(&head.rwbs, 'W');
	wrong = take_place(&scan, &action);
	if (wrong)
		return import_bad(import, "%s", wrong);
	return block_pairs_take(import, state, &action);
}

static int read_blkparse(struct import *import)
{
	struct block_pairs *pairs = calloc(1, sizeof(*pairs));
	int error;

	if (!pairs)
		return -ENOMEM;
	error = import_lines(import, take_line, pairs);
	block_pairs_end(import, pairs);
	free(pairs);
	return error;
}

const struct importer import_blkparse = {
	.name = "blkparse",
	.from = "blkparse, its default text",
	.yields = "requests: device, place, size, when they were queued, "
		  "issued (begun) and completed",
	.limits = "At most 32768 requests under way.",
	.unit = "line",
	.fits = fits,
	.read = read_blkparse,
};
