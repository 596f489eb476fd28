/* SPDX-License-Identifier: MIT */
#include "storage/reader_wake.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sim/check.h"

int reader_wake_init(struct reader_wake *wake)
{
	/* Blocking: a read of it through io_uring then waits for a post. */
	wake->fd = eventfd(0, EFD_CLOEXEC);
	if (wake->fd < 0)
		return -errno;
	atomic_init(&wake->asleep, false);
	atomic_init(&wake->posted, 0);
	wake->seen = 0;
	return 0;
}

void reader_wake_release(struct reader_wake *wake)
{
	close(wake->fd);
	wake->fd = -1;
}

void reader_wake_post(struct reader_wake *wake)
{
	/* Sequentially consistent on both sides: either this thread sees
	 * `asleep`, or the sleeper sees `posted`. */
	atomic_fetch_add(&wake->posted, 1);
	if (atomic_load(&wake->asleep) && atomic_exchange(&wake->asleep, false))
		CHECK(!eventfd_write(wake->fd, 1));
}

void reader_wake_look(struct reader_wake *wake)
{
	wake->seen = atomic_load(&wake->posted);
}

bool reader_wake_sleep(struct reader_wake *wake)
{
	atomic_store(&wake->asleep, true);
	if (atomic_load(&wake->posted) == wake->seen)
		return true;
	atomic_store(&wake->asleep, false);
	return false;
}

void reader_wake_up(struct reader_wake *wake)
{
	atomic_store(&wake->asleep, false);
}
