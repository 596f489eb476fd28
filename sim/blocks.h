/* SPDX-License-Identifier: MIT */
/*
 * The stages of blocks (private to the engine's files): requests are read, and
 * their blocks decompressed.
 */
#ifndef SIM_BLOCKS_H
#define SIM_BLOCKS_H

#include "sim/loader.h"

/* Starts what reads and decompressions can be started. */
void blocks_start_read(struct engine *engine, struct loader *loader);
void blocks_start_decompress(struct engine *engine, struct loader *loader);

/* A read or a decompression is complete, at engine->now_ns. */
void blocks_finish_read(struct engine *engine, struct loader *loader,
			uint32_t slot);
void blocks_finish_decompress(struct engine *engine, struct loader *loader,
			      uint32_t slot);

#endif
