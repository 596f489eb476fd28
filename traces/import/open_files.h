/* SPDX-License-Identifier: MIT */
/*
 * Where the next read of a descriptor begins. A trace of system calls tells how
 * many bytes a read gave, not from where, so the position of every open file
 * is followed:
 * a descriptor of a process stands for an open file, which descriptors made
 * by dup share, and those a child process got from its parent.
 *
 * OPEN_FILES_MAX descriptors and OPEN_FILES_THREADS_MAX threads at a time.
 */
#ifndef TRACES_OPEN_FILES_H
#define TRACES_OPEN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPEN_FILES_MAX 8192
#define OPEN_FILES_THREADS_MAX 8192

struct open_descriptor {
	uint64_t process;
	uint64_t number;
	uint32_t open; /* index of what it stands for */
};

struct open_file {
	uint64_t position;
	uint32_t users; /* descriptors; 0: free */
	bool assumed;	/* nobody has told where it stood */
};

struct open_thread {
	uint64_t thread;
	uint64_t process; /* the thread that began it */
};

struct open_files {
	struct open_descriptor descriptors[OPEN_FILES_MAX];
	size_t descriptor_count;
	struct open_file opens[OPEN_FILES_MAX];
	uint32_t open_hint; /* the first that may be free */
	struct open_thread threads[OPEN_FILES_THREADS_MAX];
	size_t thread_count;
};

/* What a descriptor of a thread stands for; one that nobody has told of is
 * taken to stand at 0. NULL: more than there is room for. */
struct open_file *open_files_get(struct open_files *files, uint64_t thread,
				 uint64_t descriptor);

/* A file was opened there. NULL: more than there is room for. */
struct open_file *open_files_open(struct open_files *files, uint64_t thread,
				  uint64_t descriptor);

/* One descriptor now stands for what another does. False: no room. */
bool open_files_share(struct open_files *files, uint64_t thread, uint64_t from,
		      uint64_t to);

void open_files_close(struct open_files *files, uint64_t thread,
		      uint64_t descriptor);

/* A thread began another, in the same process or, with a copy of its
 * descriptors, in a new one. False: no room. */
bool open_files_clone(struct open_files *files, uint64_t thread, uint64_t child,
		      bool same_process);

void open_files_exit(struct open_files *files, uint64_t thread);

#endif
