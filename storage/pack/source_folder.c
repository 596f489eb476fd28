/* SPDX-License-Identifier: MIT */
#include "storage/pack/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/file.h"

/* Folders within folders: each costs an open file. */
#define DEPTH_MAX 128
#define NAMES_BYTES_MAX ((size_t)4 << 30)

/* One folder on the way: its sorted names, those of folders with a '/'
 * behind, so that they sort as they do within a path. */
struct level {
	int fd;
	char *names;
	size_t names_size;
	size_t names_room;
	size_t *order; /* where each name starts */
	size_t count;
	size_t order_room;
	size_t next;
	size_t path_size; /* of the folder's own path */
};

struct folder {
	struct source base;
	struct level levels[DEPTH_MAX];
	int depth;
	char *path; /* of the current thing, for faults */
	size_t path_room;
	size_t root_size; /* of the part of it that was given */
	const char *name; /* of the current example */
	uint64_t bytes;
};

static int refuse(const struct folder *folder, int error, const char *what,
		  struct fault *fault)
{
	fault_set(fault, NULL, 0, "%s: %s: %s", folder->path, what,
		  strerror(-error));
	return error;
}

static int set_path(struct folder *folder, size_t keep, const char *name)
{
	size_t size = strlen(name);
	char *path;

	if (keep + size + 1 > folder->path_room) {
		path = realloc(folder->path, (keep + size + 1) * 2);
		if (!path)
			return -ENOMEM;
		folder->path = path;
		folder->path_room = (keep + size + 1) * 2;
	}
	memcpy(folder->path + keep, name, size + 1);
	return 0;
}

static int grow(void **array, size_t *room, size_t needed, size_t each)
{
	size_t wanted = needed * 2;
	void *grown;

	if (needed <= *room)
		return 0;
	if (wanted * each > NAMES_BYTES_MAX)
		return -E2BIG;
	grown = realloc(*array, wanted * each);
	if (!grown)
		return -ENOMEM;
	*array = grown;
	*room = wanted;
	return 0;
}

static int add_name(struct level *level, const char *name, bool is_folder)
{
	size_t size = strlen(name);
	void *names = level->names;
	void *order = level->order;
	int error;

	error = grow(&names, &level->names_room, level->names_size + size + 2,
		     1);
	level->names = names;
	if (error)
		return error;
	error = grow(&order, &level->order_room, level->count + 1,
		     sizeof(*level->order));
	level->order = order;
	if (error)
		return error;
	level->order[level->count++] = level->names_size;
	memcpy(level->names + level->names_size, name, size);
	level->names_size += size;
	if (is_folder)
		level->names[level->names_size++] = '/';
	level->names[level->names_size++] = 0;
	return 0;
}

static bool is_folder(int fd, const struct dirent *entry)
{
	struct stat status;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(status.st_mode);
}

static int compare_names(const void *left, const void *right, void *names)
{
	return strcmp((const char *)names + *(const size_t *)left,
		      (const char *)names + *(const size_t *)right);
}

