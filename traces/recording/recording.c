/* SPDX-License-Identifier: MIT */
#include "traces/recording/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/pipeline.h"

/* A multiple of the record's size, read at once. */
#define CHUNK_BYTES ((size_t)RECORDING_RECORD_BYTES * 512)

#define KIND_END 255

static const unsigned char magic[8] = {
	'e', 'c', 'h', 'o', 't', 'r', 'c', '\n'
};

enum head_flag {
	HEAD_LIVE = 1,
	HEAD_NATIVE = 2,
	HEAD_BUFFERED = 4,
	HEAD_EXCERPT = 8,
	HEAD_IMPORTED = 16,
};
#define HEAD_FLAGS                                                             \
	(HEAD_LIVE | HEAD_NATIVE | HEAD_BUFFERED | HEAD_EXCERPT | HEAD_IMPORTED)
#define EVENT_FLAGS                                                            \
	(TRACE_WRITE | TRACE_FAILED | TRACE_FIRST_TOUCH | TRACE_LATE)

/* ---- numbers, the lowest byte first ---- */

static void put32(unsigned char *bytes, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(value >> (8 * i));
}

static void put64(unsigned char *bytes, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t get32(const unsigned char *bytes)
{
	uint32_t value = 0;

	for (int i = 0; i < 4; i++)
		value |= (uint32_t)bytes[i] << (8 * i);
	return value;
}

static uint64_t get64(const unsigned char *bytes)
{
	return (uint64_t)get32(bytes) | (uint64_t)get32(bytes + 4) << 32;
}

/* ---- encoding ---- */

/* FNV-1a, 64 bits. */
uint64_t recording_digest(const char *text, size_t text_bytes)
{
	uint64_t digest = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < text_bytes; i++)
		digest = (digest ^ (unsigned char)text[i]) *
			 UINT64_C(0x100000001b3);
	return digest;
}

void recording_encode_head(const struct recording_head *head,
			   unsigned char *bytes)
{
	uint32_t flags = 0;

	CHECK(head->text_bytes <= RECORDING_TEXT_BYTES_MAX);
	CHECK(head->version >= 1 && head->version <= RECORDING_VERSION);
	flags |= head->live ? HEAD_LIVE : 0;
	flags |= head->native ? HEAD_NATIVE : 0;
	flags |= head->buffered ? HEAD_BUFFERED : 0;
	flags |= head->excerpt ? HEAD_EXCERPT : 0;
	flags |= head->imported ? HEAD_IMPORTED : 0;
	memcpy(bytes, magic, sizeof(magic));
	put32(bytes + 8, head->version);
	put32(bytes + 12, RECORDING_RECORD_BYTES);
	put32(bytes + 16, flags);
	put32(bytes + 20, (uint32_t)head->text_bytes);
	put64(bytes + 24, recording_digest(head->text, head->text_bytes));
	put64(bytes + 32, head->layout_digest);
}

static bool is_time(int64_t time_ns)
{
	return time_ns >= -RECORDING_TIME_MAX && time_ns <= RECORDING_TIME_MAX;
}

/* How long before the end; as it is, where either is not known. */
static uint64_t before(int64_t end_ns, int64_t time_ns)
{
	CHECK(is_time(time_ns) || time_ns == TIME_UNKNOWN);
	if (time_ns == TIME_UNKNOWN || end_ns == TIME_UNKNOWN)
		return (uint64_t)time_ns;
	return (uint64_t)(end_ns - time_ns);
}

void recording_encode(const struct trace_event *event, unsigned char *bytes)
{
	CHECK(is_time(event->end_ns) || event->end_ns == TIME_UNKNOWN);
	CHECK(event->kind < TRACE_KINDS);
	put64(bytes, (uint64_t)event->end_ns);
	put64(bytes + 8, before(event->end_ns, event->issue_ns));
	put64(bytes + 16, before(event->end_ns, event->start_ns));
	put64(bytes + 24, event->number);
	put64(bytes + 32, event->offset_bytes);
	put64(bytes + 40, event->bytes);
	put64(bytes + 48, event->cached_bytes);
	put32(bytes + 56, event->object);
	put32(bytes + 60, event->host);
	put32(bytes + 64, event->late_ns);
	bytes[68] = event->kind;
	bytes[69] = event->stage;
	bytes[70] = event->flags;
	bytes[71] = event->retries;
}

