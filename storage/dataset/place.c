/* SPDX-License-Identifier: MIT */
#include "storage/dataset/place.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/dataset/catalogue.h"
#include "storage/dataset/container.h"
#include "storage/file.h"
#include "storage/dataset/frames.h"
#include "storage/lmdb.h"
#include "storage/dataset/manifest.h"
#include "storage/dataset/pages.h"
#include "storage/dataset/seekable.h"

#define ZSTD_ENDING ".zst"

static int refuse(const struct place *place, const char *name, int error,
		  struct fault *fault)
{
	bool file = place->folder == AT_FDCWD;

	fault_set(fault, NULL, 0, "%s%s%s: cannot be opened: %s",
		  file ? "" : place->path, file ? "" : "/", name,
		  strerror(-error));
	return error;
}

/* Does the file end with a seek table? 1 or 0, or negative errno. */
static int is_seekable(const struct place *place, const char *name,
		       struct fault *fault)
{
	uint8_t footer[SEEKABLE_FOOTER_BYTES];
	uint64_t bytes;
	int error = 0;
	int fd;

	fd = file_open(place->folder, name, 0, &bytes);
	if (fd < 0)
		return refuse(place, name, fd, fault);
	if (bytes >= sizeof(footer))
		error = file_read_at(fd, footer, sizeof(footer),
				     bytes - sizeof(footer));
	close(fd);
	if (error)
		return refuse(place, name, error, fault);
	return bytes >= sizeof(footer) && seekable_find(footer, bytes) > 0;
}

static int look_for_tables(struct place *place, struct fault *fault)
{
	int is = 1;

	for (uint64_t index = 0; index < place->names.count && is > 0; index++)
		is = is_seekable(place, names_at(&place->names, index), fault);
	place->seekable = is > 0;
	return is < 0 ? is : 0;
}

static bool has(const struct place *place, const char *name)
{
	return faccessat(place->folder, name, F_OK, 0) == 0;
}

/* A frame that says how much it holds is read without its window. */
static const struct container *unless_sealed(const struct container *container)
{
	return container && container->is_sealed ? NULL : container;
}

static void look_for_containers(struct place *place)
{
	struct container_look look = { .folder = place->path };

	for (uint64_t index = 0; index < place->names.count; index++)
		if (!container_consider(&look, names_at(&place->names, index),
					place->names.sizes[index]))
			break;
	place->container = unless_sealed(container_found(&look));
}

static void count_zstd(struct place *place)
{
	const size_t ending = sizeof(ZSTD_ENDING) - 1;

	for (uint64_t index = 0; index < place->names.count; index++) {
		const char *name = names_at(&place->names, index);
		size_t size = strlen(name);

		place->zstd_files +=
			size > ending &&
			strcmp(name + size - ending, ZSTD_ENDING) == 0;
	}
}

static int look_into_folder(struct place *place, struct fault *fault)
{
	int error;

	if (has(place, MANIFEST_NAME)) {
		place->kind = PLACE_PACKED;
		return 0;
	}
	if (has(place, CATALOGUE_NAME "/" STORE_DATA_NAME)) {
		place->kind = PLACE_REMAINS;
		return 0;
	}
	if (has(place, STORE_DATA_NAME)) {
		place->kind = PLACE_ENVIRONMENT;
		return 0;
	}
	error = names_gather(&place->names, place->path, fault);
	if (error)
		return error;
	count_zstd(place);
	look_for_containers(place);
	place->kind = PLACE_MIXED;
	if (place->names.count == 0)
		place->kind = PLACE_EMPTY;
	else if (place->container)
		place->kind = PLACE_CONTAINERS;
	else if (place->zstd_files == 0)
		place->kind = PLACE_FILES;
	else if (place->zstd_files == place->names.count)
		place->kind = PLACE_ZSTD;
	return place->kind == PLACE_ZSTD ? look_for_tables(place, fault) : 0;
}

static int look_into_file(struct place *place, int fd, uint64_t bytes,
			  struct fault *fault)
{
	uint8_t head[PAGES_HEAD_BYTES] = { 0 };
	size_t size = bytes < sizeof(head) ? (size_t)bytes : sizeof(head);
	int error;

	error = file_read_at(fd, head, size, 0);
	if (!error)
		error = names_add(&place->names, place->path, bytes);
	if (error)
		return refuse(place, place->path, error, fault);
	if (pages_recognise(head)) {
		place->kind = PLACE_ENVIRONMENT;
		return 0;
	}
	place->container = unless_sealed(container_of_file(place->path));
	if (place->container) {
		place->kind = PLACE_CONTAINERS;
	} else if (frames_recognise(head)) {
		place->kind = PLACE_ZSTD;
		place->zstd_files = 1;
		return look_for_tables(place, fault);
	}
	return 0;
}

int place_look(struct place *place, const char *path, struct fault *fault)
{
	uint64_t bytes;
	int error;
	int fd;

	*place = (struct place){ .path = path,
				 .kind = PLACE_UNKNOWN,
				 .folder = AT_FDCWD };
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		place->folder = fd;
		error = look_into_folder(place, fault);
	} else if (errno != ENOTDIR) {
		error = -errno;
	} else {
		fd = file_open(AT_FDCWD, path, 0, &bytes);
		if (fd < 0)
			return refuse(place, path, fd, fault);
		error = look_into_file(place, fd, bytes, fault);
		close(fd);
	}
	if (error) {
		fault_set(fault, path, 0, "cannot be opened as a dataset: %s",
			  strerror(-error));
		place_release(place);
	}
	return error;
}

void place_release(struct place *place)
{
	names_release(&place->names);
	if (place->folder >= 0)
		close(place->folder);
	place->folder = AT_FDCWD;
}

void place_describe(const struct place *place, char *text, size_t room)
{
	switch (place->kind) {
	case PLACE_REMAINS:
		snprintf(text, room,
			 "a catalogue, but no " MANIFEST_NAME " beside it");
		break;
	case PLACE_MIXED:
		snprintf(text, room,
			 "%" PRIu64 " " ZSTD_ENDING " files among %" PRIu64
			 " others",
			 place->zstd_files,
			 place->names.count - place->zstd_files);
		break;
	case PLACE_EMPTY:
		snprintf(text, room, "no file in the folder");
		break;
	default:
		snprintf(text, room, "a file of another kind");
	}
}
