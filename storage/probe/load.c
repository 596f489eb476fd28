/* SPDX-License-Identifier: MIT */
#include "storage/probe/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "storage/buffers.h"
#include "storage/clock.h"

#define ALIGNMENT_BYTES 4096
#define REAP_BATCH 64

#define PATIENCE_NS INT64_C(30000000000)
#define WAIT_NS INT64_C(200000000)

int probe_site_open(struct probe_site **out,
		    const struct probe_options *options, struct fault *fault)
{
	struct probe_site *site;
	int error;

	site = calloc(1, sizeof(*site));
	if (!site)
		return -ENOMEM;
	site->options = options;
	site->fault = fault;
	site->places = random_stream(options->seed, RANDOM_PROBE);
	error = probe_target_open(&site->target, options, fault);
	if (error)
		goto free_site;
	error = reader_wake_init(&site->wake);
	if (error)
		goto close_target;
	site->buffer = buffers_map(LOAD_BYTES_MAX);
	if (!site->buffer) {
		error = -ENOMEM;
		goto release_wake;
	}
	site->start_ns = clock_now_ns();
	*out = site;
	return 0;

release_wake:
	reader_wake_release(&site->wake);
close_target:
	probe_target_close(&site->target);
free_site:
	free(site);
	return error;
}

void probe_site_close(struct probe_site *site)
{
	if (site->stuck)
		return;
	buffers_unmap(site->buffer, LOAD_BYTES_MAX);
	reader_wake_release(&site->wake);
	probe_target_close(&site->target);
	free(site);
}

static void complain(struct probe_site *site, int error, const char *what)
{
	fault_set(site->fault, site->options->path, 0, "%s: %s", what,
		  strerror(-error));
}

static void note_reader(struct probe_site *site, const struct reader *reader)
{
	struct probe_facts *facts = &site->target.facts;
	const struct reader_facts *granted = reader_facts(reader);

	facts->backend = granted->backend;
	if (granted->notes[0] && !strstr(facts->notes, "not registered"))
		probe_note(facts, "%s", granted->notes);
}

int load_open(struct load *load, struct probe_site *site,
	      const struct probe_point *point)
{
	struct reader_setup setup = {
		.files = site->target.fds,
		.file_count = site->target.facts.files,
		.memory = site->buffer,
		.slot_bytes = point->bytes,
		.slot_count = point->inflight,
		.inflight_max = point->inflight,
		.alignment_bytes = ALIGNMENT_BYTES,
		.wake = &site->wake,
	};
	int error;

	CHECK(point->inflight <= LOAD_INFLIGHT_MAX);
	CHECK(point->inflight * point->bytes <= LOAD_BYTES_MAX);
	memset(load, 0, sizeof(*load));
	load->site = site;
	load->point = point;
	load->blocks = probe_target_blocks(&site->target, point->bytes);
	if (!site->target.facts.direct)
		probe_target_forget(&site->target);
	if (site->options->kind)
		error = reader_open_kind(&load->reader, site->options->kind,
					 &setup, site->fault);
	else
		error = reader_open(&load->reader, READER_ANY, &setup,
				    site->fault);
	if (!error)
		note_reader(site, load->reader);
	return error;
}

static void submit(struct load *load, uint32_t slot)
{
	struct probe_site *site = load->site;
	struct reader_request request = {
		.slot = slot,
		.bytes = load->point->bytes,
		.needed_bytes = load->point->bytes,
	};
	struct probe_place place;
	uint64_t number;

	if (load->point->sequential)
		number = site->next_block++ % load->blocks;
	else
		number = random_below(random_bits(site->places, site->place++),
				      load->blocks);
	place = probe_target_find(&site->target, load->point->bytes, number);
	request.file = place.file;
	request.offset_bytes = place.offset_bytes;
	load->submitted_ns[slot] = clock_now_ns();
	reader_submit(load->reader, &request);
	load->inflight++;
}

void load_start(struct load *load)
{
	for (uint32_t slot = 0; slot < load->point->inflight; slot++)
		submit(load, slot);
}

int load_turn(struct load *load, struct histogram *latency)
{
	struct reader_done done[REAP_BATCH];
	int error;

	error = reader_wait(load->reader, WAIT_NS);
	if (error) {
		complain(load->site, error, "waiting for reads failed");
		return error;
	}
	load->taken = reader_reap(load->reader, done, REAP_BATCH);
	for (uint32_t i = 0; i < load->taken; i++) {
		uint32_t slot = done[i].slot;

		load->inflight--;
		load->taken_ns = done[i].at_ns;
		if (done[i].error) {
			complain(load->site, done[i].error, "a read failed");
			return -EIO; /* whatever the kernel calls it */
		}
		if (latency)
			histogram_add(latency,
				      done[i].at_ns - load->submitted_ns[slot]);
		if (!load->ending)
			submit(load, slot);
	}
	return 0;
}

int load_look(const struct load *load, int64_t last_ns)
{
	struct probe_site *site = load->site;
	const struct probe_options *options = site->options;
	int64_t now_ns = clock_now_ns();
	double done =
		(double)(now_ns - site->start_ns) / (double)options->budget_ns;

	if (now_ns - last_ns >= PATIENCE_NS) {
		complain(site, -ETIMEDOUT, "the storage does not answer");
		return -ETIMEDOUT;
	}
	if (options->progress(options->context, "probe", done < 1 ? done : 1))
		return 0;
	return -EINTR;
}

/* What is still in flight may fail like any other read. */
static int finish(struct load *load)
{
	int64_t last_ns = clock_now_ns();
	int error = 0;

	load->ending = true;
	while (!error && load->inflight) {
		error = load_turn(load, NULL);
		if (load->taken)
			last_ns = clock_now_ns();
		if (!error)
			error = load_look(load, last_ns);
	}
	return error;
}

int load_close(struct load *load, int error)
{
	struct probe_site *site = load->site;

	if (!error)
		error = finish(load);
	if (reader_close(load->reader, PATIENCE_NS) == 0)
		return error;
	site->stuck = true;
	complain(site, -ETIMEDOUT, "reads do not come to an end");
	return error ? error : -ETIMEDOUT;
}
