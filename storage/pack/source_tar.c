/* SPDX-License-Identifier: MIT */
/*
 * Examples from tars, as WebDataset lays them out. A member's stem is its path
 * up to the first dot of its last part; members with one stem that follow each
 * other are one example, their bytes one behind the other. A stem that comes
 * again later is another example, as in WebDataset.
 *
 * Nothing is unpacked to a disk, so that where a member's path leads does not
 * matter; a member's size is not believed before its bytes are there, but for
 * an estimate: that goes from header to header.
 */
#include "storage/pack/source.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/printable.h"
#include "storage/dataset/container.h"
#include "storage/file.h"
#include "storage/zstd.h"

#define READ_BYTES ((size_t)256 << 10)
#define PIECE_BYTES ((size_t)1 << 20)
/* Room for a member's path in a fault. */
#define SHOWN_BYTES 120

/* libarchive is loaded by whoever packs a tar: linked, what it brings along
 * (XML, Unicode) would double the time of every start of the program. */
#define CALLS(X)                                                               \
	X(archive_entry_filetype)                                              \
	X(archive_entry_hardlink)                                              \
	X(archive_entry_pathname)                                              \
	X(archive_entry_pathname_utf8)                                         \
	X(archive_entry_size)                                                  \
	X(archive_errno)                                                       \
	X(archive_error_string)                                                \
	X(archive_file_count)                                                  \
	X(archive_read_data)                                                   \
	X(archive_read_free)                                                   \
	X(archive_read_new)                                                    \
	X(archive_read_next_header)                                            \
	X(archive_read_open_filename)                                          \
	X(archive_read_support_filter_gzip)                                    \
	X(archive_read_support_filter_zstd)                                    \
	X(archive_read_support_format_tar)
