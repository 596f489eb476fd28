/* SPDX-License-Identifier: MIT */
#include "storage/lmdb.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lmdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/bytes.h"
#include "storage/file.h"
#include "storage/dataset/pages.h"

/* A transaction's pages are kept in memory until it is committed. */
#define BATCH_BYTES ((uint64_t)16 << 20)
#define BATCH_VALUES 20000u

/* More than the lock file of LMDB's default number of readers. */
#define LOCK_BYTES 16384

/* Of LMDB's files: headers of pages and of their entries, with key and
 * pointer. A value goes to pages of its own when two do not fit a page. */
#define PAGE_HEADER_BYTES 16u
#define ENTRY_BYTES 20u
#define REFERENCE_BYTES 8u

struct store {
	MDB_env *env;
	MDB_txn *transaction;
	MDB_cursor *cursor;
	MDB_dbi list;
	char *path; /* of data.mdb, for faults */
	char *folder;
	uint64_t count;
	/* Writing. */
	MDB_txn *pin;
	uint64_t batch_bytes;
	uint64_t batch_values;
	/* Reading. */
	uint64_t next;
	uint32_t page_bytes;
	uintptr_t base; /* where the file's first byte is mapped */
};

static int refuse(struct store *store, int code, const char *doing,
		  struct fault *fault)
{
	fault_set(fault, NULL, 0, "%s: %s: %s", store->path, doing,
		  mdb_strerror(code));
	if (code > 0)
		return -code;
	switch (code) {
	case MDB_MAP_FULL:
		return -ENOSPC;
	case MDB_INVALID:
	case MDB_CORRUPTED:
	case MDB_PAGE_NOTFOUND:
	case MDB_VERSION_MISMATCH:
		return -EBADMSG;
	default:
		return -EIO;
	}
}

static int make(struct store **out, const char *folder)
{
	struct store *store;

	store = calloc(1, sizeof(*store));
	if (!store)
		return -ENOMEM;
	store->path = file_path(folder, STORE_DATA_NAME);
	store->folder = strdup(folder);
	if (!store->path || !store->folder || mdb_env_create(&store->env)) {
		store_close(store);
		return -ENOMEM;
	}
	*out = store;
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	if (store->cursor)
		mdb_cursor_close(store->cursor);
	if (store->transaction)
		mdb_txn_abort(store->transaction);
	if (store->pin)
		mdb_txn_abort(store->pin);
	if (store->env)
		mdb_env_close(store->env);
	free(store->folder);
	free(store->path);
	free(store);
}

uint64_t store_value_bytes_max(uint64_t size)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t room = page - PAGE_HEADER_BYTES;
	uint64_t entry = size + ENTRY_BYTES;
	uint64_t bytes = 0;

	if (entry > room / 2 - ENTRY_BYTES) {
		bytes = (size + PAGE_HEADER_BYTES + page - 1) / page * page;
		entry = REFERENCE_BYTES + ENTRY_BYTES;
	}
	/* A page is left when the next entry does not fit, so that less than
	 * one entry's room is lost. */
	bytes += entry * page / (room - entry) + 1;
	/* The tree above, and what each batch writes again. */
	return bytes + bytes / 128 + 64 * 1024 / BATCH_VALUES + 1;
}

static int begin(struct store *store, unsigned int flags)
{
	int code;

	code = mdb_txn_begin(store->env, NULL, flags, &store->transaction);
	if (!code)
		code = mdb_dbi_open(store->transaction, NULL, 0, &store->list);
	return code;
}

/* LMDB writes to its lock file through a map, and where the disk has no room
 * for it that is the end of the process: make the room before. */
static int reserve_lock(const char *folder)
{
	char *path = file_path(folder, STORE_LOCK_NAME);
	int code;
	int fd;

	if (!path)
		return ENOMEM;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	free(path);
	if (fd < 0)
		return errno;
	code = posix_fallocate(fd, 0, LOCK_BYTES);
	close(fd);
	return code;
}

int store_create(struct store **out, const char *folder, uint64_t bytes_max,
		 struct fault *fault)
{
	struct store *store;
	int error;
	int code;

	error = make(&store, folder);
	if (error)
		return error;
	code = reserve_lock(folder);
	if (!code)
		code = mdb_env_set_mapsize(store->env, bytes_max);
	if (!code)
		code = mdb_env_open(store->env, store->folder,
				    MDB_NOSYNC | MDB_NOTLS, 0666);
	/* A reader of the empty list keeps LMDB from using a freed page
	 * again, so that values lie in the file in the order of their keys. */
	if (!code)
		code = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &store->pin);
	if (!code)
		code = begin(store, 0);
	if (code) {
		error = refuse(store, code, "cannot be made", fault);
		store_close(store);
		return error;
	}
	*out = store;
	return 0;
}

/*
 * LMDB says EIO of a write that a full disk cut short. What the disk says to
 * one byte more tells; it lies behind the end, where nothing refers to.
 */
static int find_reason(struct store *store, int code)
{
	struct stat status;
	int fd;

	if (code != EIO || mdb_env_get_fd(store->env, &fd) != 0 ||
	    fstat(fd, &status) != 0)
		return code;
	return pwrite(fd, "", 1, status.st_size) == 1 ? code : errno;
}

static int commit(struct store *store, struct fault *fault)
{
	int code = mdb_txn_commit(store->transaction);

	/* Gone, whatever the outcome. */
	store->transaction = NULL;
	store->batch_bytes = 0;
	store->batch_values = 0;
	if (!code)
		return 0;
	return refuse(store, find_reason(store, code), "cannot be written",
		      fault);
}

