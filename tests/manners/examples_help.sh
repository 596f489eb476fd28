#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The examples of every --help run as they are printed.
# shellcheck source=tests/manners/examples.bash
. "$(dirname "$0")/examples.bash"

# Lines too long for --help go on at the left edge.
none_broken() {
	! sed 1d "$1" | grep -v '^$' | grep -v '^  '
}

mapfile -t commands < <("$ECHOSIM" --help |
	sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
for command in '' "${commands[@]}"; do
	# shellcheck disable=SC2086
	"$ECHOSIM" $command --help | sed -n '/^Examples:/,/^$/p' >"$work/shown"
	mapfile -t lines < <(sed -n 's/^  *//p' "$work/shown" | sed ':more
		/\\$/ { N; s/\\\n *//; b more }')
	ok "${command:-echosim}: --help has examples" [ ${#lines[@]} -gt 0 ]
	ok "${command:-echosim}: --help breaks none of them" \
		none_broken "$work/shown"
	try "${command:-echosim}" "${lines[@]}"
done
finish
