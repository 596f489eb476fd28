/* SPDX-License-Identifier: MIT */
#include "traces/workload/workload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "traces/nearest.h"
#include "traces/text_file.h"
#include "traces/units.h"
#include "traces/value.h"
#include "traces/workload/value.h"
#include "traces/yaml.h"

/* What is being read. */
struct importer {
	struct reader reader;
	struct workload *workload;
	struct workload_keys *keys;
};

static const struct workload_key *find_key(const char *name)
{
	size_t i;

	for (i = 0; i < workload_key_count; i++)
		if (strcmp(workload_key_table[i].name, name) == 0)
			return &workload_key_table[i];
	return NULL;
}

static bool is_section(const char *name)
{
	size_t length = strlen(name);
	size_t i;

	for (i = 0; i < workload_key_count; i++)
		if (strncmp(workload_key_table[i].name, name, length) == 0 &&
		    workload_key_table[i].name[length] == '.')
			return true;
	return false;
}

/* ---- unknown keys ---- */

/* The known key or section that is nearest in the same section, else the key
 * of another whose last word is. `near` stays empty when there is none. */
static void find_near(const char *section, const char *name, char *near)
{
	struct nearest inside = nearest_to(name);
	struct nearest outside = nearest_to(name);
	size_t length = strlen(section);
	const char *other = NULL;
	size_t i;

	for (i = 0; i < workload_key_count; i++) {
		const char *key = workload_key_table[i].name;
		const char *last = strrchr(key, '.');
		size_t word;

		last = last ? last + 1 : key;
		if (nearest_take(&outside, last, strlen(last)))
			other = key;
		if (strncmp(key, section, length) != 0)
			continue;
		word = strcspn(key + length, ".");
		if (nearest_take(&inside, key + length, word))
			snprintf(near, WORKLOAD_KEY_MAX, "%.*s",
				 (int)(length + word), key);
	}
	if (!inside.found && other)
		snprintf(near, WORKLOAD_KEY_MAX, "%s", other);
}

static void note_unknown(struct importer *importer, const char *section,
			 const struct yaml_value *value)
{
	struct workload_keys *keys = importer->keys;
	size_t at = keys->unknown_count++;
	char quoted[WORKLOAD_KEY_MAX - 32];

	if (at >= WORKLOAD_UNKNOWN_MAX)
		return;
	value_quote(value->key, quoted, sizeof(quoted));
	/* Without its quotes. */
	snprintf(keys->unknown[at].key, WORKLOAD_KEY_MAX, "%.30s%.*s", section,
		 (int)strlen(quoted) - 2, quoted + 1);
	keys->unknown[at].line = value->line;
	find_near(section, value->key, keys->unknown[at].near);
}

/* ---- the walk ---- */

static int read_member(struct importer *importer, const char *section,
		       const struct yaml_value *value);

static int read_section(struct importer *importer, const char *section,
			const struct yaml_value *map)
{
	const struct yaml_value *value;
	int error = 0;

	for (value = map->child; value && !error; value = value->next)
		error = read_member(importer, section, value);
	return error;
}

/* `section` ends with a dot, or is empty. */
static int read_member(struct importer *importer, const char *section,
		       const struct yaml_value *value)
{
	char name[WORKLOAD_KEY_MAX], inner[WORKLOAD_KEY_MAX + 1];
	const char *key = value->key;
	const struct workload_key *row;

	/* Its older name. */
	if (!*section && strcmp(key, "data_reader") == 0)
		key = "reader";
	if (snprintf(name, sizeof(name), "%s%s", section, key) >=
	    (int)sizeof(name) - 1) {
		note_unknown(importer, section, value);
		return 0;
	}
	row = strchr(key, '.') ? NULL : find_key(name);
	if (row) {
		importer->keys->seen[row - workload_key_table] = true;
		return workload_value_read(&importer->reader, row, value,
					   importer->workload);
	}
	if (strchr(key, '.') || !is_section(name)) {
		note_unknown(importer, section, value);
		return 0;
	}
	if (value->kind == YAML_EMPTY)
		return 0;
	/* DLIO's first version had a name there. */
	if (strcmp(name, "model") == 0 && value->kind == YAML_SCALAR) {
		row = find_key("model.name");
		importer->keys->seen[row - workload_key_table] = true;
		return workload_value_read(&importer->reader, row, value,
					   importer->workload);
	}
	if (value->kind != YAML_MAP)
		return value_refuse(&importer->reader, name, value,
				    "a map of keys");
	snprintf(inner, sizeof(inner), "%s.", name);
	return read_section(importer, inner, value);
}

/* ---- what is missing ---- */

/* A misspelt key that may have been meant. */
static int line_near(const struct workload_keys *keys, const char *name,
		     const char **key)
{
	size_t count = keys->unknown_count;
	size_t i;

	for (i = 0; i < count && i < WORKLOAD_UNKNOWN_MAX; i++) {
		if (strcmp(keys->unknown[i].near, name) != 0)
			continue;
		*key = keys->unknown[i].key;
		return keys->unknown[i].line;
	}
	return 0;
}

