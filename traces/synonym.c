/* SPDX-License-Identifier: MIT */
#include "traces/synonym.h"

#include <stddef.h>
#include <string.h>

#include "traces/nearest.h"

const struct synonym synonyms[] = {
	/* PyTorch's DataLoader and its launchers. */
	{ "num_workers", "pipeline.loader.workers" },
	{ "prefetch_factor", "pipeline.loader.prefetch_factor" },
	{ "persistent_workers", "pipeline.loader.restart" },
	{ "pin_memory", "pipeline.loader.pin.time" },
	{ "drop_last", "pipeline.loader.pad" },
	{ "num_gpus", "accelerator.count" },
	{ "gpus", "accelerator.count" },
	{ "nproc_per_node", "accelerator.count" },
	{ "num_nodes", "accelerator.hosts" },
	{ "nnodes", "accelerator.hosts" },
	{ "nodes", "accelerator.hosts" },
	/* tf.data. */
	{ "buffer_size", "pipeline.shuffle_examples" },
	{ "shuffle_buffer", "pipeline.shuffle_examples" },
	{ "num_parallel_calls", "pipeline.decode.workers" },
	{ "cycle_length", "storage.queue_depth" },
	{ "drop_remainder", "pipeline.loader.pad" },
	/* DALI, FFCV, Mosaic. */
	{ "num_threads", "pipeline.decode.workers" },
	{ "prefetch_queue_depth", "pipeline.prefetch_batches" },
	{ "batches_ahead", "pipeline.prefetch_batches" },
	{ "initial_fill", "pipeline.shuffle_examples" },
	{ "predownload", "pipeline.read_ahead_examples" },
	/* DLIO. */
	{ "computation_time", "accelerator.step_time" },
	{ "record_length", "dataset.example_bytes" },
	{ "record_length_bytes", "dataset.example_bytes" },
	{ "num_samples_per_file", "dataset.shard_examples" },
	{ "read_threads", "pipeline.loader.workers" },
	{ "prefetch_size", "pipeline.loader.prefetch_factor" },
	{ "preprocess_time", "pipeline.decode.time" },
	{ "transfer_size", "storage.request_bytes" },
	/* Either's files. */
	{ "num_samples", "dataset.examples" },
	{ "max_steps", "run.steps" },
	{ "iodepth", "storage.queue_depth" }, /* fio */
	{ NULL, NULL },
};

const char *synonym_find(const char *word)
{
	const struct synonym *synonym = synonyms;

	for (; synonym->word; synonym++)
		if (!nearest_slips(synonym->word, strlen(synonym->word), word,
				   strlen(word)))
			return synonym->key;
	return NULL;
}
