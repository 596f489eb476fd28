/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(int error, const char *path, const char *what,
		struct fault *fault)
{
	fault_set(fault, path, 0, "%s: %s", what, strerror(error));
	return -error;
}

/* What any new file would get. */
static mode_t permissions_of_new(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* A new file under a name of its own. */
static int open_beside(struct output *output, mode_t permissions,
		       struct fault *fault)
{
	int length, descriptor, error;

	length = snprintf(output->beside, sizeof(output->beside), "%s.XXXXXX",
			  output->path);
	if (length >= (int)sizeof(output->beside)) {
		output->beside[0] = '\0';
		return fail(ENAMETOOLONG, output->path, "cannot write", fault);
	}
	descriptor = mkstemp(output->beside);
	if (descriptor < 0) {
		error = errno;
		output->beside[0] = '\0';
		return fail(error, output->path, "cannot write", fault);
	}
	if (!fchmod(descriptor, permissions))
		output->stream = fdopen(descriptor, "w");
	if (!output->stream) {
		error = errno;
		close(descriptor);
		unlink(output->beside);
		return fail(error, output->path, "cannot write", fault);
	}
	return 0;
}

int output_open(struct output *output, const char *path, struct fault *fault)
{
	struct stat status;

	*output = (struct output){ .path = path };
	if (!path) {
		output->stream = stdout;
		return 0;
	}
	if (stat(path, &status))
		return open_beside(output, permissions_of_new(), fault);
	if (S_ISREG(status.st_mode)) {
		if (access(path, W_OK))
			return fail(errno, path, "cannot write", fault);
		return open_beside(output, status.st_mode & 0777, fault);
	}
	output->stream = fopen(path, "w");
	if (!output->stream)
		return fail(errno, path, "cannot write", fault);
	return 0;
}

int output_spares(const char *path, const char *input, struct fault *fault)
{
	struct stat output, source;

	if (!path || stat(path, &output) || stat(input, &source) ||
	    !S_ISREG(output.st_mode) || output.st_dev != source.st_dev ||
	    output.st_ino != source.st_ino)
		return 0;
	fault_set(fault, path, 0,
		  "is what it would be made of, and is kept; expected another "
		  "file for the output");
	return -EINVAL;
}

/* Flushes and closes; the first error of all the writing. */
static int finish(struct output *output)
{
	int error = 0;

	errno = 0;
	if (fflush(output->stream) || ferror(output->stream))
		error = errno ? errno : EIO;
	if (!error && output->beside[0] && fsync(fileno(output->stream)))
		error = errno;
	if (output->path && fclose(output->stream) && !error)
		error = errno;
	output->stream = NULL;
	return error;
}

int output_commit(struct output *output, struct fault *fault)
{
	const char *path = output->path ? output->path : "stdout";
	int error = finish(output);

	if (!error && output->beside[0] && rename(output->beside, output->path))
		error = errno;
	if (!error)
		return 0;
	if (output->beside[0])
		unlink(output->beside);
	return fail(error, path, "cannot write", fault);
}

void output_abandon(struct output *output)
{
	if (output->path && output->stream)
		fclose(output->stream);
	if (output->beside[0])
		unlink(output->beside);
	output->stream = NULL;
}
