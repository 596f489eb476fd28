/* SPDX-License-Identifier: MIT */
/* echosim import-workload: a DLIO or MLPerf Storage file as a scenario. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "traces/units.h"
#include "traces/workload/print.h"

struct import_options {
	struct workload_setting setting;
	const char *path;
	const char *output_path;
	bool quiet;
	bool strict;
};

enum key {
	KEY_ACCELERATORS = 512,
	KEY_HOSTS,
	KEY_HOST_MEMORY,
	KEY_DEVICE,
	KEY_STRICT,
};

static const struct argp_option option_list[] = {
	{ "accelerators", KEY_ACCELERATORS, "N", 0,
	  "Accelerators of each host; 1 unless given", 0 },
	{ "hosts", KEY_HOSTS, "N", 0, "Hosts; 1 unless given", 0 },
	{ "host-memory", KEY_HOST_MEMORY, "SIZE", 0,
	  "Memory of a host: sizes the dataset by the rule of MLPerf Storage, "
	  "instead of as the file has it",
	  0 },
	{ "device", KEY_DEVICE, "NAME", 0,
	  "What it reads from; `echosim list devices`", 0 },
	{ "strict", KEY_STRICT, NULL, 0,
	  "A key that DLIO does not know is a mistake", 0 },
	{ "quiet", 'q', NULL, 0,
	  "Only the scenario, what is unknown and errors", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE instead of stdout", 0 },
	{ 0 },
};

static uint32_t parse_count(const struct argp_state *state, const char *option,
			    const char *argument, uint32_t most)
{
	uint64_t count;

	if (units_parse(UNITS_COUNT, argument, &count) || !count ||
	    count > most)
		options_refuse(state,
			       "%s %s: expected a whole number from 1 to %u",
			       option, argument, most);
	return (uint32_t)count;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct import_options *options = state->input;
	struct workload_setting *setting = &options->setting;

	switch (key) {
	case 'q':
		options->quiet = true;
		return 0;
	case KEY_ACCELERATORS:
		setting->accelerators =
			parse_count(state, "--accelerators", argument, 1024);
		return 0;
	case KEY_HOSTS:
		setting->hosts = parse_count(state, "--hosts", argument, 4096);
		return 0;
	case KEY_HOST_MEMORY:
		setting->host_memory_bytes =
			options_bytes(state, "--host-memory", argument);
		setting->by_rule = true;
		return 0;
	case KEY_DEVICE:
		setting->device = argument;
		return 0;
	case KEY_STRICT:
		options->strict = true;
		return 0;
	case 'o':
		options->output_path = argument;
		return 0;
	case ARGP_KEY_ARG:
		if (options->path)
			options_refuse(state, "one FILE, not \"%s\" too",
				       argument);
		options->path = argument;
		return 0;
	case ARGP_KEY_NO_ARGS:
		options_refuse(state, "FILE is missing: a workload file of "
				      "DLIO or MLPerf Storage");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- what became of the keys ---- */

static void say_seen(const struct workload_keys *keys, bool ignored,
		     const char *what)
{
	char *list = NULL;
	size_t size = 0, count = 0, i;
	FILE *out = open_memstream(&list, &size);

	if (!out)
		return;
	for (i = 0; i < workload_key_count; i++) {
		bool is_ignored = workload_key_table[i].kind ==
				  WORKLOAD_IGNORED;

		if (keys->seen[i] && is_ignored == ignored)
			fprintf(out, "%s%s", count++ ? ", " : "",
				workload_key_table[i].name);
	}
	if (!fclose(out) && count)
		say("%s: %s", what, list);
	free(list);
}

static void say_unknown(const char *path, const struct workload_keys *keys)
{
	size_t count = keys->unknown_count, i;

	for (i = 0; i < count && i < WORKLOAD_UNKNOWN_MAX; i++)
		say("%s:%d: unknown key \"%s\"%s%s%s", path,
		    keys->unknown[i].line, keys->unknown[i].key,
		    keys->unknown[i].near[0] ? "; did you mean \"" : "",
		    keys->unknown[i].near,
		    keys->unknown[i].near[0] ? "\"?" : "");
	if (count > WORKLOAD_UNKNOWN_MAX)
		say("%s: %zu more unknown keys", path,
		    count - WORKLOAD_UNKNOWN_MAX);
}

