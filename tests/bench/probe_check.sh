#!/bin/bash
# SPDX-License-Identifier: MIT
#
# usage: probe_check.sh [ROUNDS]
#
# Does a profile from `echosim probe` predict a training job on that storage?
# Packs 200 MiB that do not compress below $TMPDIR, then, ROUNDS times (7): a
# probe of the dataset's own files, a run against them as they are (device:
# native), and a simulation with the profile. Prints the utilisations and what
# stands between their medians; exit 1 when that is more than three points.
# Other work on the machine shows, so this is no part of `make test`.
set -eu

rounds=${1:-7}
here=$(cd "$(dirname "$0")" && pwd)
ECHOSIM=${ECHOSIM:-$here/../../build/echosim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

cd "$work"
cat >bound.yaml <<'END'
name: storage is the bottleneck
dataset: {path: set}
storage: {device: native, request_bytes: 1 MiB, queue_depth: 8}
pipeline: {decompress: {workers: 2}, batch_size: 16}
accelerator: {step_time: 0.5 ms}
run: {duration: 4 s, warmup_steps: 20}
END

# au RESULT: the utilisation in it, in per cent.
au() {
	awk -F '[:,]' '/"au":/ { printf "%.2f\n", $2 * 100; exit }' "$1"
}

median() {
	sort -n | awk '{ v[NR] = $1 } END {
		print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
	}'
}

"$ECHOSIM" pack --synthetic examples=3200,bytes='64 KiB' --level 1 -o set -q \
	>/dev/null
printf '%-6s %8s %8s %8s  %s\n' round 'run %' 'sim %' load 'error held out'
for ((round = 1; round <= rounds; round++)); do
	"$ECHOSIM" probe set --time 10s -q -o probed.yaml >probed.txt
	"$ECHOSIM" run bound.yaml -q --format json -o run.json
	"$ECHOSIM" sim bound.yaml -q --format json -o sim.json \
		--set storage.device=probed.yaml
	au run.json >>run.txt
	au sim.json >>sim.txt
	printf '%-6s %8s %8s %8s %s\n' "$round" "$(tail -n 1 run.txt)" \
		"$(tail -n 1 sim.txt)" "$(cut -d ' ' -f 1 /proc/loadavg)" \
		"$(sed -n 's/^ *held out  *median/ median/p' probed.txt)"
done
cat probed.yaml
awk -v run="$(median <run.txt)" -v sim="$(median <sim.txt)" 'BEGIN {
	off = sim - run
	printf "median: run %.2f %%, sim %.2f %%: %+.2f points\n", run, sim, off
	exit off > 3 || off < -3
}'
