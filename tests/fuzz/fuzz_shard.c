/* SPDX-License-Identifier: MIT */
/*
 * A shard from hostile hands: the bytes are a whole seekable file. What its
 * table claims must either be refused with a reason, or hold: every frame
 * lies inside the file, and unpacks into no more than the table said.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/check.h"
#include "storage/dataset/seekable.h"
#include "storage/zstd.h"

/* A frame may claim a gigabyte; more than this is right, but slow to try. */
#define CONTENT_MAX (1u << 20)
#define FRAMES_TRIED 64

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void unpack(struct decompressor *decompressor, const uint8_t *frame,
		   const struct seekable_entry *entry)
{
	uint8_t *stored, *content;
	const char *wrong;

	if (entry->content_bytes > CONTENT_MAX)
		return;
	/* Of exactly these sizes, so that a step beyond is seen. */
	stored = malloc(entry->stored_bytes + 1u);
	content = malloc(entry->content_bytes + 1u);
	CHECK(stored);
	CHECK(content);
	for (uint32_t i = 0; i < entry->stored_bytes; i++)
		stored[i + 1] = frame[i];
	wrong = decompressor_run(decompressor, stored + 1, entry->stored_bytes,
				 content + 1, entry->content_bytes,
				 entry->checksum);
	CHECK(!wrong || wrong[0]);
	free(content);
	free(stored);
}

static void unpack_all(const struct seekable *table, const uint8_t *bytes,
		       uint64_t frames_bytes)
{
	struct decompressor *decompressor;
	uint64_t at = 0;

	CHECK(!decompressor_open(&decompressor));
	for (uint32_t i = 0; i < table->frames; i++) {
		struct seekable_entry entry = seekable_entry(table, i);

		CHECK(entry.stored_bytes <= frames_bytes - at);
		if (i < FRAMES_TRIED)
			unpack(decompressor, bytes + at, &entry);
		at += entry.stored_bytes;
	}
	CHECK(at == frames_bytes);
	decompressor_close(decompressor);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fault fault = { 0 };
	struct seekable table;
	uint64_t table_bytes;
	int error;

	if (size < SEEKABLE_FOOTER_BYTES)
		return 0;
	table_bytes = seekable_find(bytes + size - SEEKABLE_FOOTER_BYTES, size);
	CHECK(table_bytes <= size);
	if (table_bytes == 0)
		return 0;
	error = seekable_parse(&table, bytes + size - table_bytes, table_bytes,
			       size, &fault);
	CHECK(!error == !fault.text[0]);
	if (!error)
		unpack_all(&table, bytes, size - table_bytes);
	return 0;
}
