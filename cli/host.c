/* SPDX-License-Identifier: MIT */
#include "cli/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/clock.h"

void host_add(struct host *host, const char *name, enum metric_kind kind,
	      struct metric_value value)
{
	CHECK(host->fact_count < HOST_FACTS_MAX);
	host->facts[host->fact_count++] =
		(struct host_fact){ name, kind, value };
}

/* Nothing in it that a shell would take for something else? */
static bool is_plain(const char *word)
{
	return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
					   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789%+,-./:=@_")];
}

static void print_word(FILE *out, const char *word)
{
	bool plain = is_plain(word);

	fputs(plain ? "" : "'", out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputs(plain ? "" : "'", out);
}

/* The command line of this process, as the kernel has it; the program by its
 * name alone. Nothing when it is too long. */
static void read_command(char *command, size_t size)
{
	FILE *in = fopen("/proc/self/cmdline", "r");
	FILE *out = fmemopen(command, size, "w");
	char *word = NULL;
	size_t room = 0;

	if (in && out && getdelim(&word, &room, '\0', in) > 0)
		fputs("echosim", out);
	while (in && out && getdelim(&word, &room, '\0', in) > 0) {
		fputc(' ', out);
		print_word(out, word);
	}
	free(word);
	if (in)
		fclose(in);
	if (!out || ferror(out) | fclose(out))
		command[0] = '\0';
}

void host_init(struct host *host)
{
	*host = (struct host){ .start_ns = clock_now_ns() };
	uname(&host->system);
	read_command(host->command, sizeof(host->command));
	if (host->command[0])
		host_add(host, "command", METRIC_TEXT,
			 value_text(host->command));
	host_add(host, "kernel", METRIC_TEXT, value_text(host->system.release));
	host_add(host, "machine", METRIC_TEXT,
		 value_text(host->system.machine));
	host_add(host, "processors", METRIC_COUNT,
		 value_count((uint64_t)sysconf(_SC_NPROCESSORS_ONLN)));
}

void host_add_dataset(struct host *host, const struct dataset_facts *facts)
{
	host_add(host, "dataset.format", METRIC_TEXT,
		 value_text(facts->format));
	host_add(host, "dataset.direct", METRIC_BOOL,
		 value_bool(facts->direct));
	host_add(host, "dataset.alignment_bytes", METRIC_COUNT,
		 value_count(facts->alignment_bytes));
	host_add(host, "dataset.alignment_source", METRIC_TEXT,
		 value_text(facts->alignment_source));
}

void host_add_decompress(struct host *host, const struct live_decompress *cost)
{
	host_add(host, "decompress.measured_s_per_block", METRIC_REAL,
		 value_real((double)cost->fixed_ns / 1e9));
	host_add(host, "decompress.measured_bytes_per_s", METRIC_COUNT,
		 value_count(cost->rate_bytes_per_s));
}

void host_add_live(struct host *host, const struct live_report *report)
{
	host_add(host, "reader.backend", METRIC_TEXT,
		 value_text(report->backend));
	host_add(host, "reader.notes", METRIC_TEXT, value_text(report->notes));
	host_add(host, "reader.buffers_registered", METRIC_BOOL,
		 value_bool(report->buffers_registered));
	host_add(host, "reader.buffer_bytes", METRIC_COUNT,
		 value_count(report->buffer_bytes));
	host_add(host, "reader.realtime", METRIC_BOOL,
		 value_bool(report->realtime));
	host_add(host, "decompress.content_bytes", METRIC_COUNT,
		 value_count(report->decompress_content_bytes));
	host_add(host, "decompress.wall_s", METRIC_REAL,
		 value_real((double)report->decompress_busy_ns / 1e9));
	host_add(host, "decompress.cpu_s", METRIC_REAL,
		 value_real((double)report->decompress_cpu_ns / 1e9));
}

void host_finish(struct host *host)
{
	host_add(host, "wall_s", METRIC_REAL,
		 value_real((double)(clock_now_ns() - host->start_ns) / 1e9));
}
