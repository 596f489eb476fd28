#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Whatever takes long is interrupted at random moments, by SIGINT, SIGTERM and
# SIGKILL: what was there is there still, or in its place what was measured,
# marked as not complete, or the whole new product. Nothing half is ever seen
# under a name that was asked for. MOMENTS=N tries N moments of each.
# shellcheck source=tests/manners/lib.bash
. "$(dirname "$0")/lib.bash"

seed=${SEED:-$RANDOM}
RANDOM=$seed
echo "# seed $seed; SEED=$seed repeats its moments"
mkdir "$work/in"
cd "$work/in" || exit 1

mkdir files
for name in $(seq 10 60); do
	head -c 200000 /dev/urandom >"files/$name"
done
"$ECHOSIM" pack files -o set -q >"$work/said"
cat >train.yaml <<'END'
dataset: {path: set, examples: 10000000, example_bytes: 100 kB}
storage: {device: {bandwidth: 150 MB/s, latency: 8 ms}}
pipeline: {batch_size: 16}
accelerator: {step_time: 20 ms}
run: {steps: 60000, warmup_steps: 1}
END
grep -v examples train.yaml >live.yaml
echo 'dataset: {path: set}' >>live.yaml

# Of each, but for -o and its format: a line that takes seconds.
declare -A lines=(
	[compare]='train.yaml --format json --echo batch:2 --echo batch:3'
	[run]='live.yaml --format json --no-stalls'
	[sweep]='train.yaml --format json --vary seed=1..40'
	[plan]='train.yaml --format json --require au>=0.9
		--vary storage.queue_depth=1..64
		--vary storage.device.bandwidth=100MB/s..4GB/s'
	[learn]='--searches 20 --format json'
	[probe]='files --time 20s'
	[verify]='set --format json'
	[pack]='--synthetic examples=40000,bytes=64KiB --level 19 --force'
)

# What stood in the product's place before.
put_earlier() {
	rm -rf product
	if [ "$1" = pack ]; then
		cp -r set product
	else
		echo 'what was there' >product
	fi
}

is_earlier() {
	if [ "$1" = pack ]; then
		diff -rq set product
	else
		echo 'what was there' | cmp - product
	fi
}

# Whole, or marked: the last byte of a product is the end of its form, and a
# JSON that is no whole result says so.
is_whole_or_marked() {
	case $1 in
	pack) "$ECHOSIM" verify product ;;
	probe) "$ECHOSIM" sim train.yaml -q --no-stalls --set run.steps=2 \
		--set storage.device=./product.yaml ;;
	*)
		[ "$(tail -c 2 product)" = '}' ] || return 1
		[ "$2" = 0 ] || [ "$2" = 1 ] ||
			grep -q -e '"complete": false' -e 'not complete' product
		;;
	esac
}

# Nothing else is left: no file beside, no dataset in the making; but a kill
# leaves a folder in the making, which the next packing removes.
nothing_beside() {
	local left

	left=$(find . -maxdepth 1 -name '*product*' ! -name product)
	[ -z "$left" ] && return
	[ "$1 $2" = 'pack KILL' ] && [[ $left = ./.product.partial-* ]] &&
		rm -rf ./.product.partial-* && return
	echo "left: $left"
	return 1
}

# holds COMMAND SIGNAL DELAY
holds() {
	local command=$1 signal=$2 status pid

	put_earlier "$command"
	"$ECHOSIM" "$command" ${lines[$command]} -q -o product \
		>"$work/out" 2>"$work/err" &
	pid=$!
	sleep "$3"
	kill -"$signal" "$pid" 2>/dev/null
	wait "$pid"
	status=$?
	echo "$command, SIG$signal after $3 s: exit $status"
	cat "$work/err"
	case $status in
	0 | 1 | 130 | 137) ;;
	# Before it could catch signals.
	143) [ "$signal" = TERM ] || return 1 ;;
	*) return 1 ;;
	esac
	nothing_beside "$command" "$signal" || return 1
	is_earlier "$command" >/dev/null && return
	[ ! -f product ] || cp product product.yaml
	is_whole_or_marked "$command" "$status"
	status=$?
	rm -f product.yaml
	[ $status = 0 ] || head -c 600 product
	return $status
}

for command in compare run sweep plan learn probe verify pack; do
	for signal in INT TERM KILL; do
		for ((moment = 0; moment < ${MOMENTS:-2}; moment++)); do
			delay=$(printf '0.%03d' $((RANDOM % 900)))
			ok "$command, SIG$signal after $delay s" \
				holds "$command" "$signal" "$delay"
		done
	done
done
finish