static int list_names(struct level *level)
{
	struct dirent *entry;
	int error = 0;
	DIR *stream;
	int fd;

	/* The stream takes its file with it when it is closed. */
	fd = fcntl(level->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	stream = fdopendir(fd);
	if (!stream) {
		error = -errno;
		close(fd);
		return error;
	}
	for (;;) {
		errno = 0;
		entry = readdir(stream);
		if (!entry)
			break;
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		error = add_name(level, entry->d_name,
				 is_folder(level->fd, entry));
		if (error)
			break;
	}
	if (!error && errno)
		error = -errno;
	closedir(stream);
	if (!error && level->count)
		qsort_r(level->order, level->count, sizeof(*level->order),
			compare_names, level->names);
	return error;
}

/* Goes into a folder; its path is the current one. */
static int enter(struct folder *folder, int parent, const char *name, int flags,
		 struct fault *fault)
{
	struct level *level;
	int error;

	if (folder->depth == DEPTH_MAX)
		return refuse(folder, -ELOOP, "folders too deep", fault);
	level = &folder->levels[folder->depth];
	memset(level, 0, sizeof(*level));
	level->path_size = strlen(folder->path);
	level->fd = openat(parent, name,
			   O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	if (level->fd < 0)
		return refuse(folder, -errno, "cannot be opened", fault);
	folder->depth++;
	error = list_names(level);
	if (error)
		return refuse(folder, error, "cannot be listed", fault);
	return 0;
}

static void leave(struct folder *folder)
{
	struct level *level = &folder->levels[--folder->depth];

	close(level->fd);
	free(level->names);
	free(level->order);
}

/* 1 when the thing is an example, 0 when it is skipped. */
static int consider(struct folder *folder, const struct level *level,
		    const char *name, struct fault *fault)
{
	struct stat status;

	if (fstatat(level->fd, name, &status, 0) != 0) {
		int error = -errno;

		/* A link that leads nowhere, or somebody removed the file. */
		if (fstatat(level->fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
			return file_lost(refuse(folder, error,
						"cannot be found", fault));
		folder->base.skipped++;
		return 0;
	}
	if (!S_ISREG(status.st_mode)) {
		folder->base.skipped++;
		return 0;
	}
	folder->name = name;
	folder->bytes = (uint64_t)status.st_size;
	return 1;
}

static int folder_next(struct source *source, uint64_t *bytes,
		       struct fault *fault)
{
	struct folder *folder = (struct folder *)source;

	while (folder->depth > 0) {
		struct level *level = &folder->levels[folder->depth - 1];
		const char *name;
		int got;

		if (level->next == level->count) {
			leave(folder);
			continue;
		}
		name = level->names + level->order[level->next++];
		got = set_path(folder, level->path_size, name);
		if (got < 0)
			return got;
		if (name[strlen(name) - 1] == '/')
			got = enter(folder, level->fd, name, O_NOFOLLOW, fault);
		else
			got = consider(folder, level, name, fault);
		if (got < 0)
			return got;
		if (got > 0) {
			*bytes = folder->bytes;
			return 1;
		}
	}
	return 0;
}

static int changed(const struct folder *folder, struct fault *fault)
{
	fault_set(fault, NULL, 0,
		  "%s: its size changed while it was read, it was %" PRIu64
		  " bytes",
		  folder->path, folder->bytes);
	return -EAGAIN;
}

static int folder_read(struct source *source, void *to, struct fault *fault)
{
	struct folder *folder = (struct folder *)source;
	const struct level *level = &folder->levels[folder->depth - 1];
	uint64_t bytes;
	uint8_t beyond;
	int error;
	int fd;

	fd = file_open(level->fd, folder->name, 0, &bytes);
	if (fd < 0)
		return file_lost(refuse(folder, fd, "cannot be opened", fault));
	error = file_read_at(fd, to, folder->bytes, 0);
	if (error == -ENODATA)
		error = changed(folder, fault);
	else if (error)
		error = refuse(folder, error, "cannot be read", fault);
	else if (file_read_at(fd, &beyond, 1, folder->bytes) != -ENODATA)
		error = changed(folder, fault);
	close(fd);
	return error;
}

const char *source_folder_name(const struct source *source)
{
	const struct folder *folder = (const struct folder *)source;

	return folder->path + folder->root_size;
}

static void folder_close(struct source *source)
{
	struct folder *folder = (struct folder *)source;

	while (folder->depth > 0)
		leave(folder);
	free(folder->path);
	free(folder);
}

static const struct source_kind kind_folder = {
	.next = folder_next,
	.read = folder_read,
	.close = folder_close,
};

int source_open_folder(struct source **out, const char *path,
		       struct fault *fault)
{
	struct folder *folder;
	size_t size = strlen(path);
	int error;

	folder = calloc(1, sizeof(*folder));
	if (!folder)
		return -ENOMEM;
	folder->base.kind = &kind_folder;
	error = set_path(folder, 0, path);
	if (!error && (size == 0 || path[size - 1] != '/'))
		error = set_path(folder, size, "/");
	if (!error)
		folder->root_size = strlen(folder->path);
	if (!error)
		error = enter(folder, AT_FDCWD, path, 0, fault);
	if (error) {
		folder_close(&folder->base);
		return error;
	}
	*out = &folder->base;
	return 0;
}
