/* SPDX-License-Identifier: MIT */
/*
 * The format `lmdb-environment`: an LMDB environment made by others, a folder
 * with data.mdb or a single file; string or integer keys; the unnamed database
 * or one by name. Each value is an example as it is, in the order of the keys.
 * The file must not be written to meanwhile: readers that LMDB does not know
 * of are not waited for.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/dataset/files.h"
#include "storage/file.h"
#include "storage/dataset/foreign.h"
#include "storage/lmdb.h"
#include "storage/dataset/pages.h"

struct adding {
	struct dataset *dataset;
	struct fault *fault;
};

static bool detect(const struct place *place)
{
	return place->kind == PLACE_ENVIRONMENT;
}

static int add_value(void *context, const struct pages_value *value)
{
	const struct adding *adding = context;
	struct layout_entry place = {
		.offset_bytes = value->offset_bytes,
		.stored_bytes = value->bytes,
		.content_bytes = value->bytes,
	};

	return foreign_add(adding->dataset, &place, NULL, adding->fault);
}

static int scan(struct dataset *dataset, uint64_t shard, int fd,
		struct fault *fault)
{
	struct adding adding = { dataset, fault };
	char name[DATASET_NAME_BYTES];

	return pages_walk(fd, dataset->names.sizes[shard],
			  dataset_file_name(dataset, (uint32_t)shard, name),
			  dataset->database, add_value, &adding, fault);
}

void dataset_databases(const char *path,
		       void (*tell)(void *context, const char *name,
				    size_t length),
		       void *context)
{
	struct fault fault = { 0 };
	struct place place;
	const char *name;
	uint64_t bytes;
	int fd;

	if (place_look(&place, path, &fault))
		return;
	name = place.folder == AT_FDCWD ? path : STORE_DATA_NAME;
	fd = place.kind == PLACE_ENVIRONMENT ?
		     file_open(place.folder, name, 0, &bytes) :
		     -EINVAL;
	if (fd >= 0) {
		/* What is told before an error counts. */
		(void)!pages_databases(fd, bytes, path, tell, context, &fault);
		close(fd);
	}
	place_release(&place);
}

static int load(struct dataset *dataset, struct fault *fault)
{
	struct stat status;
	int error = 0;

	if (dataset->names.count == 0) {
		if (fstatat(dataset->folder, STORE_DATA_NAME, &status, 0) != 0)
			return -errno;
		error = names_add(&dataset->names, STORE_DATA_NAME,
				  (uint64_t)status.st_size);
	}
	return error ? error : foreign_scan(dataset, scan, fault);
}

const struct format format_environment = {
	.name = "lmdb-environment",
	.help = "an LMDB environment",
	.unit = "value",
	.detect = detect,
	.load = load,
};
