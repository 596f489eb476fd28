/* SPDX-License-Identifier: MIT */
/* The keys of DLIO, also those of its older versions: one row each. */
#include "traces/workload/workload.h"

#define AT(member) offsetof(struct workload, member)
#define EXAMPLES_MAX 1e12
#define GIB 1073741824.0
#define HOUR_S 3600.0
#define STEPS_MAX 1e12
#define IGNORED(name)                                                          \
	{                                                                      \
		name, WORKLOAD_IGNORED, 0, 0, 0, ""                            \
	}

const struct workload_key workload_key_table[] = {
	{ "source", WORKLOAD_TEXT, AT(source), 0, 0, "" },
	{ "as_of", WORKLOAD_TEXT, AT(as_of), 0, 0, "" },

	{ "model.name", WORKLOAD_TEXT, AT(model), 0, 0, "" },
	{ "workflow.train", WORKLOAD_BOOL, AT(trains), 0, 0, "true" },

	{ "storage.storage_type", WORKLOAD_TEXT, AT(storage), 0, 0, "" },

	{ "dataset.format", WORKLOAD_TEXT, AT(format), 0, 0, "tfrecord" },
	{ "dataset.num_files_train", WORKLOAD_COUNT, AT(files), 1, EXAMPLES_MAX,
	  NULL },
	{ "dataset.num_samples_per_file", WORKLOAD_COUNT, AT(samples_per_file),
	  1, EXAMPLES_MAX, "1" },
	{ "dataset.record_length_bytes", WORKLOAD_NUMBER, AT(record_bytes), 1,
	  GIB, NULL },
	{ "dataset.record_length_bytes_stdev", WORKLOAD_NUMBER,
	  AT(record_stdev_bytes), 0, GIB, "0" },
	{ "dataset.record_length", WORKLOAD_NUMBER, AT(old_record_bytes), 1,
	  GIB, "" },
	{ "dataset.record_length_stdev", WORKLOAD_NUMBER,
	  AT(old_record_stdev_bytes), 0, GIB, "0" },

	{ "dataset.parquet.columns", WORKLOAD_COLUMNS, AT(columns), 0, 0, "" },

	{ "reader.data_loader", WORKLOAD_TEXT, AT(loader), 0, 0, "tensorflow" },
	{ "reader.batch_size", WORKLOAD_COUNT, AT(batch_size), 1, 1048576,
	  NULL },
	{ "reader.read_threads", WORKLOAD_COUNT, AT(read_threads), 0, 1024,
	  "1" },
	{ "reader.prefetch_size", WORKLOAD_COUNT, AT(prefetch_batches), 0, 1024,
	  "2" },
	{ "reader.file_shuffle", WORKLOAD_SHUFFLE, AT(file_shuffle), 0, 0,
	  "off" },
	{ "reader.sample_shuffle", WORKLOAD_SHUFFLE, AT(sample_shuffle), 0, 0,
	  "off" },
	{ "reader.shuffle_size", WORKLOAD_COUNT, AT(shuffle_examples), 0, 1e8,
	  "1024" },
	{ "reader.transfer_size", WORKLOAD_COUNT, AT(transfer_bytes), 512, GIB,
	  "" },
	{ "reader.preprocess_time", WORKLOAD_TIME, AT(decode_ns), 0, HOUR_S,
	  "0" },
	{ "reader.preprocess_time_stdev", WORKLOAD_STDEV, AT(decode_ns), 0,
	  HOUR_S, "" },

	{ "train.computation_time", WORKLOAD_TIME, AT(step_ns), 1e-9, HOUR_S,
	  NULL },
	{ "train.computation_time_stdev", WORKLOAD_STDEV, AT(step_ns), 0,
	  HOUR_S, "" },
	{ "train.epochs", WORKLOAD_COUNT, AT(epochs), 1, 1e9, "1" },
	{ "train.total_training_steps", WORKLOAD_COUNT, AT(steps), 1, STEPS_MAX,
	  "" },
	{ "train.seed", WORKLOAD_COUNT, AT(seed), 0, 9007199254740992.0,
	  "123" },
	{ "output.metric.exclude_start_steps", WORKLOAD_COUNT, AT(warmup_steps),
	  0, STEPS_MAX, "1" },
	{ "metric.au", WORKLOAD_NUMBER, AT(au_target), 0, 1, "" },

	/* Sections that have no meaning, with all in them. */
	IGNORED("checkpoint"),
	IGNORED("evaluation"),
	IGNORED("profiling"),
	IGNORED("hydra"),
	IGNORED("defaults"),
	IGNORED("framework"),

	IGNORED("model.type"),
	IGNORED("model.model_size"),
	IGNORED("model.model_size_bytes"),
	IGNORED("model.optimization_groups"),
	IGNORED("model.num_layers"),
	IGNORED("model.layer_parameters"),
	IGNORED("model.model_datatype"),
	IGNORED("model.optimizer_datatype"),
	IGNORED("model.parallelism"),
	IGNORED("model.transformer"),

	IGNORED("workflow.generate_data"),
	IGNORED("workflow.evaluation"),
	IGNORED("workflow.do_eval"),
	IGNORED("workflow.checkpoint"),
	IGNORED("workflow.profiling"),
	IGNORED("workflow.debug"),

	IGNORED("storage.storage_root"),
	IGNORED("storage.storage_options"),
	IGNORED("storage.storage_library"),

	IGNORED("dataset.data_folder"),
	IGNORED("dataset.num_files_eval"),
	IGNORED("dataset.eval_num_samples_per_file"),
	IGNORED("dataset.record_length_resize"),
	IGNORED("dataset.record_length_bytes_resize"),
	IGNORED("dataset.record_element_bytes"),
	IGNORED("dataset.record_element_type"),
	IGNORED("dataset.record_dims"),
	IGNORED("dataset.generation_buffer_size"),
	IGNORED("dataset.num_subfolders_train"),
	IGNORED("dataset.num_subfolders_eval"),
	IGNORED("dataset.enable_chunking"),
	IGNORED("dataset.chunk_size"),
	IGNORED("dataset.compression"),
	IGNORED("dataset.compression_level"),
	IGNORED("dataset.file_prefix"),
	IGNORED("dataset.keep_files"),
	IGNORED("dataset.hdf5"),
	IGNORED("dataset.parquet.row_group_size"),
	IGNORED("dataset.parquet.read_mode"),
	IGNORED("dataset.parquet.partition_by"),
	IGNORED("dataset.parquet.generation_batch_size"),

	IGNORED("reader.dont_use_mmap"),
	IGNORED("reader.reader_classname"),
	IGNORED("reader.multiprocessing_context"),
	IGNORED("reader.data_loader_classname"),
	IGNORED("reader.data_loader_sampler"),
	IGNORED("reader.computation_threads"),
	IGNORED("reader.batch_size_eval"),
	IGNORED("reader.file_access"),
	IGNORED("reader.read_type"),
	IGNORED("reader.odirect"),
	IGNORED("reader.pin_memory"),
	IGNORED("reader.transformed_record_dims"),
	IGNORED("reader.transformed_record_element_type"),

	IGNORED("train.seed_change_epoch"),
	IGNORED("train.total_eval_steps"),

	IGNORED("output.folder"),
	IGNORED("output.log_file"),
	IGNORED("output.metric.exclude_end_steps"),
};

const size_t workload_key_count =
	sizeof(workload_key_table) / sizeof(workload_key_table[0]);
_Static_assert(sizeof(workload_key_table) / sizeof(workload_key_table[0]) <=
		       WORKLOAD_KEYS_MAX,
	       "each row has its place in workload_keys.seen");
