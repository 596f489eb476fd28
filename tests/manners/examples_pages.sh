#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The command lines in the README and in docs/ run as they stand there: blocks
# that begin with a command, each as a whole.
# shellcheck source=tests/manners/examples.bash
. "$(dirname "$0")/examples.bash"

# Indented blocks of a page that begin with a command, parted by form feeds.
blocks() {
	awk '
	!/^    / { inside = 0; next }
	!inside && $1 !~ /^(build\/echosim|echosim|make|cp|fio|for|printf|\.)$/ {
		next
	}
	!inside && count++ { printf "\f" }
	{ inside = 1; print substr($0, 5) }' "$1"
}

cd "$ROOT" || exit 1
for page in README.md docs/*.md; do
	mapfile -d $'\f' -t commands < <(blocks "$ROOT/$page")
	[ ${#commands[@]} = 0 ] || try "$page" "${commands[@]}"
done
finish
