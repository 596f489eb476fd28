/* SPDX-License-Identifier: MIT */
#include "storage/frame_log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/check.h"
#include "storage/zstd.h"

#define BUFFERS 16
#define LEVEL 1

struct buffer {
	size_t used;
	bool last;
	unsigned char bytes[FRAME_LOG_BUFFER_BYTES];
};

struct frame_log {
	const char *path;
	int fd;
	int64_t flush_ns;
	int64_t first_ns; /* of the buffer's first byte */
	uint32_t filling; /* the owner's buffer */
	uint64_t waits;
	sem_t empty;
	sem_t full;
	pthread_t thread;
	atomic_int error; /* the first */
	struct compressor *compressor;
	unsigned char *frame; /* the thread's */
	size_t frame_capacity;
	struct buffer buffers[BUFFERS];
};

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore))
		CHECK(errno == EINTR);
}

static int append(int fd, const unsigned char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t put = write(fd, bytes, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		bytes += put;
		size -= (size_t)put;
	}
	return 0;
}

static int append_frame(struct frame_log *frames, const struct buffer *buffer)
{
	size_t stored;
	int error;

	error = compressor_run(frames->compressor, buffer->bytes, buffer->used,
			       frames->frame, frames->frame_capacity, &stored);
	return error ? error : append(frames->fd, frames->frame, stored);
}

static void *write_frames(void *context)
{
	struct frame_log *frames = context;
	bool last = false;
	uint32_t i;

	for (i = 0; !last; i = (i + 1) % BUFFERS) {
		struct buffer *buffer = &frames->buffers[i];

		wait_for(&frames->full);
		last = buffer->last;
		/* After an error nothing is whole any more. */
		if (buffer->used && !atomic_load(&frames->error))
			atomic_store(&frames->error,
				     append_frame(frames, buffer));
		sem_post(&frames->empty);
	}
	return NULL;
}

static int start_thread(struct frame_log *frames)
{
	sigset_t all, old;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&frames->thread, NULL, write_frames, frames);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -error;
}

static int start(struct frame_log *frames)
{
	int error = compressor_open(&frames->compressor, LEVEL);

	if (error)
		return error;
	frames->frame_capacity = frame_bound(FRAME_LOG_BUFFER_BYTES);
	frames->frame = malloc(frames->frame_capacity);
	error = frames->frame ? 0 : -ENOMEM;
	/* Memory that the owner writes to is there before it begins. */
	for (uint32_t i = 0; !error && i < BUFFERS; i++)
		memset(frames->buffers[i].bytes, 0, FRAME_LOG_BUFFER_BYTES);
	sem_init(&frames->empty, 0, BUFFERS - 1);
	sem_init(&frames->full, 0, 0);
	if (!error)
		error = start_thread(frames);
	if (!error)
		return 0;
	compressor_close(frames->compressor);
	free(frames->frame);
	return error;
}

int frame_log_create(struct frame_log **out, const char *path, int64_t flush_ns,
		     struct fault *fault)
{
	struct frame_log *frames = calloc(1, sizeof(*frames));
	int error = -ENOMEM;

	if (!frames)
		goto fail;
	frames->path = path;
	frames->flush_ns = flush_ns;
	frames->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	error = frames->fd < 0 ? -errno : 0;
	if (error)
		goto fail;
	error = start(frames);
	if (error)
		goto close_file;
	*out = frames;
	return 0;

close_file:
	close(frames->fd);
fail:
	fault_set(fault, path, 0, "cannot write: %s", strerror(-error));
	free(frames);
	return error;
}

/* The next buffer is empty by the time this returns. */
static void hand_over(struct frame_log *frames)
{
	sem_post(&frames->full);
	if (sem_trywait(&frames->empty)) {
		frames->waits++;
		wait_for(&frames->empty);
	}
	frames->filling = (frames->filling + 1) % BUFFERS;
	frames->buffers[frames->filling].used = 0;
}

/* Times may be any, of a foreign trace that has none too. */
static bool is_old(const struct frame_log *frames, int64_t now_ns)
{
	return now_ns > frames->first_ns &&
	       (uint64_t)now_ns - (uint64_t)frames->first_ns >=
		       (uint64_t)frames->flush_ns;
}

unsigned char *frame_log_room(struct frame_log *frames, size_t size,
			      int64_t now_ns)
{
	struct buffer *buffer = &frames->buffers[frames->filling];
	bool old = frames->flush_ns && buffer->used && is_old(frames, now_ns);

	CHECK(size <= FRAME_LOG_BUFFER_BYTES);
	if (old || size > FRAME_LOG_BUFFER_BYTES - buffer->used) {
		hand_over(frames);
		buffer = &frames->buffers[frames->filling];
	}
	if (!buffer->used)
		frames->first_ns = now_ns;
	buffer->used += size;
	return buffer->bytes + buffer->used - size;
}

void frame_log_flush(struct frame_log *frames)
{
	if (frames->buffers[frames->filling].used)
		hand_over(frames);
}

uint64_t frame_log_waits(const struct frame_log *frames)
{
	return frames->waits;
}

int frame_log_close(struct frame_log *frames, struct fault *fault)
{
	int error;

	frames->buffers[frames->filling].last = true;
	sem_post(&frames->full);
	pthread_join(frames->thread, NULL);
	error = atomic_load(&frames->error);
	/* A pipe has nothing to be synced. */
	if (!error && fsync(frames->fd) && errno != EINVAL && errno != EROFS)
		error = -errno;
	if (close(frames->fd) && !error)
		error = -errno;
	if (error)
		fault_set(fault, frames->path, 0, "cannot write: %s",
			  strerror(-error));
	sem_destroy(&frames->empty);
	sem_destroy(&frames->full);
	compressor_close(frames->compressor);
	free(frames->frame);
	free(frames);
	return error;
}
