/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analysis/law/law.h"
#include "analysis/law/texts.h"
#include "sim/check.h"
#include "traces/nearest.h"

#define LAWS_MAX 32

size_t law_count(void)
{
	CHECK(law_texts.count <= LAWS_MAX);
	return law_texts.count;
}

/* Parsed once, from text that is part of the program. */
const struct law *law_at(size_t index)
{
	static struct law laws[LAWS_MAX];
	const struct embedded_file *text = &law_texts.files[index];
	struct law *law = &laws[index];
	struct fault fault = { 0 };

	CHECK(index < law_count());
	if (!law->name[0])
		CHECK(!law_parse(law, text->name, text->text, text->size,
				 &fault));
	return law;
}

const struct law *law_find(const char *name)
{
	const struct embedded_file *file = embedded_find(&law_texts, name);

	return file ? law_at((size_t)(file - law_texts.files)) : NULL;
}

const char *law_nearest(const char *name)
{
	struct nearest nearest = nearest_to(name);
	const char *best = NULL;
	size_t i;

	for (i = 0; i < law_texts.count; i++)
		if (nearest_take(&nearest, law_texts.files[i].name,
				 strlen(law_texts.files[i].name)))
			best = law_texts.files[i].name;
	return best;
}
