/* SPDX-License-Identifier: MIT */
#include "analysis/hosts.h"

#include <stdio.h>

#include "analysis/text.h"

static void say_device(const struct scenario *scenario, char *text, size_t size)
{
	const char *device = scenario->storage.device;
	const char *extends = scenario->storage.extends;

	if (scenario->storage.native)
		text_append(text, size, "this machine's own");
	else if (device[0])
		text_append(text, size, "%s", device);
	else if (extends[0])
		text_append(text, size, "%s with changes", extends);
	else
		text_append(text, size, "as described");
}

static void say_volumes(const struct scenario *scenario, char *text,
			size_t size)
{
	uint32_t volumes = scenario->storage.volumes;
	uint32_t hosts = scenario->accelerators.hosts;
	bool shared = scenario_scope(scenario) == SCOPE_SHARED;

	if (volumes > 1)
		text_append(text, size, ", %u volumes striped", volumes);
	if (hosts == 1)
		return;
	if (shared)
		text_append(text, size, ", shared by all hosts");
	else
		text_append(text, size, "%s in each host",
			    volumes > 1 ? "" : ", one");
}

const char *hosts_say(const struct scenario *scenario, char *text, size_t size)
{
	uint32_t count = scenario->accelerators.count;
	uint32_t hosts = scenario->accelerators.hosts;
	uint64_t all = (uint64_t)count * hosts;

	text[0] = '\0';
	text_append(text, size, "%llu accelerator%s in ",
		    (unsigned long long)all, all > 1 ? "s" : "");
	if (hosts == 1)
		text_append(text, size, "one host");
	else
		text_append(text, size, "all, %u in each of %u hosts", count,
			    hosts);
	text_append(text, size, "; storage: ");
	say_device(scenario, text, size);
	say_volumes(scenario, text, size);
	return text;
}