#define MEMBER(name) __typeof__(&name) name;
#define LOOK_UP(name)                                                          \
	*(void **)&library.name = dlsym(handle, #name);                        \
	whole = whole && library.name;

static struct {
	CALLS(MEMBER)
} library;

static int load_library(struct fault *fault)
{
	void *handle;
	bool whole;

	if (library.archive_read_new)
		return 0;
	handle = dlopen("libarchive.so.13", RTLD_NOW);
	whole = handle;
	if (handle) {
		CALLS(LOOK_UP)
	}
	if (whole)
		return 0;
	library.archive_read_new = NULL;
	fault_set(fault, NULL, 0,
		  "packing a tar wants libarchive (Debian package "
		  "libarchive13): %s",
		  dlerror());
	return -ELIBACC;
}

struct tar {
	struct source base;
	const char *first; /* of the tars; in a folder: NULL */
	const char *const *more;
	size_t more_count;
	size_t opened; /* of all */
	struct source *folder;
	const char *folder_path;
	char *current; /* in a folder: the path of the tar */
	struct archive *archive;
	bool ended;		      /* there is nothing more in the archive */
	struct archive_entry *member; /* looked at, not read; or NULL */
	char *path;		      /* of it */
	size_t stem_bytes;	      /* of its path */
	/* The current example. */
	char *stem;
	uint8_t *bytes;
	size_t size;
	size_t room;
};

static const char *tar_path(const struct tar *tar)
{
	if (tar->folder)
		return tar->current;
	return tar->opened > 1 ? tar->more[tar->opened - 2] : tar->first;
}

/* What a tar says is shown without what would upset a terminal. */
static void show(char shown[SHOWN_BYTES], const char *text)
{
	snprintf(shown, SHOWN_BYTES, "%s", text ? text : "");
	printable(shown);
}

static int refuse(const struct tar *tar, int error, const char *what,
		  struct fault *fault)
{
	char member[SHOWN_BYTES];

	show(member, tar->path);
	fault_set(fault, NULL, 0, "%s: %s%s%s%s", tar_path(tar),
		  tar->path ? "member '" : "", member, tar->path ? "' " : "",
		  what);
	return error;
}

/* What libarchive says of its last call. */
static int refuse_archive(const struct tar *tar, struct fault *fault)
{
	const char *said = library.archive_error_string(tar->archive);
	int error = library.archive_errno(tar->archive);
	char shown[SHOWN_BYTES];
	char what[SHOWN_BYTES + 40];

	/* How libarchive words what zstd says of a large window. */
	if (said && strstr(said, "too much memory"))
		return refuse(tar, -EINVAL, FRAME_WINDOW_TOO_LARGE, fault);
	show(shown, said ? said : "damaged");
	/* Its own codes are below zero, or this one. */
	if (error <= 0 || error == EILSEQ)
		error = EBADMSG;
	if (error == EBADMSG && library.archive_file_count(tar->archive) == 0)
		error = EINVAL;
	snprintf(what, sizeof(what), "%s: %s",
		 error == EINVAL ? "is no tar" : "cannot be read", shown);
	return refuse(tar, -error, what, fault);
}

static void forget_member(struct tar *tar)
{
	tar->member = NULL;
	free(tar->path);
	tar->path = NULL;
}

static void close_archive(struct tar *tar)
{
	forget_member(tar);
	if (tar->archive)
		library.archive_read_free(tar->archive);
	tar->archive = NULL;
}

static int open_archive(struct tar *tar, struct fault *fault)
{
	int error = load_library(fault);

	if (error)
		return error;
	tar->archive = library.archive_read_new();
	if (!tar->archive)
		return -ENOMEM;
	tar->ended = false;
	if (library.archive_read_support_format_tar(tar->archive) !=
		    ARCHIVE_OK ||
	    library.archive_read_support_filter_gzip(tar->archive) !=
		    ARCHIVE_OK ||
	    library.archive_read_support_filter_zstd(tar->archive) !=
		    ARCHIVE_OK ||
	    library.archive_read_open_filename(tar->archive, tar_path(tar),
					       READ_BYTES) != ARCHIVE_OK)
		return refuse_archive(tar, fault);
	return 0;
}

/* An example's part? Folders are passed over; links, devices and hidden files
 * (what a Mac adds) are counted as left out. */
static bool is_part(struct tar *tar, struct archive_entry *entry)
{
	const char *path = library.archive_entry_pathname(entry);
	const char *last;

	if (library.archive_entry_filetype(entry) == AE_IFDIR)
		return false;
	if (!path)
		path = library.archive_entry_pathname_utf8(entry);
	last = path ? strrchr(path, '/') : NULL;
	last = last ? last + 1 : path;
	if (!last || !*last || *last == '.' ||
	    library.archive_entry_hardlink(entry) ||
	    library.archive_entry_filetype(entry) != AE_IFREG) {
		tar->base.skipped++;
		return false;
	}
	tar->stem_bytes = (size_t)(last - path) + strcspn(last, ".");
	tar->path = strdup(path);
	tar->member = entry;
	return true;
}

/* Goes to the next member that is part of an example: 1, or 0 at the end of
 * the tar. */
static int look_ahead(struct tar *tar, struct fault *fault)
{
	struct archive_entry *entry;
	int got;

	while (!tar->member && !tar->ended) {
		got = library.archive_read_next_header(tar->archive, &entry);
		tar->ended = got == ARCHIVE_EOF;
		if (tar->ended)
			return 0;
		if (got != ARCHIVE_OK && got != ARCHIVE_WARN)
			return refuse_archive(tar, fault);
		if (is_part(tar, entry) && !tar->path)
			return -ENOMEM;
	}
	return tar->member != NULL;
}

static int make_room(struct tar *tar, size_t bytes)
{
	size_t room = tar->room * 2 + bytes;
	void *grown;

	if (tar->size + bytes <= tar->room)
		return 0;
	grown = realloc(tar->bytes, room);
	if (!grown)
		return -ENOMEM;
	tar->bytes = grown;
	tar->room = room;
	return 0;
}

/* Adds the member's bytes to the example, piece by piece. */
static int add_member(struct tar *tar, struct fault *fault)
{
	int64_t left = library.archive_entry_size(tar->member);
	int error;

	if (left < 0 || (uint64_t)left > FRAME_CONTENT_MAX - tar->size)
		return refuse(tar, -EINVAL,
			      "makes an example of more than 1 GiB", fault);
	if (tar->base.sizes_only) {
		tar->size += (size_t)left;
		return 0;
	}
	while (left > 0) {
		size_t piece = (uint64_t)left < PIECE_BYTES ? (size_t)left :
							      PIECE_BYTES;
		la_ssize_t got;

		error = make_room(tar, piece);
		if (error)
			return error;
		got = library.archive_read_data(tar->archive,
						tar->bytes + tar->size, piece);
		if (got < 0)
			return refuse_archive(tar, fault);
		if (got == 0)
			return refuse(tar, -EBADMSG,
				      "ends before its size says", fault);
		tar->size += (size_t)got;
		left -= got;
	}
	return 0;
}

static bool same_stem(const struct tar *tar)
{
	return strlen(tar->stem) == tar->stem_bytes &&
	       memcmp(tar->stem, tar->path, tar->stem_bytes) == 0;
}

/* The example that begins with the member looked at. */
static int gather(struct tar *tar, struct fault *fault)
{
	int got = 1;
	int error;

	tar->size = 0;
	free(tar->stem);
	tar->stem = strndup(tar->path, tar->stem_bytes);
	if (!tar->stem)
		return -ENOMEM;
	while (got > 0 && same_stem(tar)) {
		error = add_member(tar, fault);
		if (error)
			return error;
		forget_member(tar);
		got = look_ahead(tar, fault);
	}
	return got < 0 ? got : 1;
}

/* Goes to the next file of the folder that is a tar: 1, or 0 at its end. */
static int go_on_in_folder(struct tar *tar, struct fault *fault)
{
	const struct container *container = NULL;
	uint64_t bytes;
	int got;

	while ((got = source_next(tar->folder, &bytes, fault)) > 0) {
		free(tar->current);
		tar->current = file_path(tar->folder_path,
					 source_folder_name(tar->folder));
		if (!tar->current)
			return -ENOMEM;
		container = container_of_file(tar->current);
		if (container && container->is_tar)
			return 1;
		tar->base.skipped++;
	}
	return got;
}

/* Goes to the next tar: 1, or 0 behind the last. */
static int go_to_next(struct tar *tar, struct fault *fault)
{
	if (tar->folder)
		return go_on_in_folder(tar, fault);
	if (tar->opened > tar->more_count)
		return 0;
	tar->opened++;
	return 1;
}

static int tar_next(struct source *source, uint64_t *bytes, struct fault *fault)
{
	struct tar *tar = (struct tar *)source;
	int got = tar->archive ? look_ahead(tar, fault) : 0;

	/* An example does not go on in the next tar. */
	while (got == 0) {
		close_archive(tar);
		got = go_to_next(tar, fault);
		if (got <= 0)
			break;
		got = open_archive(tar, fault);
		if (!got)
			got = look_ahead(tar, fault);
	}
	if (got > 0)
		got = gather(tar, fault);
	*bytes = tar->size;
	return got;
}

static int tar_read(struct source *source, void *to, struct fault *fault)
{
	struct tar *tar = (struct tar *)source;

	(void)fault;
	if (tar->size)
		memcpy(to, tar->bytes, tar->size);
	return 0;
}

static void tar_close(struct source *source)
{
	struct tar *tar = (struct tar *)source;

	close_archive(tar);
	source_close(tar->folder);
	free(tar->current);
	free(tar->stem);
	free(tar->bytes);
	free(tar);
}

static const struct source_kind kind_tar = {
	.next = tar_next,
	.read = tar_read,
	.close = tar_close,
};

int source_open_tar(struct source **out, const char *first,
		    const char *const *more, size_t more_count)
{
	struct tar *tar;

	tar = calloc(1, sizeof(*tar));
	if (!tar)
		return -ENOMEM;
	tar->base.kind = &kind_tar;
	tar->first = first;
	tar->more = more;
	tar->more_count = more_count;
	*out = &tar->base;
	return 0;
}

int source_open_tar_folder(struct source **out, const char *path,
			   struct fault *fault)
{
	struct source *base;
	struct tar *tar;
	int error;

	error = source_open_tar(&base, NULL, NULL, 0);
	if (error)
		return error;
	tar = (struct tar *)base;
	tar->folder_path = path;
	error = source_open_folder(&tar->folder, path, fault);
	if (error)
		source_close(base);
	else
		*out = base;
	return error;
}
