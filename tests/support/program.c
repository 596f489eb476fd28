/* SPDX-License-Identifier: MIT */
#include "tests/support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void become(const char *const *arguments, int output)
{
	int nowhere = open("/dev/null", O_RDWR);

	dup2(nowhere, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	/* execvp() takes them as writable for no reason. */
	execvp(arguments[0], (char *const *)(uintptr_t)arguments);
	_exit(PROGRAM_MISSING);
}

/* Reads to the end, so that the program is never stuck; keeps what fits. */
static size_t drain(int fd, char *output, size_t room)
{
	char beyond[4096];
	size_t size = 0;

	for (;;) {
		int keep = output && size < room;
		ssize_t got = read(fd, keep ? output + size : beyond,
				   keep ? room - size : sizeof(beyond));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return size;
		if (keep)
			size += (size_t)got;
	}
}

int program_run(const char *const *arguments, void *output, size_t room,
		size_t *size)
{
	size_t kept;
	int ends[2];
	int status;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return PROGRAM_MISSING;
	child = fork();
	if (child == 0)
		become(arguments, ends[1]);
	close(ends[1]);
	kept = drain(ends[0], output, room);
	close(ends[0]);
	if (size)
		*size = kept;
	if (child < 0 || waitpid(child, &status, 0) != child)
		return PROGRAM_MISSING;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
