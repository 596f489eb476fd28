/* SPDX-License-Identifier: MIT */
/*
 * A variant: a name, and keys of a scenario with the values that they take in
 * it, to stand beside others of the same scenario. One is written as a member
 * of a YAML map, in a file's section `variants` or as the argument of
 * --variant:
 *
 *   fast: {storage: {device: nvme-pcie4}, pipeline.batch_size: 64}
 *
 * Keys are those of a scenario file, a section each or with dots. A variant
 * is the scenario with its keys set as --set would, in their order; paths in a
 * file are beside that file.
 */
#ifndef TRACES_VARIANT_H
#define TRACES_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fault.h"
#include "traces/field.h"
#include "traces/value.h"
#include "traces/yaml.h"

#define VARIANTS_MAX 64
#define VARIANT_NAME_MAX 64 /* bytes of a name */

struct variant_key {
	char key[FIELD_KEY_MAX];
	const struct yaml_value *value;
};

struct variant {
	const char *name;
	struct yaml_source source;
	uint32_t key_count;
	struct variant_key *keys;
};

/* Zero at first. */
struct variants {
	uint32_t count;
	struct variant items[VARIANTS_MAX];
	uint32_t tree_count;
	struct yaml_tree *trees[VARIANTS_MAX]; /* that they are read from */
};

/* Adds those of the section `variants` of a scenario's text, if it has one, or
 * the one of an argument of --variant. `name` stands for the file in faults
 * and outlives the variants. What the keys mean is looked at when they are
 * set. -EINVAL and a fault, -ENOMEM, or 0; to be released in any case. */
int variants_of_file(struct variants *variants, const char *name,
		     const char *text, size_t size, struct fault *fault)
	__attribute__((warn_unused_result));
int variants_of_argument(struct variants *variants, const char *text,
			 struct fault *fault)
	__attribute__((warn_unused_result));
void variants_release(struct variants *variants);

/* Sets its keys, which leaves the whole to be checked by scenario_check(). */
int variant_apply(const struct variant *variant, struct scenario *scenario,
		  struct fault *fault) __attribute__((warn_unused_result));

/* Does it set the key, or one below it? NULL is a variant without keys. */
bool variant_gives(const struct variant *variant, const char *key);

/* Its keys and values in one line, as --set takes them, cut to the size.
 * Returns text. */
const char *variant_say(const struct variant *variant, char *text, size_t size);

/* Is the section `variants` of a scenario file as it must be? */
int variants_check(const struct reader *reader, const struct scenario *scenario,
		   const struct yaml_value *section)
	__attribute__((warn_unused_result));

#endif
