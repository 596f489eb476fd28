#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The examples of every --help run as they are printed.
# shellcheck source=tests/manners/examples.bash
. "$(dirname "$0")/examples.bash"

mapfile -t commands < <("$ECHOSIM" --help |
	sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
for command in '' "${commands[@]}"; do
	# shellcheck disable=SC2086
	mapfile -t lines < <("$ECHOSIM" $command --help |
		sed -n '/^Examples:/,/^$/s/^  *//p')
	ok "${command:-echosim}: --help has examples" [ ${#lines[@]} -gt 0 ]
	try "${command:-echosim}" "${lines[@]}"
done
finish
