/* SPDX-License-Identifier: MIT */
#include "storage/pack/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/file.h"
#include "storage/dataset/format.h"
#include "storage/lmdb.h"
#include "storage/dataset/manifest.h"

#define PARTIAL_INFIX ".partial-"
#define ATTEMPTS_MAX 100

static int refuse(const char *path, int error, const char *what,
		  struct fault *fault)
{
	fault_set(fault, NULL, 0, "%s: %s: %s", path, what, strerror(-error));
	return error;
}

/* Removes what datasets consist of and then the folder, which fails when
 * there is anything else in it. */
static int remove_dataset(const char *path)
{
	struct dirent *entry;
	int error = 0;
	DIR *stream;

	stream = opendir(path);
	if (!stream)
		return -errno;
	while ((entry = readdir(stream))) {
		if (strcmp(entry->d_name, CATALOGUE_NAME) == 0) {
			unlinkat(dirfd(stream),
				 CATALOGUE_NAME "/" STORE_DATA_NAME, 0);
			unlinkat(dirfd(stream),
				 CATALOGUE_NAME "/" STORE_LOCK_NAME, 0);
			unlinkat(dirfd(stream), CATALOGUE_NAME, AT_REMOVEDIR);
		} else if (format_owns(entry->d_name)) {
			unlinkat(dirfd(stream), entry->d_name, 0);
		}
	}
	closedir(stream);
	if (rmdir(path) != 0)
		error = -errno;
	return error;
}

/* Splits the path; the last part must be a name. */
static int split(struct target *target, const char *path, struct fault *fault)
{
	size_t end = strlen(path);
	size_t start;

	while (end > 0 && path[end - 1] == '/')
		end--;
	start = end;
	while (start > 0 && path[start - 1] != '/')
		start--;
	target->name = strndup(path + start, end - start);
	target->parent = start ? strndup(path, start) : strdup(".");
	if (!target->name || !target->parent)
		return -ENOMEM;
	if (!target->name[0] || strcmp(target->name, ".") == 0 ||
	    strcmp(target->name, "..") == 0) {
		fault_set(fault, NULL, 0,
			  "'%s' has no name of its own to be made under", path);
		return -EINVAL;
	}
	target->path = strndup(path, end);
	return target->path ? 0 : -ENOMEM;
}

static bool has_manifest(int folder)
{
	char text[MANIFEST_BYTES_MAX];
	uint64_t size;
	bool is_ours;
	int fd;

	fd = file_open(folder, MANIFEST_NAME, 0, &size);
	if (fd < 0)
		return false;
	is_ours = size <= sizeof(text) &&
		  file_read_at(fd, text, size, 0) == 0 &&
		  manifest_recognise(text, size);
	close(fd);
	return is_ours;
}

/* Nothing in the folder that removing the dataset would lose. */
static int check_names(DIR *stream, const char *path, struct fault *fault)
{
	struct dirent *entry;

	while ((entry = readdir(stream))) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0 ||
		    format_owns(entry->d_name))
			continue;
		fault_set(fault, NULL, 0,
			  "%s: not replaced: '%s' in it is no part of a "
			  "dataset",
			  path, entry->d_name);
		return -EEXIST;
	}
	return 0;
}

static int check_replaced(const char *path, struct fault *fault)
{
	DIR *stream;
	int error;
	int fd;

	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || !has_manifest(fd)) {
		if (fd >= 0)
			close(fd);
		fault_set(fault, NULL, 0, "%s: not replaced: it is no dataset",
			  path);
		return -EEXIST;
	}
	stream = fdopendir(fd);
	if (!stream) {
		error = -errno;
		close(fd);
		return refuse(path, error, "cannot be listed", fault);
	}
	error = check_names(stream, path, fault);
	closedir(stream);
	return error;
}

int target_check(struct target *target, const char *path, bool force,
		 struct fault *fault)
{
	struct stat status;
	int error;

	memset(target, 0, sizeof(*target));
	target->lock = -1;
	error = split(target, path, fault);
	if (error)
		return error;
	if (stat(target->parent, &status) != 0)
		return refuse(target->parent, -errno, "cannot be written to",
			      fault);
	if (lstat(target->path, &status) != 0) {
		if (errno == ENOENT)
			return 0;
		return refuse(target->path, -errno, "cannot be made", fault);
	}
	if (!force) {
		fault_set(fault, NULL, 0,
			  "%s: exists already (--force replaces a dataset)",
			  target->path);
		return -EEXIST;
	}
	target->replaces = true;
	return check_replaced(target->path, fault);
}

