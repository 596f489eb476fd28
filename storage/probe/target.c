/* SPDX-License-Identifier: MIT */
#include "storage/probe/target.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sim/check.h"
#include "sim/random.h"
#include "storage/file.h"

/* Reads are multiples of this; a device that wants more is read buffered. */
#define ALIGNMENT_BYTES 4096u

/* A folder is searched as far as this. */
#define ENTRIES_MAX 200000u

#define CHUNK_BYTES ((size_t)1 << 20)

void probe_note(struct probe_facts *facts, const char *format, ...)
{
	size_t used = strlen(facts->notes);
	va_list arguments;

	if (used && used + 1 < sizeof(facts->notes)) {
		facts->notes[used++] = '\n';
		facts->notes[used] = '\0';
	}
	va_start(arguments, format);
	vsnprintf(facts->notes + used, sizeof(facts->notes) - used, format,
		  arguments);
	va_end(arguments);
}

static int refuse(int error, const char *path, const char *what,
		  struct fault *fault)
{
	fault_set(fault, path, 0, "%s: %s", what, strerror(-error));
	return error;
}

/* ---- direct or not ---- */

/* Some file systems take the flag and refuse the reads. */
static int try_reading(int fd)
{
	void *block = aligned_alloc(ALIGNMENT_BYTES, ALIGNMENT_BYTES);
	int error;

	if (!block)
		return -ENOMEM;
	error = file_read_at(fd, block, ALIGNMENT_BYTES, 0);
	free(block);
	return error;
}

/* Makes an open file's reads direct. */
static int go_direct(int fd)
{
	const char *source;
	uint32_t alignment;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_DIRECT) != 0)
		return -errno;
	alignment = file_direct_alignment(fd, &source);
	if (!alignment || alignment > ALIGNMENT_BYTES)
		return -EINVAL;
	return try_reading(fd);
}

static int go_buffered(struct probe_target *target, uint32_t from)
{
	for (uint32_t i = from; i < target->facts.files; i++) {
		int flags = fcntl(target->fds[i], F_GETFL);

		if (flags < 0 ||
		    fcntl(target->fds[i], F_SETFL, flags & ~O_DIRECT) != 0)
			return -errno;
		/* No reading ahead: places are random. Advice only. */
		posix_fadvise(target->fds[i], 0, 0, POSIX_FADV_RANDOM);
	}
	target->facts.direct = false;
	return 0;
}

/* All files are read in the same way. */
static int choose_cache(struct probe_target *target,
			const struct probe_options *options,
			struct fault *fault)
{
	int error = 0;

	if (options->cache == PROBE_BUFFERED)
		return go_buffered(target, 0);
	for (uint32_t i = 0; i < target->facts.files && !error; i++)
		error = go_direct(target->fds[i]);
	target->facts.direct = !error;
	if (!error)
		return 0;
	if (error != -EINVAL && error != -EOPNOTSUPP)
		return refuse(error, options->path, "cannot be read", fault);
	if (options->cache == PROBE_DIRECT) {
		fault_set(fault, options->path, 0,
			  "direct reads (O_DIRECT) are refused here: %s; "
			  "without --direct it is read through the page cache",
			  strerror(-error));
		return -EOPNOTSUPP;
	}
	probe_note(&target->facts,
		   "direct reads (O_DIRECT) are refused here: read through the "
		   "page cache, which may answer in the storage's place");
	return go_buffered(target, 0);
}

/* ---- what is there ---- */

/* A file that has at least so many bytes. */
static int add_file(struct probe_target *target, const char *path,
		    uint64_t least_bytes, struct fault *fault)
{
	struct stat status;
	off_t end;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return refuse(-errno, path, "cannot be read", fault);
	end = lseek(fd, 0, SEEK_END);
	if (end < 0 || fstat(fd, &status) != 0) {
		int error = -errno;

		close(fd);
		return refuse(error, path, "cannot be read", fault);
	}
	if ((uint64_t)end < least_bytes) {
		close(fd);
		fault_set(fault, path, 0,
			  "%llu bytes are too few to measure with; expected at "
			  "least 1 MiB",
			  (unsigned long long)end);
		return -EINVAL;
	}
	if (S_ISREG(status.st_mode) &&
	    (uint64_t)status.st_blocks * 512 < (uint64_t)end / 2)
		probe_note(&target->facts,
			   "%s is mostly holes, which no device is asked for",
			   path);
	target->fds[target->facts.files] = fd;
	target->bytes[target->facts.files++] = (uint64_t)end;
	target->facts.bytes += (uint64_t)end;
	return 0;
}

