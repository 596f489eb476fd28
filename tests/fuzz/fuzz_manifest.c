/* SPDX-License-Identifier: MIT */
/*
 * The manifest of a dataset, from hostile bytes, as they are and with the
 * right checksum put behind them, since no fuzzer finds that. What is read is
 * printed again and must be read the same.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sim/check.h"
#include "storage/checksum.h"
#include "storage/dataset/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void parse(const char *text, size_t size)
{
	char printed[MANIFEST_BYTES_MAX];
	struct fault fault = { 0 };
	struct manifest manifest;
	struct manifest again;
	size_t printed_size;

	if (manifest_parse(&manifest, text, size, "fuzz", &fault)) {
		CHECK(fault.text[0]);
		CHECK(fault.line >= 1);
		return;
	}
	CHECK(manifest_recognise(text, size));
	printed_size = manifest_print(printed, &manifest);
	CHECK(manifest_parse(&again, printed, printed_size, "again", &fault) ==
	      0);
	CHECK(memcmp(&manifest, &again, sizeof(again)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char sealed[MANIFEST_BYTES_MAX + 32];

	parse((const char *)bytes, size);
	if (size > MANIFEST_BYTES_MAX)
		return 0;
	memcpy(sealed, bytes, size);
	snprintf(sealed + size, sizeof(sealed) - size, "xxh64 %016llx\n",
		 (unsigned long long)checksum_of(bytes, size));
	parse(sealed, size + strlen("xxh64 0123456789abcdef\n"));
	return 0;
}
