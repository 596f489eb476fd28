/* SPDX-License-Identifier: MIT */
#include "tests/support/temp.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int temp_open(struct temp *temp)
{
	const char *base = getenv("TMPDIR");

	snprintf(temp->path, sizeof(temp->path), "%s/echosim-test-XXXXXX",
		 base && base[0] ? base : "/tmp");
	return mkdtemp(temp->path) ? 0 : -errno;
}

static int allow(const char *path, const struct stat *status, int kind,
		 struct FTW *place)
{
	(void)place;
	if (kind == FTW_D || kind == FTW_DNR)
		chmod(path, status->st_mode | S_IRWXU);
	return 0;
}

static int erase(const char *path, const struct stat *status, int kind,
		 struct FTW *place)
{
	(void)status;
	(void)kind;
	(void)place;
	remove(path);
	return 0;
}

void temp_close(struct temp *temp)
{
	nftw(temp->path, allow, 16, FTW_PHYS);
	nftw(temp->path, erase, 16, FTW_PHYS | FTW_DEPTH);
}

const char *temp_name(const struct temp *temp, const char *name, char *path)
{
	int length;

	length = snprintf(path, TEMP_PATH_MAX, "%s/%s", temp->path, name);
	return length < TEMP_PATH_MAX ? path : NULL;
}

int temp_write(const struct temp *temp, const char *name, const void *bytes,
	       size_t size)
{
	char path[TEMP_PATH_MAX];
	FILE *file;
	size_t written;

	if (!temp_name(temp, name, path))
		return -ENAMETOOLONG;
	file = fopen(path, "wb");
	if (!file)
		return -errno;
	written = fwrite(bytes, 1, size, file);
	if (fclose(file) || written != size)
		return -EIO;
	return 0;
}

int temp_setup(void **state)
{
	struct temp *temp = malloc(sizeof(*temp));

	if (!temp || temp_open(temp)) {
		free(temp);
		return -1;
	}
	*state = temp;
	return 0;
}

int temp_teardown(void **state)
{
	temp_close(*state);
	free(*state);
	return 0;
}
