/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

#define SUFFIX_LENGTH 6

/* Gives a file without a name the one beside. */
static int name_beside(int descriptor, char *beside)
{
	char *suffix = beside + strlen(beside) - SUFFIX_LENGTH;
	unsigned int number = (unsigned int)getpid();
	char name[64];
	int tries;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", descriptor);
	for (tries = 0; tries < 1000; tries++, number++) {
		snprintf(suffix, SUFFIX_LENGTH + 1, "%06u", number % 1000000);
		if (!linkat(AT_FDCWD, name, AT_FDCWD, beside,
			    AT_SYMLINK_FOLLOW))
			return 0;
		if (errno != EEXIST)
			break;
	}
	return errno;
}

static int open_unnamed(const char *folder, mode_t permissions)
{
	return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, permissions);
}

/* Not every file system has files without a name, nor lets them have one later:
 * tried with another file, for one that had a name gets none again. */
static bool names_later(const char *folder, char *beside)
{
	int descriptor = open_unnamed(folder, 0600);
	bool named;

	if (descriptor < 0)
		return false;
	named = !name_beside(descriptor, beside);
	if (named)
		unlink(beside);
	close(descriptor);
	return named;
}

/* A new file that vanishes with the program, whatever ends that. -1: not
 * here. */
static int open_vanishing(struct output *output, mode_t permissions)
{
	char folder[OUTPUT_PATH_MAX];

	if (!output_folder(output->target, folder) ||
	    !names_later(folder, output->beside))
		return -1;
	return open_unnamed(folder, permissions);
}

/* A new file in the path's folder: without a name where there is that, or
 * under one of its own. */
static int open_beside(struct output *output, mode_t permissions,
		       struct fault *fault)
{
	size_t folder = output_folder_length(output->target);
	int length, descriptor, error;

	length = snprintf(output->beside, sizeof(output->beside),
			  "%.*s%.*s.XXXXXX", (int)folder, output->target,
			  NAME_MAX - SUFFIX_LENGTH - 1,
			  output->target + folder);
	if (length >= (int)sizeof(output->beside)) {
		output->beside[0] = '\0';
		return fail(ENAMETOOLONG, output->path, "cannot write", fault);
	}
	descriptor = open_vanishing(output, permissions);
	output->unnamed = descriptor >= 0;
	if (!output->unnamed) {
		memset(output->beside + length - SUFFIX_LENGTH, 'X',
		       SUFFIX_LENGTH);
		descriptor = mkostemp(output->beside, O_CLOEXEC);
	}
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
		if (!output->unnamed)
			unlink(output->beside);
		return fail(error, output->path, "cannot write", fault);
	}
	return 0;
}

static bool is_stdout(const struct stat *status)
{
	struct stat own;

	return !fstat(STDOUT_FILENO, &own) && own.st_dev == status->st_dev &&
	       own.st_ino == status->st_ino;
}

/* A regular file, where there is one. */
static int open_replacing(struct output *output, const struct stat *status,
			  struct fault *fault)
{
	if (access(output->path, W_OK) ||
	    !realpath(output->path, output->target))
		return fail(errno, output->path, "cannot write", fault);
	return open_beside(output, status->st_mode & 0777, fault);
}

/* One that the caller opened, for us to go on where it stands. */
static int open_descriptor(struct output *output, int descriptor,
			   struct fault *fault)
{
	int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
	int error;

	output->stream = own >= 0 ? fdopen(own, "w") : NULL;
	if (output->stream)
		return 0;
	error = errno;
	if (own >= 0)
		close(own);
	return fail(error, output->path, "cannot write", fault);
}

/* A pipe, or a device. */
static int open_in_place(struct output *output, struct fault *fault)
{
	output->stream = fopen(output->path, "we");
	if (output->stream)
		return 0;
	return fail(errno, output->path, "cannot write", fault);
}

static bool is_own_stdout(const char *path, int descriptor)
{
	struct stat status;

	return !path || descriptor == STDOUT_FILENO ||
	       (!stat(path, &status) && S_ISREG(status.st_mode) &&
		is_stdout(&status));
}

int output_open(struct output *output, const char *path, struct fault *fault)
{
	struct stat status;
	int error = 0, descriptor = -1;

	*output = (struct output){ .path = path };
	if (path)
		error = output_check(path, output->target, &descriptor, fault);
	if (error)
		return error;
	if (is_own_stdout(path, descriptor)) {
		output->path = NULL;
		output->stream = stdout;
		return 0;
	}
	if (descriptor >= 0)
		return open_descriptor(output, descriptor, fault);
	if (stat(path, &status))
		return open_beside(output, permissions_of_new(), fault);
	if (S_ISREG(status.st_mode))
		return open_replacing(output, &status, fault);
	return open_in_place(output, fault);
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
	if (!error && output->unnamed) {
		error = name_beside(fileno(output->stream), output->beside);
		output->unnamed = error != 0;
	}
	if (output->path && fclose(output->stream) && !error)
		error = errno;
	output->stream = NULL;
	return error;
}

int output_commit(struct output *output, struct fault *fault)
{
	const char *path = output->path ? output->path : "stdout";
	int error = finish(output);

	if (!error && output->beside[0] &&
	    rename(output->beside, output->target))
		error = errno;
	if (!error)
		return 0;
	if (output->beside[0] && !output->unnamed)
		unlink(output->beside);
	return fail(error, path, "cannot write", fault);
}

void output_abandon(struct output *output)
{
	if (output->path && output->stream)
		fclose(output->stream);
	if (output->beside[0] && !output->unnamed)
		unlink(output->beside);
	output->stream = NULL;
}

int output_text(const char *path, const char *text, size_t size,
		struct fault *fault)
{
	struct output output;
	int error = output_open(&output, path, fault);

	if (error)
		return error;
	fwrite(text, 1, size, output.stream);
	return output_commit(&output, fault);
}
