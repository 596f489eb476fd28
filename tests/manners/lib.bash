# SPDX-License-Identifier: MIT
#
# Sourced by the tests of this folder: TAP, and a folder of their own.
set -u

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ECHOSIM=${ECHOSIM:-$ROOT/build/echosim}
work=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
number=0
bad=0

# ok TITLE COMMAND...: a test that passes when the command does, silently.
ok() {
	local title=$1 verdict=ok

	shift
	number=$((number + 1))
	"$@" >"$work/said" 2>&1 || verdict='not ok'
	echo "$verdict $number - $title"
	[ "$verdict" = ok ] && return
	tail -n 40 "$work/said" | sed 's/^/# /'
	bad=1
}

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

finish() {
	echo "1..$number"
	exit $bad
}
