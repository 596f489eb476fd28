/* SPDX-License-Identifier: MIT */
/*
 * How worker threads wake the one thread that waits: a count of things posted
 * and an eventfd, which is written only when that thread may be asleep. So a
 * busy run makes no system calls to tell itself that it is busy.
 *
 * The waiting thread looks (reader_wake_look), drains its queues, and later
 * says that it wants to sleep: it may, unless something was posted since it
 * looked. Nothing posted can be slept over.
 */
#ifndef STORAGE_READER_WAKE_H
#define STORAGE_READER_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>

struct reader_wake {
	int fd; /* becomes readable when the sleeper is to wake */
	atomic_bool asleep;
	atomic_uint posted;
	unsigned seen;
};

/* Negative errno when there is no eventfd to be had. */
int reader_wake_init(struct reader_wake *wake)
	__attribute__((warn_unused_result));
void reader_wake_release(struct reader_wake *wake);

/* Any thread, after it has put something where the sleeper will look. */
void reader_wake_post(struct reader_wake *wake);

/* The waiting thread: everything posted so far will be drained now. */
void reader_wake_look(struct reader_wake *wake);

/* The waiting thread: may it sleep? When true, a post from now on makes fd
 * readable, until reader_wake_up(). */
bool reader_wake_sleep(struct reader_wake *wake);
void reader_wake_up(struct reader_wake *wake);

#endif
