/* SPDX-License-Identifier: MIT */
/*
 * A recording: what happened in a run, event by event, as bytes. First a head
 * with the scenario, then records of one size, one for an event, in the order
 * in which an engine told them (sim/trace_event.h), and a last one that says
 * how the run ended. A recording without that was cut short, and is good as
 * far as it goes. docs/recording.md has the layout.
 *
 * Files and compression are another room's business: bytes come from a source
 * (traces/byte_source.h), and whoever writes copies what is encoded here.
 */
#ifndef TRACES_RECORDING_H
#define TRACES_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "sim/trace_event.h"
#include "traces/byte_source.h"

/* Of version 1, which is read as well, the text is another (head.text). */
#define RECORDING_VERSION 2
#define RECORDING_RECORD_BYTES 72
#define RECORDING_HEAD_BYTES 40
#define RECORDING_TEXT_BYTES_MAX ((size_t)128 << 10)

/* Times of events lie within plus or minus this, so that the difference of any
 * two can be told. */
#define RECORDING_TIME_MAX ((INT64_C(1) << 62) - 1)

struct recording_head {
	uint32_t version;
	bool live;
	bool native;	 /* live, and no device model held it back */
	bool buffered;	 /* live, and not through O_DIRECT */
	bool excerpt;	 /* not the whole run: trace cut */
	bool imported;	 /* a foreign trace, without a scenario */
	uint64_t digest; /* of the text */
	/* Where the blocks of the packed dataset lie, in one number; 0: the
	 * scenario described its dataset. */
	uint64_t layout_digest;
	/* The scenario as a file of it would be: traces/recording/scenario.h.
	 * Of version 1: something else, for nobody to read any more. */
	const char *text;
	size_t text_bytes;
};

/* How the run ended. */
struct recording_end {
	bool complete;	    /* it reached its limit */
	int64_t run_ns;	    /* where it ended */
	uint64_t events;    /* in the recording */
	uint64_t decisions; /* struct figures.digest */
	uint64_t requests;  /* of the events */
	uint64_t steps;
};

/* ---- encoding ---- */

/* Writes the head's RECORDING_HEAD_BYTES, which the text follows; the digest
 * is computed. */
void recording_encode_head(const struct recording_head *head,
			   unsigned char *bytes);

/* Writes one record. Times that are known lie within RECORDING_TIME_MAX. */
void recording_encode(const struct trace_event *event, unsigned char *bytes);
void recording_encode_end(const struct recording_end *end,
			  unsigned char *bytes);

uint64_t recording_digest(const char *text, size_t text_bytes);

/* ---- decoding ---- */

struct recording;

/* Reads the head. Faults name the file `name`; it and what the source refers
 * to outlive the recording. -EINVAL: it is no recording, or of another
 * version; -EBADMSG: it is damaged. */
int recording_open(struct recording **out, const char *name,
		   const struct byte_source *source, struct fault *fault)
	__attribute__((warn_unused_result));
void recording_close(struct recording *recording);

const struct recording_head *recording_head(const struct recording *recording);

/* Reads the next event: 1; 0 at the end, also where the recording is cut
 * short; or negative errno. */
int recording_next(struct recording *recording, struct trace_event *event,
		   struct fault *fault) __attribute__((warn_unused_result));

/* After the last event: how the run ended; NULL: the recording was cut
 * short. */
const struct recording_end *recording_end(const struct recording *recording);

/* Events read so far. */
uint64_t recording_events(const struct recording *recording);

#endif
