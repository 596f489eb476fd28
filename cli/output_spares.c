/* SPDX-License-Identifier: MIT */
/* What no product may replace. */
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli/output.h"
#include "traces/text_file.h"

#define LINKS_MAX 40 /* that lead to each other, as the kernel has it */

size_t output_folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

bool output_folder(const char *path, char folder[OUTPUT_PATH_MAX])
{
	int length = (int)output_folder_length(path);

	return snprintf(folder, OUTPUT_PATH_MAX, "%.*s", length ? length : 1,
			length ? path : ".") < OUTPUT_PATH_MAX;
}

/* The one of our own that a path of the system names, as /dev/stdout and <(..)
 * do; -1: another path. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	size_t i, length;
	char *end;
	long number;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		length = strlen(folders[i]);
		if (strncmp(path, folders[i], length) != 0)
			continue;
		number = strtol(path + length, &end, 10);
		if (end != path + length && !*end && number >= 0 &&
		    number <= INT_MAX)
			return (int)number;
	}
	return -1;
}

/* Where links lead, also to what is not there yet, and no further than to a
 * descriptor of our own. */
static int follow(const char *path, char target[OUTPUT_PATH_MAX])
{
	char link[OUTPUT_PATH_MAX];
	ssize_t length;
	size_t folder;
	int links;

	if (snprintf(target, OUTPUT_PATH_MAX, "%s", path) >= OUTPUT_PATH_MAX)
		return -ENAMETOOLONG;
	for (links = 0; links < LINKS_MAX; links++) {
		length = descriptor_of(target) < 0 ?
				 readlink(target, link, sizeof(link) - 1) :
				 -1;
		if (length < 0)
			return 0;
		link[length] = '\0';
		folder = link[0] == '/' ? 0 : output_folder_length(target);
		if (folder + (size_t)length >= OUTPUT_PATH_MAX)
			return -ENAMETOOLONG;
		memcpy(target + folder, link, (size_t)length + 1);
	}
	return -ELOOP;
}

/* A character device that has nothing to lose: null, full, a terminal. */
static bool is_harmless(dev_t device)
{
	static const struct {
		unsigned int major, minor, count;
	} harmless[] = {
		{ 1, 3, 1 }, { 1, 7, 1 }, { 5, 0, 1 }, { 136, 0, UINT_MAX }
	};
	size_t i;

	for (i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (major(device) == harmless[i].major &&
		    minor(device) - harmless[i].minor < harmless[i].count)
			return true;
	return false;
}

static int refuse_input(const char *path, struct fault *fault)
{
	fault_set(fault, path, 0,
		  "is what it would be made of, and is kept; expected another "
		  "file for the output");
	return -EINVAL;
}

/* What is there already, and is no descriptor of our own. */
static int check_kind(const char *path, const struct stat *status,
		      struct fault *fault)
{
	if (S_ISREG(status->st_mode) || S_ISFIFO(status->st_mode) ||
	    S_ISDIR(status->st_mode) ||
	    (S_ISCHR(status->st_mode) && is_harmless(status->st_rdev)))
		return 0;
	fault_set(fault, path, 0,
		  "is a %s, and is kept; expected a file, a pipe, /dev/stdout "
		  "or /dev/null for the output",
		  S_ISSOCK(status->st_mode) ? "socket" : "device");
	return -EINVAL;
}

int output_check(const char *path, char target[OUTPUT_PATH_MAX],
		 int *descriptor, struct fault *fault)
{
	struct stat status;
	int error = follow(path, target);

	if (error) {
		fault_set(fault, path, 0, "cannot write: %s", strerror(-error));
		return error;
	}
	*descriptor = descriptor_of(target);
	if (stat(path, &status))
		return 0;
	if (text_file_was_read(&status))
		return refuse_input(path, fault);
	return *descriptor < 0 ? check_kind(path, &status, fault) : 0;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Two names that are not there yet. */
static bool same_name(const char *path, const char *other_path)
{
	char one[OUTPUT_PATH_MAX], other[OUTPUT_PATH_MAX];
	char folder[2][OUTPUT_PATH_MAX];
	struct stat status[2];

	return !follow(path, one) && !follow(other_path, other) &&
	       output_folder(one, folder[0]) &&
	       output_folder(other, folder[1]) &&
	       !stat(folder[0], &status[0]) && !stat(folder[1], &status[1]) &&
	       is_same(&status[0], &status[1]) &&
	       !strcmp(one + output_folder_length(one),
		       other + output_folder_length(other));
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
	       is_same(&status[0], &status[1]);
}

/* Is it the input, or in the folder that is the input, by whatever name?
 * Pipes and terminals are not lost. */
static bool is_part_of(const struct stat *status, const char *input)
{
	char *const paths[] = { (char *)input, NULL };
	bool found = false;
	FTSENT *entry;
	FTS *walk;

	if (!S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode) &&
	    !S_ISBLK(status->st_mode))
		return false;
	walk = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	while (walk && !found && (entry = fts_read(walk)))
		found = entry->fts_info != FTS_NS &&
			entry->fts_info != FTS_DNR &&
			is_same(entry->fts_statp, status);
	if (walk)
		fts_close(walk);
	return found;
}

int output_spares(const char *path, const char *input, struct fault *fault)
{
	struct stat status;

	if (!path || !input || stat(path, &status) ||
	    !is_part_of(&status, input))
		return 0;
	return refuse_input(path, fault);
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
