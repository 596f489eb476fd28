/* SPDX-License-Identifier: MIT */
#include "analysis/trace/export.h"

#include <string.h>

const struct exporter *const exporter_table[] = {
	&export_iolog,
	&export_csv,
	&export_perfetto,
};

const size_t exporter_count =
	sizeof(exporter_table) / sizeof(exporter_table[0]);

const struct exporter *exporter_find(const char *name)
{
	size_t i;

	for (i = 0; i < exporter_count; i++)
		if (!strcmp(exporter_table[i]->name, name))
			return exporter_table[i];
	return NULL;
}

int export_begin(struct exporting *export, const struct exporter *exporter,
		 const struct export_options *options, FILE *out)
{
	*export = (struct exporting){ .exporter = exporter,
				      .options = options,
				      .out = out };
	return exporter->begin(export);
}

int export_put(struct exporting *export, const struct trace_event *event,
	       struct fault *fault)
{
	return export->exporter->put(export, event, fault);
}

int export_end(struct exporting *export, struct fault *fault)
{
	return export->exporter->end(export, fault);
}
