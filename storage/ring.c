/* SPDX-License-Identifier: MIT */
#include "storage/ring.h"

#include <errno.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include "sim/check.h"
#include "storage/clock.h"

/* Requests carry their slot; the read of the wake's eventfd carries this. */
#define WAKE_DATA (UINT64_C(1) << 32)

/* The kernel takes at most 1 GiB and 16384 pieces of registered memory. */
#define PIECE_BYTES_MAX ((size_t)1 << 30)
#define PIECES_MAX 16384

struct ring {
	struct io_uring uring;
	struct reader_setup setup;
	uint32_t slots_per_piece; /* of registered memory; 0: none is */
	bool files_registered;
	bool wake_armed;
	int broken;	 /* why the wake cannot be read any more */
	eventfd_t posts; /* what a read of the wake brings */
};

/* Charges the buffers to RLIMIT_MEMLOCK; where that refuses, reads work
 * without and cost a little more. */
static int register_buffers(struct ring *ring)
{
	const struct reader_setup *setup = &ring->setup;
	size_t per_piece = PIECE_BYTES_MAX / setup->slot_bytes;
	struct iovec *pieces;
	uint32_t count = 0;
	uint32_t slot;
	int error;

	if (!per_piece)
		return -EFBIG;
	if (setup->slot_count / per_piece + 1 > PIECES_MAX)
		return -E2BIG;
	pieces = calloc(setup->slot_count / per_piece + 1, sizeof(*pieces));
	if (!pieces)
		return -ENOMEM;
	for (slot = 0; slot < setup->slot_count; slot += (uint32_t)per_piece) {
		size_t left = setup->slot_count - slot;

		pieces[count].iov_base =
			setup->memory + slot * setup->slot_bytes;
		pieces[count].iov_len = (left < per_piece ? left : per_piece) *
					setup->slot_bytes;
		count++;
	}
	error = io_uring_register_buffers(&ring->uring, pieces, count);
	free(pieces);
	if (!error)
		ring->slots_per_piece = (uint32_t)per_piece;
	return error;
}

static void note_buffers(struct reader_facts *facts,
			 const struct reader_setup *setup, int error)
{
	struct rlimit limit = { 0 };
	char why[160];

	getrlimit(RLIMIT_MEMLOCK, &limit);
	snprintf(why, sizeof(why),
		 "%s (%zu KiB needed, RLIMIT_MEMLOCK %llu KiB)",
		 strerror(-error), setup->slot_count * setup->slot_bytes >> 10,
		 (unsigned long long)limit.rlim_cur >> 10);
	reader_note(facts, "buffers not registered", why);
}

static void register_all(struct ring *ring, struct reader_facts *facts)
{
	const struct reader_setup *setup = &ring->setup;
	int error;

	error = register_buffers(ring);
	facts->buffers_registered = !error;
	if (error)
		note_buffers(facts, setup, error);
	if (setup->files_vary)
		return;
	error = io_uring_register_files(&ring->uring, setup->files,
					setup->file_count);
	facts->files_registered = !error;
	ring->files_registered = !error;
	if (error)
		reader_note(facts, "files not registered", strerror(-error));
}

static int ring_open(void **state, const struct reader_setup *setup,
		     struct reader_facts *facts, unsigned flags)
{
	struct io_uring_params params = {
		.flags = flags | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP,
		/* All in flight, and the wake. */
		.cq_entries = 2 * (setup->inflight_max + 1),
	};
	struct ring *ring;
	int error;

	ring = calloc(1, sizeof(*ring));
	if (!ring)
		return -ENOMEM;
	ring->setup = *setup;
	error = io_uring_queue_init_params(setup->inflight_max + 1,
					   &ring->uring, &params);
	if (error)
		goto free_ring;
	if (!(params.features & IORING_FEAT_EXT_ARG)) {
		error = -EOPNOTSUPP; /* before 5.11: no wait with a time-out */
		goto exit_ring;
	}
	register_all(ring, facts);
	*state = ring;
	return 0;

exit_ring:
	io_uring_queue_exit(&ring->uring);
free_ring:
	free(ring);
	return error;
}

static int ring_open_defer(void **state, const struct reader_setup *setup,
			   struct reader_facts *facts)
{
	return ring_open(state, setup, facts,
			 IORING_SETUP_SINGLE_ISSUER |
				 IORING_SETUP_DEFER_TASKRUN);
}

static int ring_open_coop(void **state, const struct reader_setup *setup,
			  struct reader_facts *facts)
{
	return ring_open(state, setup, facts, IORING_SETUP_COOP_TASKRUN);
}

