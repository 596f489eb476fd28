/* SPDX-License-Identifier: MIT */
#include "traces/import/open_files.h"

static struct open_thread *find_thread(struct open_files *files,
				       uint64_t thread)
{
	size_t i;

	for (i = 0; i < files->thread_count; i++)
		if (files->threads[i].thread == thread)
			return &files->threads[i];
	return NULL;
}

/* A thread of which nothing is known is a process of its own. */
static uint64_t process_of(struct open_files *files, uint64_t thread)
{
	const struct open_thread *found = find_thread(files, thread);

	return found ? found->process : thread;
}

static struct open_descriptor *find(struct open_files *files, uint64_t process,
				    uint64_t number)
{
	size_t i;

	for (i = 0; i < files->descriptor_count; i++)
		if (files->descriptors[i].number == number &&
		    files->descriptors[i].process == process)
			return &files->descriptors[i];
	return NULL;
}

/* The last one fills the gap. */
static void drop(struct open_files *files, struct open_descriptor *descriptor)
{
	uint32_t open = descriptor->open;

	if (--files->opens[open].users == 0 && open < files->open_hint)
		files->open_hint = open;
	*descriptor = files->descriptors[--files->descriptor_count];
}

static bool add(struct open_files *files, uint64_t process, uint64_t number,
		uint32_t open)
{
	if (files->descriptor_count == OPEN_FILES_MAX)
		return false;
	files->descriptors[files->descriptor_count++] =
		(struct open_descriptor){ process, number, open };
	files->opens[open].users++;
	return true;
}

static struct open_file *open_new(struct open_files *files, uint64_t process,
				  uint64_t number)
{
	uint32_t open = files->open_hint;

	/* There are at most as many as descriptors: one is free. */
	if (files->descriptor_count == OPEN_FILES_MAX)
		return NULL;
	while (files->opens[open].users)
		open++;
	files->open_hint = open + 1;
	files->opens[open] = (struct open_file){ 0 };
	add(files, process, number, open);
	return &files->opens[open];
}

struct open_file *open_files_get(struct open_files *files, uint64_t thread,
				 uint64_t descriptor)
{
	uint64_t process = process_of(files, thread);
	struct open_descriptor *found = find(files, process, descriptor);
	struct open_file *open;

	if (found)
		return &files->opens[found->open];
	open = open_new(files, process, descriptor);
	if (open)
		open->assumed = true;
	return open;
}

struct open_file *open_files_open(struct open_files *files, uint64_t thread,
				  uint64_t descriptor)
{
	open_files_close(files, thread, descriptor);
	return open_new(files, process_of(files, thread), descriptor);
}

bool open_files_share(struct open_files *files, uint64_t thread, uint64_t from,
		      uint64_t to)
{
	uint64_t process = process_of(files, thread);
	const struct open_descriptor *found;

	if (from == to)
		return true;
	if (!open_files_get(files, thread, from))
		return false;
	open_files_close(files, thread, to);
	found = find(files, process, from);
	return add(files, process, to, found->open);
}

void open_files_close(struct open_files *files, uint64_t thread,
		      uint64_t descriptor)
{
	struct open_descriptor *found =
		find(files, process_of(files, thread), descriptor);

	if (found)
		drop(files, found);
}

static void forget_process(struct open_files *files, uint64_t process)
{
	size_t i = 0;

	while (i < files->descriptor_count) {
		if (files->descriptors[i].process == process)
			drop(files, &files->descriptors[i]);
		else
			i++;
	}
}

/* What a child did before its parent's call returned was told under its own
 * name; from here on it is right. */
bool open_files_clone(struct open_files *files, uint64_t thread, uint64_t child,
		      bool same_process)
{
	uint64_t process = process_of(files, thread);
	size_t i, count = files->descriptor_count;

	open_files_exit(files, child);
	if (files->thread_count == OPEN_FILES_THREADS_MAX)
		return false;
	files->threads[files->thread_count++] =
		(struct open_thread){ child, same_process ? process : child };
	for (i = 0; i < count && !same_process; i++)
		if (files->descriptors[i].process == process &&
		    !add(files, child, files->descriptors[i].number,
			 files->descriptors[i].open))
			return false;
	return true;
}

void open_files_exit(struct open_files *files, uint64_t thread)
{
	struct open_thread *found = find_thread(files, thread);

	if (process_of(files, thread) == thread)
		forget_process(files, thread);
	if (found)
		*found = files->threads[--files->thread_count];
}
