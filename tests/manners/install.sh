#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What `make install` puts below DESTDIR works from there, and `make
# uninstall` takes all of it away.
# shellcheck source=tests/manners/lib.bash
. "$(dirname "$0")/lib.bash"

there=$work/there
at=$there/opt/echo

# The make that runs this test has flags of its own, but builds the same.
make_it() {
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$ROOT" \
		BUILD="${BUILD:-build}" FLAVOUR="${FLAVOUR:-}" \
		DESTDIR="$there" PREFIX=/opt/echo "$@"
}

runs() {
	cd "$work" && "$at/bin/echosim" --version &&
		"$at/bin/echosim" sim \
			"$at/share/doc/echosim/examples/quickstart.yaml"
}

completes() {
	(
		PATH=$at/bin:$PATH
		. "$at/share/bash-completion/completions/echosim"
		COMP_LINE='echosim comp' COMP_POINT=12
		_echosim
		[ "${COMPREPLY[*]}" = compare ]
	)
}

nothing_left() {
	find "$there" -type f
	[ -z "$(find "$there" -type f)" ]
}

ok 'make install succeeds' make_it install
ok 'the program runs from there' runs
ok 'the man page is there' grep -q '^\.TH ECHOSIM 1' \
	"$at/share/man/man1/echosim.1"
ok 'completion for bash works from there' completes
ok 'completion for zsh is there' \
	grep -q '^#compdef echosim' "$at/share/zsh/site-functions/_echosim"
ok 'the licence is there' test -s "$at/share/doc/echosim/LICENSE"
ok 'make uninstall succeeds' make_it uninstall
ok 'nothing is left' nothing_left
finish
