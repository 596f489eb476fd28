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

/* ---- for whoever carries whole batches ---- */

/* Divides a request that is filled in into parts. */
void blocks_divide(const struct engine *engine, struct request *request);

/* Asks for a request's next part. */
void blocks_ask_part(struct engine *engine, struct loader *loader,
		     uint32_t request_slot);

/* A part is there: counts and tells it, and lets its slot go; one that failed
 * ends the run. Returns whether all of its request is there. */
bool blocks_take_part(struct engine *engine, struct loader *loader,
		      uint32_t slot);

/* Makes the request's next block the one in a slot of decompression. */
void blocks_begin(struct engine *engine, struct loader *loader,
		  uint32_t request_slot, uint32_t slot);

/* Asks an outside worker for the block in a slot, the index-th of its request;
 * counts and tells what that worker did. */
void blocks_ask_decompress(struct engine *engine, struct loader *loader,
			   uint32_t slot, uint32_t index);
void blocks_count_decompress(const struct engine *engine, struct loader *loader,
			     uint32_t slot);

#endif
