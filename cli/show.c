/* SPDX-License-Identifier: MIT */
#include "cli/show.h"

#include "cli/style.h"

int show_in(struct output *output, const struct options *options,
	    struct document *document, struct fault *fault)
{
	struct text_style style = style_of(output->stream, options->color);
	int error = document_status(document);

	if (!error)
		error = options->printer->print(output->stream, document,
						&style);
	document_free(document);
	if (!error)
		return output_commit(output, fault);
	output_abandon(output);
	return error;
}

int show(const struct options *options, struct document *document,
	 struct fault *fault)
{
	struct output output;
	int error = output_open(&output, options->output_path, fault);

	if (!error)
		return show_in(&output, options, document, fault);
	document_free(document);
	return error;
}
