/* SPDX-License-Identifier: MIT */
#include "cli/paths.h"

#include <stddef.h>

#include "cli/law_file.h"
#include "cli/output.h"

struct product {
	const char *option;
	const char *path; /* NULL: none */
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int paths_check(const struct options *options, const struct scenario *scenario,
		struct fault *fault)
{
	const struct product products[] = {
		{ "--output", options->output_path },
		{ "--timeline", options->timeline_path },
		{ "--trace", options->trace_path },
	};
	/* Texts that were read are known to output_check(); not everybody who
	 * is told of a law reads it. */
	const char *const inputs[] = {
		law_file_path(scenario),
		options->replay_path,
		options->target_path,
		scenario->dataset.path[0] ? scenario->dataset.path : NULL,
	};
	size_t i, k;
	int error = 0;

	for (i = 0; i < COUNT(products) && !error; i++) {
		for (k = 0; k < i && !error; k++)
			error = output_differs(products[i].path,
					       products[k].path,
					       products[k].option, fault);
		for (k = 0; k < COUNT(inputs) && !error; k++)
			error = output_spares(products[i].path, inputs[k],
					      fault);
	}
	return error;
}