void recording_encode_end(const struct recording_end *end, unsigned char *bytes)
{
	memset(bytes, 0, RECORDING_RECORD_BYTES);
	put64(bytes, (uint64_t)end->run_ns);
	put64(bytes + 8, end->events);
	put64(bytes + 16, end->decisions);
	put64(bytes + 24, end->requests);
	put64(bytes + 32, end->steps);
	bytes[68] = KIND_END;
	bytes[70] = end->complete;
}

/* ---- decoding ---- */

struct recording {
	const char *name;
	struct byte_source source;
	struct recording_head head;
	struct recording_end end;
	bool ended;
	bool has_end;
	uint64_t events;
	size_t at, have; /* in the chunk */
	unsigned char chunk[CHUNK_BYTES];
	char text[RECORDING_TEXT_BYTES_MAX + 1];
};

/* Reads until there are `size` bytes or the source ends. A packed file that is
 * cut short has ended as well. */
static int read_up_to(struct recording *recording, void *bytes, size_t size,
		      size_t *have, struct fault *fault)
{
	struct fault cut = { 0 };
	size_t got = 1;
	int error = 0;

	*have = 0;
	while (!error && got && *have < size) {
		error = byte_source_read(&recording->source,
					 (char *)bytes + *have, size - *have,
					 &got, &cut);
		*have += error ? 0 : got;
	}
	if (error && error != -ENODATA) {
		*fault = cut;
		return error;
	}
	return 0;
}

static int refuse(const struct recording *recording, int error,
		  const char *what, struct fault *fault)
{
	fault_set(fault, recording->name, 0, "%s", what);
	return error;
}

static int check_head(struct recording *recording, const unsigned char *bytes,
		      struct fault *fault)
{
	struct recording_head *head = &recording->head;
	uint32_t flags = get32(bytes + 16);

	head->version = get32(bytes + 8);
	if (!head->version || head->version > RECORDING_VERSION) {
		fault_set(fault, recording->name, 0,
			  "is a recording of version %u; this echosim reads "
			  "versions 1 to %d",
			  head->version, RECORDING_VERSION);
		return -EINVAL;
	}
	head->text_bytes = get32(bytes + 20);
	head->digest = get64(bytes + 24);
	head->layout_digest = get64(bytes + 32);
	if (get32(bytes + 12) != RECORDING_RECORD_BYTES ||
	    flags & ~(uint32_t)HEAD_FLAGS ||
	    (head->version == 1 && head->layout_digest) ||
	    head->text_bytes > RECORDING_TEXT_BYTES_MAX)
		return refuse(recording, -EBADMSG,
			      "is damaged: its head has values that no "
			      "recording has",
			      fault);
	head->live = flags & HEAD_LIVE;
	head->native = flags & HEAD_NATIVE;
	head->buffered = flags & HEAD_BUFFERED;
	head->excerpt = flags & HEAD_EXCERPT;
	head->imported = flags & HEAD_IMPORTED;
	return 0;
}

static int read_head(struct recording *recording, struct fault *fault)
{
	struct recording_head *head = &recording->head;
	unsigned char bytes[RECORDING_HEAD_BYTES] = { 0 };
	size_t have;
	int error;

	error = read_up_to(recording, bytes, sizeof(bytes), &have, fault);
	if (error)
		return error;
	if (memcmp(bytes, magic, have < sizeof(magic) ? have : sizeof(magic)))
		return refuse(recording, -EINVAL,
			      "is no recording of echosim: it does not begin "
			      "as one (expected what --trace writes)",
			      fault);
	if (have < sizeof(bytes))
		return refuse(recording, -EINVAL,
			      "is empty, or cut short before anything was "
			      "recorded",
			      fault);
	error = check_head(recording, bytes, fault);
	if (!error)
		error = read_up_to(recording, recording->text, head->text_bytes,
				   &have, fault);
	if (error)
		return error;
	if (have < head->text_bytes)
		return refuse(recording, -EINVAL,
			      "is cut short within its head: it holds nothing",
			      fault);
	head->text = recording->text;
	if (recording_digest(head->text, have) != head->digest)
		return refuse(recording, -EBADMSG,
			      "is damaged: its scenario does not have the "
			      "digest that its head says",
			      fault);
	return 0;
}

int recording_open(struct recording **out, const char *name,
		   const struct byte_source *source, struct fault *fault)
{
	struct recording *recording = calloc(1, sizeof(*recording));
	int error;

	if (!recording) {
		fault_set(fault, name, 0, "no memory to read it");
		return -ENOMEM;
	}
	recording->name = name;
	recording->source = *source;
	error = read_head(recording, fault);
	if (error)
		free(recording);
	else
		*out = recording;
	return error;
}

