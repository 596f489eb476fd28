/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
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

/* Where a path's last part begins. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The folder of a path; false when it is too long. */
static bool folder_of(const char *path, char folder[OUTPUT_PATH_MAX])
{
	int length = (int)folder_length(path);

	return snprintf(folder, OUTPUT_PATH_MAX, "%.*s", length ? length : 1,
			length ? path : ".") < OUTPUT_PATH_MAX;
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

	if (!folder_of(output->target, folder) ||
	    !names_later(folder, output->beside))
		return -1;
	return open_unnamed(folder, permissions);
}

/* A new file in the path's folder: without a name where there is that, or
 * under one of its own. */
static int open_beside(struct output *output, mode_t permissions,
		       struct fault *fault)
{
	int length, descriptor, error;

	length = snprintf(output->beside, sizeof(output->beside), "%s.XXXXXX",
			  output->target);
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

/* Where there is nothing yet. */
static int open_first(struct output *output, struct fault *fault)
{
	if (snprintf(output->target, sizeof(output->target), "%s",
		     output->path) >= (int)sizeof(output->target))
		return fail(ENAMETOOLONG, output->path, "cannot write", fault);
	return open_beside(output, permissions_of_new(), fault);
}

int output_open(struct output *output, const char *path, struct fault *fault)
{
	struct stat status;
	bool is_there = path && !stat(path, &status);

	*output = (struct output){ .path = path };
	if (!path ||
	    (is_there && S_ISREG(status.st_mode) && is_stdout(&status))) {
		output->path = NULL;
		output->stream = stdout;
		return 0;
	}
	if (!is_there)
		return open_first(output, fault);
	if (S_ISREG(status.st_mode))
		return open_replacing(output, &status, fault);
	output->stream = fopen(path, "w");
	if (!output->stream)
		return fail(errno, path, "cannot write", fault);
	return 0;
}

/* Two names that are not there yet. */
static bool same_name(const char *one, const char *other)
{
	char folder[2][OUTPUT_PATH_MAX];
	struct stat status[2];

	return folder_of(one, folder[0]) && folder_of(other, folder[1]) &&
	       !stat(folder[0], &status[0]) && !stat(folder[1], &status[1]) &&
	       status[0].st_dev == status[1].st_dev &&
	       status[0].st_ino == status[1].st_ino &&
	       !strcmp(one + folder_length(one), other + folder_length(other));
}

/* Of devices and pipes both may be the same. */
static bool same_file(const char *one, const char *other)
{
	struct stat status[2];
	bool is_one = !stat(one, &status[0]),
	     is_other = !stat(other, &status[1]);

	if (!is_one && !is_other)
		return same_name(one, other);
	return is_one && is_other && S_ISREG(status[0].st_mode) &&
	       status[0].st_dev == status[1].st_dev &&
	       status[0].st_ino == status[1].st_ino;
}

int output_spares(const char *path, const char *input, struct fault *fault)
{
	if (!path || !input || access(input, F_OK) || !same_file(path, input))
		return 0;
	fault_set(fault, path, 0,
		  "is what it would be made of, and is kept; expected another "
		  "file for the output");
	return -EINVAL;
}

int output_differs(const char *path, const char *other, const char *option,
		   struct fault *fault)
{
	if (!path || !other || !same_file(path, other))
		return 0;
	fault_set(fault, path, 0,
		  "is the file of %s too; expected a file for each", option);
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
