/* SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

volatile bool interrupt_stop;

static void stop(int number)
{
	(void)number;
	interrupt_stop = true;
}

void interrupt_catch(void)
{
	struct sigaction action = { .sa_handler = stop,
				    .sa_flags = (int)SA_RESETHAND };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}
