/* SPDX-License-Identifier: MIT */
#include "cli/sides.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/text_file.h"

static int make_room(struct sides *sides, const struct options *options,
		     uint32_t count)
{
	uint32_t i;

	sides->items = calloc(count, sizeof(*sides->items));
	if (!sides->items)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		sides->items[i] = *options;
	sides->count = count;
	return 0;
}

/* ---- several files ---- */

/* A file's own name without its ending. */
static void name_by_path(const char *path, char name[VARIANT_NAME_MAX])
{
	const char *base = strrchr(path, '/');
	char *dot;

	snprintf(name, VARIANT_NAME_MAX, "%s", base ? base + 1 : path);
	dot = strrchr(name, '.');
	if (dot && dot > name)
		*dot = '\0';
}

static const struct options *find(const struct sides *sides, uint32_t before,
				  const char *name)
{
	uint32_t i;

	for (i = 0; i < before; i++)
		if (!strcmp(sides->items[i].side, name))
			return &sides->items[i];
	return NULL;
}

static int name_file(struct sides *sides, uint32_t index, const char *path,
		     struct fault *fault)
{
	char *name = sides->names[index];
	const struct options *other;

	name_by_path(path, name);
	other = find(sides, index, name);
	if (other && strcmp(other->scenario_path, path) != 0) {
		snprintf(name, VARIANT_NAME_MAX, "%s", path);
		other = find(sides, index, name);
	}
	if (other) {
		fault_set(fault, path, 0,
			  "two scenarios have the name \"%s\"; expected one of "
			  "its own for each file",
			  name);
		return -EINVAL;
	}
	sides->items[index].scenario_path = path;
	sides->items[index].side = name;
	return 0;
}

/* A file is read once: it may be a pipe. */
static int read_text(struct sides *sides, uint32_t index,
		     struct options *options, struct fault *fault)
{
	char **text = &sides->texts[index];
	int error = text_file_read(options->scenario_path, text,
				   &options->scenario_text_bytes);

	if (error)
		fault_set(fault, options->scenario_path, 0,
			  "cannot be read: %s", strerror(-error));
	options->scenario_text = *text;
	return error;
}

static int find_in_file(struct sides *sides, const struct options *options,
			struct fault *fault)
{
	return variants_of_file(&sides->variants, options->scenario_path,
				options->scenario_text,
				options->scenario_text_bytes, fault);
}

static int take_file(struct sides *sides, uint32_t index, const char *path,
		     struct fault *fault)
{
	struct options *side = &sides->items[index];
	int error = name_file(sides, index, path, fault);

	if (!error)
		error = read_text(sides, index, side, fault);
	if (!error)
		error = find_in_file(sides, side, fault);
	if (error || !sides->variants.count)
		return error;
	fault_set(fault, path, 0,
		  "variants: have no effect beside other scenarios; compare "
		  "this one alone");
	return -EINVAL;
}

static int take_files(struct sides *sides, const struct options *options,
		      const struct sides_request *request, struct fault *fault)
{
	int error = make_room(sides, options, 1 + request->path_count);
	uint32_t i;

	for (i = 0; i < sides->count && !error; i++)
		error = take_file(sides, i,
				  i ? request->paths[i - 1] :
				      options->scenario_path,
				  fault);
	return error;
}

/* ---- variants of one ---- */

static int find_variants(struct sides *sides, const struct options *base,
			 const struct sides_request *request,
			 struct fault *fault)
{
	int error = 0;
	uint32_t i;

	for (i = 0; i < request->variant_count && !error; i++)
		error = variants_of_argument(&sides->variants,
					     request->variants[i], fault);
	if (!request->variant_count && base->scenario_text)
		error = find_in_file(sides, base, fault);
	return error;
}

/* Each is as if it alone were the loader that was asked for. */
static int use_loaders(struct sides *sides, struct fault *fault)
{
	struct options *side;
	uint32_t i;

	for (i = 0; i < sides->count; i++) {
		side = &sides->items[i];
		side->side = side->loaders[i];
		if (options_use_loader(side, side->loaders[i]))
			continue;
		fault_set(fault, "--set", 0, "at most %d of them",
			  OVERRIDES_MAX - 1);
		return -EINVAL;
	}
	return 0;
}

static int take_variants(struct sides *sides, const struct options *options,
			 const struct sides_request *request,
			 struct fault *fault)
{
	const struct variants *variants = &sides->variants;
	struct options *base = calloc(1, sizeof(*base));
	bool of_loaders = options->loader_count > 1;
	int error = base ? 0 : -ENOMEM;
	uint32_t count, i;

	if (!error) {
		*base = *options;
		if (!base->workload)
			error = read_text(sides, 0, base, fault);
	}
	if (!error && !of_loaders)
		error = find_variants(sides, base, request, fault);
	count = of_loaders ? options->loader_count : variants->count;
	if (!error)
		error = make_room(sides, base, count ? count : 1);
	free(base);
	if (!error && of_loaders)
		return use_loaders(sides, fault);
	for (i = 0; i < variants->count && !error; i++) {
		sides->items[i].side = variants->items[i].name;
		sides->items[i].variant = &variants->items[i];
	}
	return error;
}

int sides_open(struct sides *sides, const struct options *options,
	       const struct sides_request *request, struct fault *fault)
{
	if (!request)
		return make_room(sides, options, 1);
	if (request->path_count)
		return take_files(sides, options, request, fault);
	return take_variants(sides, options, request, fault);
}

void sides_close(struct sides *sides)
{
	uint32_t i;

	variants_release(&sides->variants);
	free(sides->items);
	for (i = 0; i < VARIANTS_MAX; i++)
		free(sides->texts[i]);
}

const char *sides_say(const struct options *side, char *text, size_t size)
{
	if (side->variant)
		return variant_say(side->variant, text, size);
	if (side->loader_count < 2)
		return NULL;
	snprintf(text, size, "%s", side->like);
	return text;
}
