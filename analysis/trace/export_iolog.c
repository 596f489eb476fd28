/* SPDX-License-Identifier: MIT */
/*
 * Requests as an iolog of version 3, which fio replays with --read_iolog:
 * microseconds, file, what to do. fio wants times that never go back, so
 * requests pass through a window in which they are put in the order in which
 * they were asked for (traces/import/order.h); files are opened when they are
 * met first and closed at the end.
 */
#include "analysis/trace/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/import/objects.h"
#include "traces/import/order.h"

#define NS_PER_US 1000
/* fio keeps lengths in 32 bits with a sign; whole blocks, so that pieces stay
 * aligned. */
#define LENGTH_MAX (UINT64_C(1) << 30)
#define REQUEST_MAX (1024 * LENGTH_MAX) /* more is no request */

struct iolog {
	struct order order;
	struct objects files;
	uint32_t *met; /* objects, in the order in which they were met */
	size_t room;
	int64_t last_us;
};

static int begin(struct exporting *export)
{
	struct iolog *iolog = calloc(1, sizeof(*iolog));

	if (!iolog)
		return -ENOMEM;
	order_init(&iolog->order, ORDER_EVENTS_DEFAULT);
	objects_init(&iolog->files);
	export->state = iolog;
	fputs("fio version 3 iolog\n", export->out);
	return 0;
}

static void write_file(const struct exporting *export, int64_t time_us,
		       uint32_t object)
{
	const struct export_options *options = export->options;

	fprintf(export->out, "%lld ", (long long)time_us);
	if (object < options->name_count)
		fputs(options->names[object], export->out);
	else
		fprintf(export->out, "object-%u", object);
}

/* Announces a file that is met first. */
static int meet(struct exporting *export, struct iolog *iolog, int64_t time_us,
		uint32_t object)
{
	uint32_t *larger, number;
	bool is_new;
	int error;

	error = objects_number(&iolog->files,
			       objects_hash(&object, sizeof(object)), &number,
			       &is_new);
	if (error || !is_new)
		return error;
	if (number == iolog->room) {
		iolog->room = iolog->room ? 2 * iolog->room : 64;
		larger = realloc(iolog->met, iolog->room * sizeof(*iolog->met));
		if (!larger)
			return -ENOMEM;
		iolog->met = larger;
	}
	iolog->met[number] = object;
	write_file(export, time_us, object);
	fputs(" add\n", export->out);
	write_file(export, time_us, object);
	fputs(" open\n", export->out);
	return 0;
}

/* What was asked for before the recording began is asked for at its start. */
static int64_t asked_ns(const struct trace_event *event)
{
	int64_t begin_ns = order_begin_ns(event);

	return begin_ns < 0 ? 0 : begin_ns;
}

/* Writes the earliest request of the window. */
static int let_out(struct exporting *export, struct iolog *iolog)
{
	struct trace_event event;
	uint64_t done = 0, length;
	int error;

	if (!order_take(&iolog->order, &event))
		return 0;
	iolog->last_us = asked_ns(&event) / NS_PER_US;
	error = meet(export, iolog, iolog->last_us, event.object);
	for (; !error && done < event.bytes; done += length) {
		length = event.bytes - done;
		if (length > LENGTH_MAX)
			length = LENGTH_MAX;
		write_file(export, iolog->last_us, event.object);
		fprintf(export->out, " %s %llu %llu\n",
			event.flags & TRACE_WRITE ? "write" : "read",
			(unsigned long long)(event.offset_bytes + done),
			(unsigned long long)length);
	}
	export->written++;
	return error;
}

static int put(struct exporting *export, const struct trace_event *event,
	       struct fault *fault)
{
	struct iolog *iolog = export->state;
	int error;

	if (event->kind != TRACE_REQUEST || !event->bytes ||
	    event->bytes > REQUEST_MAX ||
	    event->offset_bytes > UINT64_MAX - event->bytes) {
		export->left++;
		return 0;
	}
	if (order_is_full(&iolog->order)) {
		error = let_out(export, iolog);
		if (error)
			return error;
	}
	if (order_is_past(&iolog->order, asked_ns(event))) {
		fault_set(fault, NULL, 0,
			  "request %llu was asked for before one of more than "
			  "%u requests ago: out of order by more than the "
			  "window, and fio wants times that never go back",
			  (unsigned long long)event->number,
			  ORDER_EVENTS_DEFAULT);
		return -EINVAL;
	}
	return order_put(&iolog->order, asked_ns(event), event);
}

static int end(struct exporting *export, struct fault *fault)
{
	struct iolog *iolog = export->state;
	int error = 0;
	uint32_t i;

	(void)fault;
	while (!error && iolog->order.count)
		error = let_out(export, iolog);
	for (i = 0; !error && i < iolog->files.count; i++) {
		write_file(export, iolog->last_us, iolog->met[i]);
		fputs(" close\n", export->out);
	}
	order_release(&iolog->order);
	objects_release(&iolog->files);
	free(iolog->met);
	free(iolog);
	return error;
}

const struct exporter export_iolog = {
	.name = "iolog",
	.help = "requests, as fio --read_iolog replays them (version 3)",
	.begin = begin,
	.put = put,
	.end = end,
};
