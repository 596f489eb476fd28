#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The man page is well formed and tells everything that the program has.
# shellcheck source=tests/manners/lib.bash
. "$(dirname "$0")/lib.bash"

page=$work/echosim.1
"$ECHOSIM" manual >"$page" || exit 1

# A formatter that warns fails.
quiet() {
	local said

	said=$("$@" 2>&1)
	printf '%s\n' "$said"
	[ -z "$said" ]
}

lint() {
	# A page that is made at every build has no date.
	quiet eval "mandoc -T lint -W style '$page' | grep -v 'missing date'"
}

ok 'groff has nothing to say about the page' \
	quiet groff -ww -man -z -T utf8 "$page"
if command -v mandoc >/dev/null; then
	ok 'nor has mandoc' lint
else
	skip 'nor has mandoc' 'no mandoc here'
fi

groff -man -T ascii -P -cbou -rLL=200n "$page" >"$work/text"

# tells WORD...: every word stands in the page as a person reads it.
tells() {
	local word missing=0

	for word; do
		grep -qF -- "$word" "$work/text" && continue
		echo "not in the page: $word"
		missing=1
	done
	[ $# -gt 0 ] && [ $missing = 0 ]
}

mapfile -t commands < <("$ECHOSIM" --help |
	sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
ok 'every subcommand is in the page' tells "${commands[@]/#/echosim }"
for command in "${commands[@]}"; do
	mapfile -t options < <("$ECHOSIM" "$command" --help |
		grep -oE '^ *(-., )? +--[a-z-]+' | grep -oE -- '--.*' |
		grep -vE -- '--(help|usage|version)$')
	[ ${#options[@]} = 0 ] ||
		ok "every option of $command is in the page" \
			tells "${options[@]}"
done
mapfile -t tables < <("$ECHOSIM" list --help |
	sed -n '/^Tables:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
for table in "${tables[@]}"; do
	mapfile -t names < <("$ECHOSIM" list "$table" --format csv |
		sed '1d;s/,.*//')
	ok "every name of list $table is in the page" tells "${names[@]}"
done
finish