/* The largest files seen so far, largest first. */
struct found {
	uint32_t count;
	uint32_t unreadable;
	struct {
		char *path;
		uint64_t bytes;
	} files[PROBE_FILES_MAX];
};

static int keep(struct found *found, const char *path, uint64_t bytes)
{
	uint32_t at = found->count;
	char *copy;

	if (at == PROBE_FILES_MAX) {
		if (bytes <= found->files[at - 1].bytes)
			return 0;
		free(found->files[--at].path);
		found->count--;
	}
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	for (; at > 0 && found->files[at - 1].bytes < bytes; at--)
		found->files[at] = found->files[at - 1];
	found->files[at].path = copy;
	found->files[at].bytes = bytes;
	found->count++;
	return 0;
}

static int look_at(const FTSENT *entry, struct found *found)
{
	if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
		found->unreadable++;
	if (entry->fts_info != FTS_F || !S_ISREG(entry->fts_statp->st_mode) ||
	    (uint64_t)entry->fts_statp->st_size < ALIGNMENT_BYTES)
		return 0;
	return keep(found, entry->fts_path,
		    (uint64_t)entry->fts_statp->st_size);
}

static int search(struct found *found, const struct probe_options *options,
		  struct probe_facts *facts)
{
	/* fts takes its paths as writable for no reason. */
	char *const roots[] = { (char *)(uintptr_t)options->path, NULL };
	uint32_t entries = 0;
	int error = 0;
	FTSENT *entry;
	FTS *walk;

	walk = fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
	if (!walk)
		return -errno;
	while (!error && (entry = fts_read(walk))) {
		error = look_at(entry, found);
		if (++entries % 1024 == 0 && !error &&
		    !options->progress(options->context, "look for files", 0))
			error = -EINTR;
		if (entries < ENTRIES_MAX)
			continue;
		probe_note(facts,
			   "only the first %u things in %s were looked "
			   "at",
			   ENTRIES_MAX, options->path);
		break;
	}
	fts_close(walk);
	return error;
}

/* A job that reads such files opens each; a probe reads what is open. */
static void note_small(struct probe_target *target)
{
	if (target->bytes[0] < PROBE_BYTES_MIN)
		probe_note(&target->facts,
			   "the files are smaller than 1 MiB: they were open "
			   "while they were read, so what opening costs is not "
			   "in the figures");
}

static int open_folder(struct probe_target *target,
		       const struct probe_options *options, struct fault *fault)
{
	struct found found = { 0 };
	uint64_t least_bytes;
	int error;

	target->facts.what = "files";
	error = search(&found, options, &target->facts);
	least_bytes = found.count && found.files[0].bytes >= PROBE_BYTES_MIN ?
			      PROBE_BYTES_MIN :
			      ALIGNMENT_BYTES;
	for (uint32_t i = 0; i < found.count; i++) {
		struct fault why = { 0 };

		if (found.files[i].bytes >= least_bytes && !error &&
		    add_file(target, found.files[i].path, least_bytes, &why))
			found.unreadable++;
		free(found.files[i].path);
	}
	if (!error && target->facts.bytes >= PROBE_BYTES_MIN) {
		note_small(target);
		return 0;
	}
	if (error)
		return error;
	if (found.unreadable && !target->facts.files)
		return refuse(-EACCES, options->path,
			      "nothing in it can be read", fault);
	fault_set(fault, options->path, 0,
		  "its files have %llu bytes to measure with; expected at "
		  "least 1 MiB in files of 4 KiB or more; --create SIZE makes "
		  "one",
		  (unsigned long long)target->facts.bytes);
	return -EINVAL;
}

/* ---- a file of our own ---- */

/* Random bytes: no device may shrink them, no two blocks are equal. */
static void fill_chunk(uint64_t *chunk, struct random_stream stream,
		       uint64_t number)
{
	size_t words = CHUNK_BYTES / sizeof(*chunk);

	for (size_t i = 0; i < words; i++)
		chunk[i] = random_bits(stream, number * words + i);
}

static int write_chunk(int fd, const void *chunk, size_t bytes)
{
	const char *from = chunk;

	while (bytes > 0) {
		ssize_t done = write(fd, from, bytes);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		from += done;
		bytes -= (size_t)done;
	}
	return 0;
}

