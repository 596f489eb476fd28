/* SPDX-License-Identifier: MIT */
#include "tests/support/limits.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

int in_child(int (*test)(void *context), void *context)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(test(context));
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 255;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int forbid_rings(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return -errno;
	return 0;
}

int limit_resource(int resource, unsigned long long limit)
{
	const struct rlimit both = { limit, limit };

	return setrlimit((__rlimit_resource_t)resource, &both) ? -errno : 0;
}

int become_nobody(void)
{
	if (getuid())
		return 0;
	return setresuid(NOBODY, NOBODY, NOBODY) ? -errno : 0;
}