/* Locks a folder; the lock goes with the file or the process. */
static int lock_folder(const char *path)
{
	int error;
	int fd;

	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		error = -errno;
		close(fd);
		return error;
	}
	return fd;
}

/* What cannot be removed is not our concern here. */
static void remove_stale(const struct target *target)
{
	size_t name_size = strlen(target->name);
	struct dirent *entry;
	DIR *stream;

	stream = opendir(target->parent);
	if (!stream)
		return;
	while ((entry = readdir(stream))) {
		const char *name = entry->d_name;
		char *path;
		int fd;

		if (name[0] != '.' ||
		    strncmp(name + 1, target->name, name_size) != 0 ||
		    strncmp(name + 1 + name_size, PARTIAL_INFIX,
			    strlen(PARTIAL_INFIX)) != 0)
			continue;
		path = file_path(target->parent, name);
		fd = path ? lock_folder(path) : -1;
		if (fd >= 0) {
			(void)!remove_dataset(path);
			close(fd);
		}
		free(path);
	}
	closedir(stream);
}

/* One attempt under a random name; the folder may be taken for a stale one by
 * another process before it is locked: then it is gone. */
static int try_partial(struct target *target)
{
	struct stat status;
	uint32_t number;
	int error;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -EAGAIN;
	free(target->partial);
	if (asprintf(&target->partial, "%s/.%s" PARTIAL_INFIX "%06" PRIx32,
		     target->parent, target->name, number & 0xffffff) < 0) {
		target->partial = NULL;
		return -ENOMEM;
	}
	if (mkdir(target->partial, 0777) != 0)
		return -errno;
	target->lock = lock_folder(target->partial);
	if (target->lock == -ENOENT || target->lock == -EWOULDBLOCK)
		return -EEXIST;
	/* Where folders cannot be locked it does without. */
	if (target->lock < 0)
		return 0;
	error = fstat(target->lock, &status) != 0 ? -errno : 0;
	if (!error && status.st_nlink == 0)
		error = -EEXIST;
	if (error) {
		close(target->lock);
		target->lock = -1;
	}
	return error;
}

int target_create(struct target *target, struct fault *fault)
{
	int error = -EEXIST;

	remove_stale(target);
	for (int attempt = 0; attempt < ATTEMPTS_MAX && error == -EEXIST;
	     attempt++)
		error = try_partial(target);
	if (error) {
		free(target->partial);
		target->partial = NULL;
		return refuse(target->path, error, "cannot be made", fault);
	}
	return 0;
}

/* Puts the new dataset in the old one's place. Without an exchange in the
 * kernel there is a moment with neither, but never a loss. */
static int exchange(const struct target *target)
{
	char *aside;
	int error = 0;

	if (renameat2(AT_FDCWD, target->partial, AT_FDCWD, target->path,
		      RENAME_EXCHANGE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* Not named like a partial one, which the next process would remove. */
	if (asprintf(&aside, "%s/.%s.old-%jd", target->parent, target->name,
		     (intmax_t)getpid()) < 0)
		return -ENOMEM;
	if (rename(target->path, aside) != 0) {
		error = -errno;
	} else if (rename(target->partial, target->path) != 0) {
		error = -errno;
		(void)!rename(aside, target->path);
	} else if (rename(aside, target->partial) != 0) {
		error = -errno;
	}
	free(aside);
	return error;
}

static int put_in_place(const struct target *target)
{
	if (target->replaces)
		return exchange(target);
	if (renameat2(AT_FDCWD, target->partial, AT_FDCWD, target->path,
		      RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	return rename(target->partial, target->path) == 0 ? 0 : -errno;
}

int target_commit(struct target *target, struct fault *fault)
{
	int error;

	error = file_sync_folder(target->partial);
	if (!error)
		error = put_in_place(target);
	if (error)
		return refuse(target->path, error, "cannot be made", fault);
	/* What is in the partial's place now is the old dataset, or nothing;
	 * that a leftover of it stays is no reason to fail. */
	if (target->replaces)
		(void)!remove_dataset(target->partial);
	free(target->partial);
	target->partial = NULL;
	error = file_sync_folder(target->parent);
	return error ? refuse(target->parent, error, "cannot be synced",
			      fault) :
		       0;
}

void target_release(struct target *target)
{
	if (target->partial)
		(void)!remove_dataset(target->partial);
	if (target->lock >= 0)
		close(target->lock);
	free(target->partial);
	free(target->path);
	free(target->parent);
	free(target->name);
}