void recording_close(struct recording *recording)
{
	free(recording);
}

const struct recording_head *recording_head(const struct recording *recording)
{
	return &recording->head;
}

const struct recording_end *recording_end(const struct recording *recording)
{
	return recording->has_end ? &recording->end : NULL;
}

uint64_t recording_events(const struct recording *recording)
{
	return recording->events;
}

static int damaged(const struct recording *recording, const char *what,
		   struct fault *fault)
{
	fault_set(fault, recording->name, 0, "is damaged: record %llu has %s",
		  (unsigned long long)recording->events, what);
	return -EBADMSG;
}

/* The reverse of before(); false: it is no time. */
static bool after(int64_t end_ns, uint64_t stored, int64_t *time_ns)
{
	int64_t value = (int64_t)stored;

	*time_ns = value;
	if (value == TIME_UNKNOWN)
		return true;
	if (end_ns != TIME_UNKNOWN &&
	    __builtin_sub_overflow(end_ns, value, time_ns))
		return false;
	return is_time(*time_ns);
}

static const char *decode(const unsigned char *bytes, struct trace_event *event)
{
	*event = (struct trace_event){
		.end_ns = (int64_t)get64(bytes),
		.number = get64(bytes + 24),
		.offset_bytes = get64(bytes + 32),
		.bytes = get64(bytes + 40),
		.cached_bytes = get64(bytes + 48),
		.object = get32(bytes + 56),
		.host = get32(bytes + 60),
		.late_ns = get32(bytes + 64),
		.kind = bytes[68],
		.stage = bytes[69],
		.flags = bytes[70],
		.retries = bytes[71],
	};
	if (event->kind >= TRACE_KINDS)
		return "a kind that there is not";
	if (event->stage >= STAGE_COUNT)
		return "a stage that there is not";
	if (event->flags & ~EVENT_FLAGS)
		return "a flag that there is not";
	if (event->end_ns != TIME_UNKNOWN && !is_time(event->end_ns))
		return "an end out of range";
	if (!after(event->end_ns, get64(bytes + 8), &event->issue_ns) ||
	    !after(event->end_ns, get64(bytes + 16), &event->start_ns))
		return "a time out of range";
	return NULL;
}

/* The end's record; nothing may follow it. */
static int take_end(struct recording *recording, const unsigned char *bytes,
		    struct fault *fault)
{
	struct recording_end *end = &recording->end;
	unsigned char more;
	size_t have = 0;
	int error = 0;

	*end = (struct recording_end){
		.complete = bytes[70] == 1,
		.run_ns = (int64_t)get64(bytes),
		.events = get64(bytes + 8),
		.decisions = get64(bytes + 16),
		.requests = get64(bytes + 24),
		.steps = get64(bytes + 32),
	};
	if (end->run_ns < 0 || end->run_ns > RECORDING_TIME_MAX ||
	    bytes[70] > 1 || end->events != recording->events)
		return damaged(recording, "another end than its events come to",
			       fault);
	if (recording->at == recording->have)
		error = read_up_to(recording, &more, 1, &have, fault);
	if (error)
		return error;
	if (have || recording->at < recording->have) {
		fault_set(fault, recording->name, 0,
			  "goes on after the end of the recording (%llu "
			  "events); expected one recording in a file",
			  (unsigned long long)end->events);
		return -EBADMSG;
	}
	recording->has_end = true;
	recording->ended = true;
	return 0;
}

static int fill_chunk(struct recording *recording, struct fault *fault)
{
	recording->at = 0;
	return read_up_to(recording, recording->chunk, CHUNK_BYTES,
			  &recording->have, fault);
}

int recording_next(struct recording *recording, struct trace_event *event,
		   struct fault *fault)
{
	const unsigned char *bytes;
	const char *wrong;
	int error = 0;

	if (!recording->ended && recording->at == recording->have)
		error = fill_chunk(recording, fault);
	if (error)
		return error;
	/* Part of a record is the end of what was cut short. */
	if (recording->have - recording->at < RECORDING_RECORD_BYTES)
		recording->ended = true;
	if (recording->ended)
		return 0;
	bytes = recording->chunk + recording->at;
	recording->at += RECORDING_RECORD_BYTES;
	if (bytes[68] == KIND_END)
		return take_end(recording, bytes, fault);
	wrong = decode(bytes, event);
	if (wrong)
		return damaged(recording, wrong, fault);
	recording->events++;
	return 1;
}
