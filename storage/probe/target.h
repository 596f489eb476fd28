/* SPDX-License-Identifier: MIT */
/*
 * What a probe reads: one file, the largest files of a folder (those below
 * PROBE_BYTES_MIN where all are, if they come to it together), a block device,
 * or a file made for the purpose; open, and seen as one row of blocks of
 * whatever size is asked for.
 */
#ifndef STORAGE_PROBE_TARGET_H
#define STORAGE_PROBE_TARGET_H

#include "storage/probe/probe.h"

#define PROBE_FILES_MAX 512 /* all of them open */

struct probe_target {
	int fds[PROBE_FILES_MAX];
	uint64_t bytes[PROBE_FILES_MAX];
	struct probe_facts facts;
};

/* Opens options->path, or makes the test file in it. -EINTR when progress
 * asked to stop. */
int probe_target_open(struct probe_target *target,
		      const struct probe_options *options, struct fault *fault)
	__attribute__((warn_unused_result));

void probe_target_close(struct probe_target *target);

/* Whole blocks of this size in all files. */
uint64_t probe_target_blocks(const struct probe_target *target,
			     uint64_t block_bytes);

/* Where block `number` of this size lies; number < probe_target_blocks(). */
struct probe_place {
	uint32_t file;
	uint64_t offset_bytes;
};

struct probe_place probe_target_find(const struct probe_target *target,
				     uint64_t block_bytes, uint64_t number);

/* Asks the kernel to forget what it has read ahead or kept. Buffered reads
 * would otherwise measure memory. */
void probe_target_forget(const struct probe_target *target);

/* Adds a line to the notes, as far as there is room. */
void probe_note(struct probe_facts *facts, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
