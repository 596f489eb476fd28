/* SPDX-License-Identifier: MIT */
/* A record of a catalogue, from hostile bytes: what is read encodes to the
 * same bytes again. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "storage/bytes.h"
#include "storage/dataset/catalogue.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct catalogue_record record;
	uint32_t *lengths;
	uint8_t *again;

	if (catalogue_decode(&record, bytes, size))
		return 0;
	CHECK(size == catalogue_record_bytes(record.examples));
	lengths = calloc(record.examples, sizeof(*lengths));
	again = malloc(size);
	CHECK(lengths);
	CHECK(again);
	for (uint32_t index = 0;
	     size > CATALOGUE_RECORD_BYTES && index < record.examples; index++)
		lengths[index] = bytes_get_le32(bytes + CATALOGUE_RECORD_BYTES +
						(size_t)index * 4);
	catalogue_encode(again, &record, lengths);
	CHECK(memcmp(again, bytes, size) == 0);
	free(again);
	free(lengths);
	return 0;
}
