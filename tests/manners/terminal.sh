#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Colour and width: what a terminal gets, and what files and pipes get.
# shellcheck source=tests/manners/lib.bash
. "$(dirname "$0")/lib.bash"

escape=$'\033'
scenario=$ROOT/traces/examples/imagenet-on-object-store.yaml
compare="$ECHOSIM compare --no-stalls --set run.steps=50 $scenario"

# seen COLUMNS COMMAND: what the command writes on a terminal that wide.
seen() {
	TERM=${TERM_WANTED-xterm} script -qec \
		"stty cols $1; $2" /dev/null </dev/null | tr -d '\r'
}

colored() {
	[ "$(grep -c "$escape" <<<"$1")" -gt 0 ]
}

plain() {
	! colored "$1"
}

# fits COLUMNS: no line of standard input is longer, colour aside.
fits() {
	sed "s/$escape\[[0-9;]*m//g" | awk -v most="$1" '
	length > most { print length ": " $0; over = 1 }
	END { exit over || !NR }'
}

fits_on() {
	seen "$1" "$2" | fits "$3"
}

unset NO_COLOR
ok 'colour on a terminal' colored "$(seen 80 "$compare")"
ok 'none in a pipe' plain "$($compare)"
ok 'none with NO_COLOR' plain "$(NO_COLOR=1 seen 80 "$compare")"
ok 'an empty NO_COLOR says nothing' colored "$(NO_COLOR='' seen 80 "$compare")"
ok 'none with TERM=dumb' plain "$(TERM_WANTED=dumb seen 80 "$compare")"
ok 'none with --color=never' plain "$(seen 80 "$compare --color=never")"
ok '--color=always in a pipe' colored "$($compare --color=always)"
ok '--color=always despite NO_COLOR' \
	colored "$(NO_COLOR=1 $compare --color=always)"
ok 'colour is all that colour changes' [ \
	"$($compare --color=always | sed "s/$escape\[[0-9;]*m//g")" = \
	"$($compare)" ]
ok 'no colour in JSON' plain "$($compare --color=always --format json)"
ok 'a table for people takes no room for colour' fits_on 80 "$compare" 80

mapfile -t tables < <("$ECHOSIM" list --help |
	sed -n '/^Tables:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
for table in "${tables[@]}"; do
	ok "list $table fits 80 columns" fits_on 80 "$ECHOSIM list $table" 80
	ok "list $table fits 200 columns" fits_on 200 "$ECHOSIM list $table" 200
	ok "list $table fits 80 columns in a window of 40" \
		fits_on 40 "$ECHOSIM list $table" 80
	ok "list $table fits 200 columns in a window of 900" \
		fits_on 900 "$ECHOSIM list $table" 200
done

fits_scenario() {
	"$ECHOSIM" "$1" --set run.steps=50 --set run.warmup_steps=1 "$2" | fits 80
}

for file in "$ROOT"/traces/examples/*.yaml; do
	# Those that need a dataset, and files that are no scenarios.
	grep -q '^ *path:' "$file" && continue
	grep -q '^accelerator:' "$file" || continue
	for command in sim compare; do
		ok "$command of ${file##*/} fits 80 columns" \
			fits_scenario $command "$file"
	done
done

says_fitting() {
	"$ECHOSIM" "$@" 2>&1 | fits 80
}

mkdir "$work/photos"
for ((i = 0; i < 200; i++)); do
	head -c 5000 /dev/zero >"$work/photos/$i"
done
cd "$work" || exit 1
ok 'pack fits 80 columns' says_fitting pack photos -o mine
ok 'verify fits 80 columns' says_fitting verify mine
ok 'compare --live fits 80 columns' says_fitting compare --live \
	"$ROOT/traces/examples/demo.yaml" --set dataset.path=mine \
	--set run.duration=300ms -q
ok 'run fits 80 columns' says_fitting run "$ROOT/traces/examples/demo.yaml" \
	--set dataset.path=mine --set run.duration=300ms -q
ok 'probe fits 80 columns' says_fitting probe . --create 32MiB --time 1s -q \
	-o disk.yaml
ok 'learn fits 80 columns' says_fitting learn --searches 1 --echo batch:2 -q
mapfile -t commands < <("$ECHOSIM" --help |
	sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')

help_fits() {
	# shellcheck disable=SC2086
	"$ECHOSIM" $1 --help | fits 80
}

for command in '' "${commands[@]}"; do
	ok "echosim $command --help fits 80 columns" help_fits "$command"
done
finish