static int ring_open_plain(void **state, const struct reader_setup *setup,
			   struct reader_facts *facts)
{
	return ring_open(state, setup, facts, 0);
}

/* The piece of registered memory that an address lies in. */
static int piece_of(const struct ring *ring, const unsigned char *buffer)
{
	size_t slot =
		(size_t)(buffer - ring->setup.memory) / ring->setup.slot_bytes;

	return (int)(slot / ring->slots_per_piece);
}

static void ring_submit(void *state, const struct reader_attempt *attempt)
{
	struct ring *ring = state;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring->uring);
	int file = (int)attempt->file;

	CHECK(sqe); /* the queue holds all that can be in flight */
	if (!ring->files_registered)
		file = ring->setup.files[attempt->file];
	if (ring->slots_per_piece)
		io_uring_prep_read_fixed(sqe, file, attempt->buffer,
					 attempt->bytes, attempt->offset_bytes,
					 piece_of(ring, attempt->buffer));
	else
		io_uring_prep_read(sqe, file, attempt->buffer, attempt->bytes,
				   attempt->offset_bytes);
	if (ring->files_registered)
		io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data64(sqe, attempt->slot);
}

static void arm_wake(struct ring *ring)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring->uring);

	CHECK(sqe);
	io_uring_prep_read(sqe, ring->setup.wake->fd, &ring->posts,
			   sizeof(ring->posts), 0);
	io_uring_sqe_set_data64(sqe, WAKE_DATA);
	ring->wake_armed = true;
}

static int ring_wait(void *state, int64_t timeout_ns)
{
	struct ring *ring = state;
	struct __kernel_timespec timeout = {
		.tv_sec = timeout_ns / 1000000000,
		.tv_nsec = timeout_ns % 1000000000,
	};
	struct io_uring_cqe *cqe;
	int error;

	if (ring->broken)
		return ring->broken;
	if (!ring->wake_armed)
		arm_wake(ring);
	if (timeout_ns > 0)
		error = io_uring_submit_and_wait_timeout(&ring->uring, &cqe, 1,
							 &timeout, NULL);
	else /* enters the kernel always: that is where completions appear */
		error = io_uring_submit_and_get_events(&ring->uring);
	/* EAGAIN, EBUSY: the kernel is short of memory or room; what is
	 * queued stays queued, and is tried again after reaping. */
	if (error == -ETIME || error == -EINTR || error == -EAGAIN ||
	    error == -EBUSY)
		return 0;
	return error < 0 ? error : 0;
}

static void wake_read(struct ring *ring, int result)
{
	ring->wake_armed = false;
	if (result < 0 && result != -EAGAIN && result != -EINTR)
		ring->broken = result;
}

static uint32_t ring_reap(void *state, struct reader_result *results,
			  uint32_t count)
{
	struct ring *ring = state;
	struct io_uring_cqe *cqe;
	unsigned seen = 0;
	unsigned head;
	uint32_t taken = 0;
	uint32_t i;
	int64_t now_ns;

	io_uring_for_each_cqe(&ring->uring, head, cqe)
	{
		if (taken == count)
			break;
		seen++;
		if (cqe->user_data == WAKE_DATA) {
			wake_read(ring, cqe->res);
			continue;
		}
		results[taken].slot = (uint32_t)cqe->user_data;
		results[taken].result = cqe->res;
		taken++;
	}
	io_uring_cq_advance(&ring->uring, seen);
	now_ns = taken ? clock_now_ns() : 0;
	for (i = 0; i < taken; i++)
		results[i].at_ns = now_ns;
	return taken;
}

/* The read of the wake must end before the memory it fills goes away. */
static void ring_close(void *state)
{
	struct ring *ring = state;
	struct reader_result none;

	if (ring->wake_armed && !eventfd_write(ring->setup.wake->fd, 1))
		while (ring->wake_armed && !ring_wait(ring, 1000000000))
			ring_reap(ring, &none, 1);
	io_uring_queue_exit(&ring->uring);
	free(ring);
}

const struct reader_kind ring_defer = {
	.name = "io_uring (deferred task work)",
	.open = ring_open_defer,
	.close = ring_close,
	.submit = ring_submit,
	.wait = ring_wait,
	.reap = ring_reap,
};

const struct reader_kind ring_coop = {
	.name = "io_uring (cooperative task work)",
	.open = ring_open_coop,
	.close = ring_close,
	.submit = ring_submit,
	.wait = ring_wait,
	.reap = ring_reap,
};

const struct reader_kind ring_plain = {
	.name = "io_uring",
	.open = ring_open_plain,
	.close = ring_close,
	.submit = ring_submit,
	.wait = ring_wait,
	.reap = ring_reap,
};
