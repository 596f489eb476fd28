/* SPDX-License-Identifier: MIT */
/*
 * Replays a fuzzer's corpus in a plain build, so that what a fuzzer once found
 * stays found. Linked with one fuzz_NAME.c, it feeds it every file of
 * tests/fuzz/corpus/NAME/ (or the files given as arguments) and speaks TAP.
 * Run from the top folder.
 */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int replay(int number, const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;
	size_t size;

	if (!file || fseek(file, 0, SEEK_END))
		return 1;
	size = (size_t)ftell(file);
	rewind(file);
	/* Exactly as long as the file, so that a sanitizer sees its end. */
	bytes = malloc(size ? size : 1);
	if (!bytes || fread(bytes, 1, size, file) != size)
		return 1;
	fclose(file);

	LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
	printf("ok %d - %s\n", number, path);
	fflush(stdout);
	return 0;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay_folder(const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, visible, alphasort);
	int failed = 0;

	/* A fuzzer without a corpus yet. */
	if (count <= 0) {
		printf("1..1\nok 1 # SKIP no files in %s\n", folder);
		return 0;
	}
	printf("1..%d\n", count);
	fflush(stdout);
	for (int i = 0; i < count; i++) {
		char path[1024];

		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		failed |= replay(i + 1, path);
		free(entries[i]);
	}
	free(entries);
	return failed;
}

int main(int count, char **arguments)
{
	const char *name = strrchr(arguments[0], '/');
	char folder[512];
	int failed = 0;

	if (count < 2) {
		name = name ? name + 1 : arguments[0];
		name += strncmp(name, "fuzz_", 5) ? 0 : 5;
		snprintf(folder, sizeof(folder), "tests/fuzz/corpus/%s", name);
		return replay_folder(folder);
	}
	printf("1..%d\n", count - 1);
	for (int i = 1; i < count; i++)
		failed |= replay(i, arguments[i]);
	return failed;
}