static int fill_file(int fd, const struct probe_options *options)
{
	struct random_stream stream =
		random_stream(options->seed, RANDOM_SYNTHETIC_CONTENT);
	uint64_t size = options->create_bytes;
	uint64_t *chunk;
	uint64_t done;
	int error = 0;

	chunk = malloc(CHUNK_BYTES);
	if (!chunk)
		return -ENOMEM;
	for (done = 0; done < size && !error; done += CHUNK_BYTES) {
		uint64_t left = size - done;

		fill_chunk(chunk, stream, done / CHUNK_BYTES);
		error = write_chunk(fd, chunk,
				    left < CHUNK_BYTES ? left : CHUNK_BYTES);
		if (!error &&
		    !options->progress(options->context, "make a test file",
				       (double)done / (double)size))
			error = -EINTR;
	}
	free(chunk);
	if (!error && fsync(fd) != 0)
		error = -errno;
	return error;
}

/* A file without a name, or one that has just lost it. */
static int open_nameless(const char *folder)
{
	char path[4096];
	int fd;

	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return -errno;
	if (snprintf(path, sizeof(path), "%s/.echosim-probe-XXXXXX", folder) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (unlink(path) != 0) {
		int error = -errno;

		close(fd);
		return error;
	}
	return fd;
}

/* A disk is not filled to find out that it is too small. */
static int check_room(int fd, const struct probe_options *options,
		      struct fault *fault)
{
	struct statvfs room;
	uint64_t bytes;

	if (fstatvfs(fd, &room) != 0)
		return 0;
	bytes = (uint64_t)room.f_bavail * room.f_frsize;
	if (options->create_bytes <= bytes)
		return 0;
	fault_set(fault, options->path, 0,
		  "%llu MiB are free; expected %llu MiB, for the test file",
		  (unsigned long long)(bytes >> 20),
		  (unsigned long long)(options->create_bytes >> 20));
	return -ENOSPC;
}

static int create_file(struct probe_target *target,
		       const struct probe_options *options, struct fault *fault)
{
	int error;
	int fd;

	target->facts.what = "test file";
	fd = open_nameless(options->path);
	if (fd < 0)
		return refuse(fd, options->path,
			      "a test file cannot be made in it", fault);
	target->fds[0] = fd;
	target->bytes[0] = options->create_bytes;
	target->facts.files = 1;
	target->facts.bytes = options->create_bytes;
	error = check_room(fd, options, fault);
	if (error)
		return error;
	error = fill_file(fd, options);
	if (error && error != -EINTR)
		return refuse(error, options->path,
			      "the test file cannot be written", fault);
	return error;
}

/* ---- the whole ---- */

static int open_path(struct probe_target *target,
		     const struct probe_options *options, struct fault *fault)
{
	struct stat status;

	if (stat(options->path, &status) != 0)
		return refuse(-errno, options->path, "cannot be read", fault);
	if (options->create_bytes) {
		if (S_ISDIR(status.st_mode))
			return create_file(target, options, fault);
		fault_set(fault, options->path, 0,
			  "--create makes a file in a folder, and this is "
			  "none");
		return -ENOTDIR;
	}
	if (S_ISDIR(status.st_mode))
		return open_folder(target, options, fault);
	if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode)) {
		fault_set(fault, options->path, 0,
			  "expected a file, a folder or a block device");
		return -EINVAL;
	}
	target->facts.what = S_ISBLK(status.st_mode) ? "block device" : "file";
	return add_file(target, options->path, PROBE_BYTES_MIN, fault);
}

int probe_target_open(struct probe_target *target,
		      const struct probe_options *options, struct fault *fault)
{
	int error;

	memset(target, 0, sizeof(*target));
	error = open_path(target, options, fault);
	if (!error)
		error = choose_cache(target, options, fault);
	if (error)
		probe_target_close(target);
	else
		probe_target_forget(target);
	return error;
}

void probe_target_close(struct probe_target *target)
{
	while (target->facts.files > 0)
		close(target->fds[--target->facts.files]);
}

uint64_t probe_target_blocks(const struct probe_target *target,
			     uint64_t block_bytes)
{
	uint64_t blocks = 0;

	for (uint32_t i = 0; i < target->facts.files; i++)
		blocks += target->bytes[i] / block_bytes;
	return blocks;
}

struct probe_place probe_target_find(const struct probe_target *target,
				     uint64_t block_bytes, uint64_t number)
{
	uint32_t file = 0;

	while (number >= target->bytes[file] / block_bytes) {
		number -= target->bytes[file++] / block_bytes;
		CHECK(file < target->facts.files);
	}
	return (struct probe_place){ file, number * block_bytes };
}

void probe_target_forget(const struct probe_target *target)
{
	for (uint32_t i = 0; i < target->facts.files; i++)
		posix_fadvise(target->fds[i], 0, 0, POSIX_FADV_DONTNEED);
}
