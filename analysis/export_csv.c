/* SPDX-License-Identifier: MIT */
/*
 * Events as CSV, a line each: seconds with nine decimals, bytes; what is not
 * known, or has no meaning for such an event, is empty.
 */
#include "analysis/export.h"

#define NS_PER_S 1000000000

static const char *const kinds[TRACE_KINDS] = {
	[TRACE_REQUEST] = "request",
	[TRACE_WORK] = "work",
	[TRACE_BATCH] = "batch",
	[TRACE_STEP] = "step",
};

static int begin(struct exporting *export)
{
	fputs("kind,number,host,object,stage,issue_s,start_s,end_s,"
	      "offset_bytes,bytes,cached_bytes,write,failed,first_touch,late_s,"
	      "retries\n",
	      export->out);
	return 0;
}

static void write_time(FILE *out, int64_t time_ns)
{
	int64_t second = time_ns / NS_PER_S, rest = time_ns % NS_PER_S;

	fputc(',', out);
	if (time_ns == TIME_UNKNOWN)
		return;
	if (time_ns < 0)
		fputc('-', out);
	fprintf(out, "%lld.%09lld", (long long)(second < 0 ? -second : second),
		(long long)(rest < 0 ? -rest : rest));
}

static int put(struct exporting *export, const struct trace_event *event,
	       struct fault *fault)
{
	FILE *out = export->out;

	(void)fault;
	fprintf(out, "%s,%llu,%u,%u,", kinds[event->kind],
		(unsigned long long)event->number, event->host, event->object);
	if (event->kind == TRACE_WORK)
		fprintf(out, "%u", event->stage);
	write_time(out, event->issue_ns);
	write_time(out, event->start_ns);
	write_time(out, event->end_ns);
	if (event->kind == TRACE_REQUEST) {
		fprintf(out, ",%llu,%llu,%llu,%d,%d,%d",
			(unsigned long long)event->offset_bytes,
			(unsigned long long)event->bytes,
			(unsigned long long)event->cached_bytes,
			(event->flags & TRACE_WRITE) != 0,
			(event->flags & TRACE_FAILED) != 0,
			(event->flags & TRACE_FIRST_TOUCH) != 0);
		write_time(out, event->late_ns);
		fprintf(out, ",%u\n", event->retries);
	} else {
		fputs(",,,,,,,,\n", out);
	}
	export->written++;
	return 0;
}

static int end(struct exporting *export, struct fault *fault)
{
	(void)export;
	(void)fault;
	return 0;
}

const struct exporter export_csv = {
	.name = "csv",
	.help = "every event, a line each: seconds and bytes",
	.begin = begin,
	.put = put,
	.end = end,
};