static void say_size(const struct workload *workload,
		     const struct workload_setting *setting)
{
	uint64_t accelerators =
		(uint64_t)setting->accelerators * setting->hosts;
	uint64_t step_samples = accelerators * workload->batch_size;
	char said[WORKLOAD_SAID_MAX];
	struct workload_size size;

	workload_size(workload, setting, &size);
	say("dataset: %s", workload_say_size(workload, setting, &size, said));
	if (size.samples < step_samples)
		say("dataset: an epoch has %llu samples, fewer than the %llu "
		    "that one step of %llu accelerators takes: DLIO trains no "
		    "step of it; expected more files, or fewer accelerators",
		    (unsigned long long)size.samples,
		    (unsigned long long)step_samples,
		    (unsigned long long)accelerators);
}

static int read_file(const struct import_options *options,
		     struct workload *workload, struct workload_keys *keys,
		     struct fault *fault)
{
	int error = workload_read(workload, keys, options->path, fault);

	if (!options->quiet && !error) {
		say_seen(keys, false, "used");
		say_seen(keys, true, "ignored, without a meaning here");
	}
	say_unknown(options->path, keys);
	if (error)
		return error;
	if (options->strict && keys->unknown_count) {
		fault_set(fault, options->path, 0,
			  "%zu unknown key%s; expected none with --strict",
			  keys->unknown_count,
			  keys->unknown_count > 1 ? "s" : "");
		return -EINVAL;
	}
	if (!options->quiet)
		say_size(workload, &options->setting);
	return 0;
}

/* ---- the scenario ---- */

/* Is what is printed a scenario? What the file says may fit DLIO and still
 * not run: fewer samples than accelerators, a device that there is not. */
static int check(const struct import_options *options, const char *text,
		 size_t size, struct fault *fault)
{
	static struct scenario scenario;

	return scenario_parse(&scenario, options->path, text, size, NULL, 0,
			      fault);
}

static int make(const struct import_options *options,
		const struct workload *workload,
		const struct workload_keys *keys, char **text, size_t *size,
		struct fault *fault)
{
	struct fault about = { 0 };
	FILE *out = open_memstream(text, size);
	int error;

	if (!out)
		return -ENOMEM;
	workload_print(out, workload, keys, &options->setting);
	if (fclose(out))
		return -ENOMEM;
	error = check(options, *text, *size, &about);
	/* Its lines are not the file's. */
	if (error)
		fault_set(fault, options->path, 0, "no scenario: %.380s",
			  about.text);
	return error;
}

static int import(const struct import_options *options, struct fault *fault)
{
	const char *path = options->output_path;
	struct workload_keys keys;
	struct workload workload;
	char *text = NULL;
	size_t size = 0;
	int error = output_spares(path, options->path, fault);

	if (!error)
		error = read_file(options, &workload, &keys, fault);
	if (!error)
		error = make(options, &workload, &keys, &text, &size, fault);
	if (!error)
		error = output_text(path, text, size, fault);
	free(text);
	return error;
}

static const char doc[] =
	"Turn a workload file of DLIO or MLPerf Storage into a scenario: keys "
	"that were used, ignored or misspelt are listed, and what the file "
	"does not say is called assumed in the scenario."
	"\v"
	"The dataset is as large as the file says or, with --host-memory, as "
	"the rule of MLPerf Storage wants it: 500 steps an epoch or five times "
	"the memory of all hosts, whichever is more.\n"
	"\n"
	"Examples:\n"
	"  echosim import-workload unet3d_h100.yaml -o mine.yaml\n"
	"  echosim import-workload unet3d_h100.yaml --hosts 2 "
	"--host-memory 256GiB\n"
	"\n"
	"The published ones are there already: `echosim list workloads`, "
	"`echosim compare --workload unet3d-h100`.\n";

const struct argp import_workload_argp = {
	.options = option_list,
	.parser = parse,
	.args_doc = "FILE",
	.doc = doc,
};

int command_import_workload(int argc, char **argv)
{
	static struct import_options options = {
		.setting = { .accelerators = 1, .hosts = 1 },
	};
	struct fault fault = { 0 };
	int error;

	argp_parse(&import_workload_argp, argc, argv, 0, NULL, &options);
	error = import(&options, &fault);
	return error ? complain(error, &fault) : STATUS_DONE;
}
