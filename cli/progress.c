/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "sim/printable.h"
#include "storage/clock.h"

#define NS_PER_S 1000000000LL
#define SILENT_NS (2 * NS_PER_S)
#define TERMINAL_PERIOD_NS (NS_PER_S / 5)
#define LINE_PERIOD_NS (2 * NS_PER_S)

void progress_init(struct progress *progress, bool asked, bool quiet)
{
	*progress = (struct progress){ .terminal = isatty(STDERR_FILENO) };
	progress->shown = !quiet && (asked || progress->terminal);
}

void progress_start(struct progress *progress, const char *label)
{
	snprintf(progress->label, sizeof(progress->label), "%s", label);
	printable(progress->label);
	progress->start_ns = clock_now_ns();
	progress->last_ns = progress->start_ns;
}

static void write_line(const struct progress *progress, double done,
		       double elapsed_s)
{
	fprintf(stderr, "%s%s: %.0f %%", progress->terminal ? "\r\033[K" : "",
		progress->label, done * 100);
	if (done > 0)
		fprintf(stderr, ", %.0f s left", elapsed_s * (1 - done) / done);
	if (!progress->terminal)
		fputc('\n', stderr);
	fflush(stderr);
}

void progress_update(struct progress *progress, double done)
{
	int64_t now_ns;

	if (!progress->shown)
		return;
	now_ns = clock_now_ns();
	if (now_ns - progress->start_ns < SILENT_NS ||
	    now_ns - progress->last_ns <
		    (progress->terminal ? TERMINAL_PERIOD_NS : LINE_PERIOD_NS))
		return;
	progress->last_ns = now_ns;
	progress->line_open = progress->terminal;
	write_line(progress, done,
		   (double)(now_ns - progress->start_ns) / NS_PER_S);
}

void progress_stop(struct progress *progress)
{
	if (progress->line_open)
		fputs("\r\033[K", stderr);
	progress->line_open = false;
}
