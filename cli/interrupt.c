/* SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "storage/clock.h"

/* One keystroke may reach the program twice: from the terminal, and from what
 * it was started by. Only later is it a second one. */
#define SECOND_AFTER_NS INT64_C(1000000000)

atomic_bool interrupt_stop;

static volatile int64_t stopped_ns;

static void stop(int number)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	int64_t now_ns = clock_now_ns();

	if (!interrupt_stop) {
		stopped_ns = now_ns;
		interrupt_stop = true;
	} else if (now_ns - stopped_ns > SECOND_AFTER_NS) {
		sigaction(number, &usual, NULL);
		raise(number); /* as soon as this handler returns */
	}
}

void interrupt_catch(void)
{
	struct sigaction action = { .sa_handler = stop };
	struct sigaction before;

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* The terminal is gone, unless nohup says that it may go. */
	if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
}