static int check_given(const struct importer *importer)
{
	const char *misspelt = "";
	size_t i;
	int line;

	for (i = 0; i < workload_key_count; i++) {
		const struct workload_key *row = &workload_key_table[i];

		if (row->fallback || importer->keys->seen[i])
			continue;
		if (strcmp(row->name, "dataset.record_length_bytes") == 0 &&
		    importer->workload->old_record_bytes > 0)
			continue;
		line = line_near(importer->keys, row->name, &misspelt);
		if (line)
			fault_set(importer->reader.fault,
				  importer->reader.source.name, line,
				  "unknown key \"%s\", and %s is not given; "
				  "did you mean that?",
				  misspelt, row->name);
		else
			fault_set(importer->reader.fault,
				  importer->reader.source.name, 0,
				  "%s: not given; nothing can be said of a "
				  "workload without it",
				  row->name);
		return -EINVAL;
	}
	return 0;
}

static bool is_seen(const struct importer *importer, const char *name)
{
	return importer->keys->seen[find_key(name) - workload_key_table];
}

/* DLIO renamed two keys. An old name counts where the new one is not given. */
static void take_old_names(struct importer *importer)
{
	struct workload *workload = importer->workload;

	if (is_seen(importer, "dataset.record_length_bytes"))
		workload->old_record_bytes = 0;
	else
		workload->record_bytes = workload->old_record_bytes;
	if (!is_seen(importer, "dataset.record_length_bytes_stdev"))
		workload->record_stdev_bytes = workload->old_record_stdev_bytes;
}

/* Of a row only the columns are read that are asked for. */
static void take_columns(struct workload *workload)
{
	const struct workload_columns *columns = &workload->columns;

	workload->stored_bytes = workload->record_bytes;
	if (!columns->skipped || columns->read_bytes < 1)
		return;
	workload->record_bytes = columns->read_bytes;
	workload->record_stdev_bytes = 0;
	if (workload->stored_bytes < workload->record_bytes)
		workload->stored_bytes = workload->record_bytes;
}

static int check_whole(const struct importer *importer)
{
	const struct workload *workload = importer->workload;
	double samples =
		(double)workload->files * (double)workload->samples_per_file;
	int error;

	if (!workload->trains) {
		fault_set(importer->reader.fault, importer->reader.source.name,
			  0,
			  "workflow.train: false; expected a workload that "
			  "trains: this one reads nothing that waits for an "
			  "accelerator");
		return -EINVAL;
	}
	error = check_given(importer);
	if (error)
		return error;
	if (workload->record_bytes > 0x1p30) {
		fault_set(importer->reader.fault, importer->reader.source.name,
			  0,
			  "dataset.parquet.columns: those that are read make "
			  "%.0f bytes; expected at most 1 GiB",
			  workload->record_bytes);
		return -EINVAL;
	}
	if (samples > 1e12) {
		fault_set(importer->reader.fault, importer->reader.source.name,
			  0,
			  "dataset.num_files_train: with "
			  "num_samples_per_file these are %.3g samples; "
			  "expected at most 1e12",
			  samples);
		return -EINVAL;
	}
	return 0;
}

/* ---- the file ---- */

static void fill_defaults(struct workload *workload)
{
	const struct reader reader = { .source.name = "default" };
	struct yaml_value value = { .kind = YAML_SCALAR };
	size_t i;

	memset(workload, 0, sizeof(*workload));
	for (i = 0; i < workload_key_count; i++) {
		const struct workload_key *row = &workload_key_table[i];

		value.text = row->fallback;
		if (value.text && *value.text)
			CHECK(!workload_value_read(&reader, row, &value,
						   workload));
	}
}

static int read_root(struct importer *importer, const struct yaml_value *root)
{
	const struct yaml_value *value;

	if (root->kind != YAML_MAP)
		return value_refuse(&importer->reader, "workload", root,
				    "a map with DLIO's keys: dataset, reader, "
				    "train");
	/* As hydra composes it, all is below `workload`. */
	for (value = root->child; value; value = value->next)
		if (strcmp(value->key, "workload") == 0 &&
		    value->kind == YAML_MAP)
			return read_section(importer, "", value);
	return read_section(importer, "", root);
}

int workload_parse(struct workload *workload, struct workload_keys *keys,
		   const char *name, const char *text, size_t size,
		   struct fault *fault)
{
	struct workload_keys own;
	struct importer importer = {
		.reader = { { name, true }, fault, 0 },
		.workload = workload,
		.keys = keys ? keys : &own,
	};
	struct yaml_tree *tree;
	int error;

	memset(importer.keys, 0, sizeof(*importer.keys));
	fill_defaults(workload);
	error = yaml_open(&tree, &importer.reader.source, text, size, fault);
	if (error)
		return error;
	error = read_root(&importer, yaml_root(tree));
	yaml_close(tree);
	if (error)
		return error;
	take_old_names(&importer);
	take_columns(workload);
	return check_whole(&importer);
}

int workload_read(struct workload *workload, struct workload_keys *keys,
		  const char *path, struct fault *fault)
{
	char *text;
	size_t size = 0;
	int error = text_file_read(path, &text, &size);

	if (error) {
		if (keys)
			memset(keys, 0, sizeof(*keys));
		fault_set(fault, path, 0, "cannot be read: %s",
			  strerror(-error));
		return error;
	}
	error = workload_parse(workload, keys, path, text, size, fault);
	free(text);
	return error;
}

double workload_demand_bytes_per_s(const struct workload *workload)
{
	return (double)workload->batch_size * workload->record_bytes /
	       distribution_mean(&workload->step_ns) * 1e9;
}
