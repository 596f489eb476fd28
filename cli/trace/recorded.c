/* SPDX-License-Identifier: MIT */
#include "cli/trace/recorded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "traces/recording/scenario.h"

int recorded_open(struct recorded *recorded, const char *path,
		  struct fault *fault)
{
	struct byte_source source = { .read = byte_stream_read };
	int error;

	*recorded = (struct recorded){ 0 };
	error = byte_stream_open(&recorded->stream, path, fault);
	if (error)
		return error;
	source.context = recorded->stream;
	error = recording_open(&recorded->recording, path, &source, fault);
	if (error) {
		byte_stream_close(recorded->stream);
		return error;
	}
	recorded->head = recording_head(recorded->recording);
	return 0;
}

void recorded_close(struct recorded *recorded)
{
	recording_close(recorded->recording);
	byte_stream_close(recorded->stream);
}

int recorded_check_file(const char *path, struct fault *fault)
{
	struct stat status;

	if (strcmp(path, "-") != 0 &&
	    (stat(path, &status) || !S_ISFIFO(status.st_mode)))
		return 0;
	fault_set(fault, NULL, 0,
		  "--replay %s: expected a file, for it is read more than once",
		  path);
	return -EINVAL;
}

static int read_scenario(const struct recording_head *head, const char *path,
			 const char *const *overrides, uint32_t override_count,
			 struct scenario *scenario, struct fault *fault)
{
	int error;

	if (head->imported) {
		fault_set(fault, path, 0,
			  "is an imported trace, which has no scenario; "
			  "expected SCENARIO besides, such as one that "
			  "`echosim trace fit` makes of it");
		return -EINVAL;
	}
	error = recording_scenario(head, path, overrides, override_count,
				   scenario, fault);
	if (!error && head->layout_digest)
		scenario->dataset.examples = 0;
	return error;
}

int recorded_scenario(const char *path, const char *const *overrides,
		      uint32_t override_count, struct scenario *scenario,
		      struct fault *fault)
{
	struct recorded recorded;
	int error = recorded_check_file(path, fault);

	if (!error)
		error = recorded_open(&recorded, path, fault);
	if (error)
		return error;
	error = read_scenario(recorded.head, path, overrides, override_count,
			      scenario, fault);
	recorded_close(&recorded);
	return error;
}