int store_append(struct store *store, const void *data, size_t size,
		 struct fault *fault)
{
	uint8_t number[8];
	MDB_val key = { sizeof(number), number };
	/* LMDB takes what it stores as writable, and does not write it. */
	MDB_val value = { size, (void *)(uintptr_t)data };
	int error;
	int code;

	if (store->batch_bytes + size > BATCH_BYTES ||
	    store->batch_values >= BATCH_VALUES) {
		error = commit(store, fault);
		if (error)
			return error;
		code = begin(store, 0);
		if (code)
			return refuse(store, code, "cannot be written", fault);
	}
	bytes_put_be64(number, store->count);
	code = mdb_put(store->transaction, store->list, &key, &value,
		       MDB_APPEND);
	if (code)
		return refuse(store, code, "cannot be written", fault);
	store->batch_bytes += size;
	store->batch_values++;
	store->count++;
	return 0;
}

int store_finish(struct store *store, struct fault *fault)
{
	int error;
	int code;

	error = commit(store, fault);
	if (error)
		return error;
	code = mdb_env_sync(store->env, 1);
	return code ? refuse(store, code, "cannot be synced", fault) : 0;
}

static int check_file(struct store *store, struct fault *fault)
{
	struct pages_facts facts;
	uint64_t bytes;
	int error;
	int fd;

	fd = file_open(AT_FDCWD, store->path, 0, &bytes);
	if (fd < 0)
		return refuse(store, -fd, "cannot be opened", fault);
	error = pages_check(fd, bytes, store->path, &facts, fault);
	close(fd);
	if (error)
		return error;
	store->count = facts.entries;
	store->page_bytes = facts.page_bytes;
	/* Map the file and not a byte more, whatever size it claims. */
	if (mdb_env_set_mapsize(store->env, bytes))
		return -EINVAL;
	return 0;
}

int store_open(struct store **out, const char *folder, struct fault *fault)
{
	struct store *store;
	int error;
	int code;

	error = make(&store, folder);
	if (error)
		return error;
	error = check_file(store, fault);
	if (error)
		goto close_store;
	code = mdb_env_open(store->env, store->folder,
			    MDB_RDONLY | MDB_NOLOCK | MDB_NORDAHEAD | MDB_NOTLS,
			    0);
	if (!code)
		code = begin(store, MDB_RDONLY);
	if (!code)
		code = mdb_cursor_open(store->transaction, store->list,
				       &store->cursor);
	if (code) {
		error = refuse(store, code, "cannot be opened", fault);
		goto close_store;
	}
	*out = store;
	return 0;

close_store:
	store_close(store);
	return error;
}

uint64_t store_count(const struct store *store)
{
	return store->count;
}

/* Where the mapping that holds an address begins in memory, from the process
 * map; 0 when there is none to read. */
static uintptr_t base_from_map(uintptr_t address)
{
	char line[512];
	uintptr_t base = 0;
	FILE *map;

	map = fopen("/proc/self/maps", "re");
	if (!map)
		return 0;
	/* start-end permissions offset ..., in hexadecimal */
	while (!base && fgets(line, sizeof(line), map)) {
		char *at;
		uintptr_t start = strtoumax(line, &at, 16);
		uintptr_t end = strtoumax(*at ? at + 1 : at, &at, 16);

		if (address < start || address >= end || strlen(at) < 6)
			continue;
		if (strtoumax(at + 6, NULL, 16) == 0)
			base = start;
	}
	fclose(map);
	return base;
}

/* The same without a process map: a key lies in a page of the tree, and such
 * a page begins with its own number. */
static uintptr_t base_from_page(uintptr_t address, uint32_t page_bytes)
{
	uintptr_t page = address & ~((uintptr_t)page_bytes - 1);
	uint64_t number = bytes_get_le64((const uint8_t *)page);

	return page - (uintptr_t)(number * page_bytes);
}

static int find_base(struct store *store, const MDB_val *key,
		     struct fault *fault)
{
	uintptr_t address = (uintptr_t)key->mv_data;
	uintptr_t mapped = base_from_map(address);

	store->base = mapped;
	/* The map is aligned to the machine's pages, so the file's own pages
	 * are only where they are no larger. */
	if (store->page_bytes <= (uint32_t)sysconf(_SC_PAGESIZE))
		store->base = base_from_page(address, store->page_bytes);
	if (!store->base || (mapped && mapped != store->base)) {
		fault_set(fault, NULL, 0,
			  "%s: where it is mapped cannot be told", store->path);
		return -EIO;
	}
	return 0;
}

int store_next(struct store *store, struct store_value *value,
	       struct fault *fault)
{
	MDB_val key;
	MDB_val data;
	int error;
	int code;

	if (store->next == store->count)
		return 0;
	code = mdb_cursor_get(store->cursor, &key, &data,
			      store->next == 0 ? MDB_FIRST : MDB_NEXT);
	if (code)
		return refuse(store, code, "cannot be read", fault);
	if (store->next == 0) {
		error = find_base(store, &key, fault);
		if (error)
			return error;
	}
	CHECK(bytes_get_be64(key.mv_data) == store->next);
	store->next++;
	value->data = data.mv_data;
	value->size = data.mv_size;
	value->offset_bytes = (uint64_t)((uintptr_t)data.mv_data - store->base);
	return 1;
}
