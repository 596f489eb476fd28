#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Nothing that is read is ever written over: -o, --timeline and --trace onto
# each file that a command line names, whatever option, key or file names it,
# and by whatever name. What names a file is asked of the program itself, its
# --help and its table of fields, so that nothing new is forgotten: what is not
# known here fails.
# shellcheck source=tests/manners/lib.bash
. "$(dirname "$0")/lib.bash"

mkdir "$work/in"
cd "$work/in" || exit 1

# --- what there is ------------------------------------------------------------

printf 'bandwidth: 2 GB/s\n' >base.yaml
printf 'extends: base.yaml\nlatency: 1 us\n' >device.yaml
printf 'accelerator_hour: 4.00\n' >prices.yaml
printf 'factor,fresh\n1,8e6\n2,5e6\n' >law.csv
mkdir files
for name in a b c d; do
	head -c 20000 /dev/urandom >files/$name
done
"$ECHOSIM" pack files -o set -q >"$work/said"
cat >train.yaml <<'END'
dataset: {path: set, examples: 4, example_bytes: 20 kB, shard_examples: 4}
storage: {device: device.yaml}
prices: prices.yaml
training: {law: law.csv}
pipeline: {batch_size: 2}
accelerator: {step_time: 1 ms}
run: {steps: 2, warmup_steps: 0}
END
cp "$ROOT/traces/workloads/unet3d-h100.yaml" workload.yaml
printf 'fio version 2 iolog\n/x add\n/x open\n/x read 0 4096\n/x close\n' \
	>job.iolog
"$ECHOSIM" sim train.yaml -q --trace run.trace --format json >result.json
"$ECHOSIM" sweep train.yaml -q --vary seed=1..2 --format json >sweep.json

# What makes a whole command line of a subcommand, but for -o. Words that are
# paths, also behind a "=" or a ",", are what it reads.
declare -A words=(
	[compare]='train.yaml'
	[sim]='train.yaml'
	[run]='train.yaml'
	[sweep]='train.yaml --vary storage.device=device.yaml,gcs'
	[plan]='train.yaml --require au>=0.1 --vary storage.queue_depth=1..2'
	[pack]='files --force'
	[verify]='set'
	[probe]='files --time 10ms'
	[learn]=''
	[import-workload]='workload.yaml'
	[report]='result.json'
	[list]='laws'
	[trace info]='run.trace'
	[trace print]='run.trace'
	[trace stat]='run.trace'
	[trace cut]='run.trace --from 0s'
	[trace fit]='run.trace'
	[trace import]='job.iolog'
	[trace export]='run.trace --to fio-iolog'
)
# What stands for the file of an option that reads one.
declare -A reads=(
	[prices]=prices.yaml
	[replay]=run.trace
	[target]='files/a --replay run.trace'
	[resume]=sweep.json
)
writes=' output timeline trace '

cp -r . "$work/before"

# --- one try ------------------------------------------------------------------

# kept PRODUCT FILE WORD...: the file is refused as a product, whatever it is
# called, and so is all else still there.
kept() {
	local product=$1 file=$2 name status

	shift 2
	for name in "$file" "$work/link" "$work/hard"; do
		rm -f "$work/link" "$work/hard"
		ln -s "$PWD/$file" "$work/link"
		[ "$name" != "$work/hard" ] || [ -d "$file" ] ||
			ln "$file" "$work/hard"
		[ -e "$name" ] || continue
		timeout 60 "$ECHOSIM" "$@" "$product" "$name" </dev/null \
			>"$work/told" 2>&1
		status=$?
		if [ $status != 2 ] || ! diff -r . "$work/before"; then
			echo "exit $status: echosim $* $product $name"
			cat "$work/told"
			cp -r "$work/before/." .
			return 1
		fi
	done
}

# inputs WORD...: what these words read, and what their files name.
inputs() {
	local word

	for word; do
		printf '%s\n' "$word" ${word//[=,]/ }
	done | sort -u | while read -r word; do
		[ ! -e "$word" ] || find "$word"
		[ "$word" != train.yaml ] ||
			find set device.yaml base.yaml prices.yaml law.csv
		[ "$word" != device.yaml ] || echo base.yaml
	done | sort -u
}

# all_kept PRODUCT WORD...: whatever these words read.
all_kept() {
	local product=$1 file

	shift
	while read -r file; do
		kept "$product" "$file" "$@" || return 1
	done < <(inputs "$@")
}

# value_kept FILE WORD...: a file or all in a folder, which the words name.
value_kept() {
	local value=$1 file

	shift
	while read -r file; do
		kept -o "$file" "$@" || return 1
	done < <(find "$value")
}

# --- the walk over commands and their options ---------------------------------

# options COMMAND...: those whose argument is a file.
options() {
	"$ECHOSIM" "$@" --help |
		sed -nE 's/^ .*--([a-z-]+)=(FILE|PATH|DIR|OUT)( .*|$)/\1/p'
}

# The first words of the lines between "Subcommands:" or so and the next gap.
names() {
	"$ECHOSIM" "$@" --help |
		sed -nE '/^(Subcommands|What it does):/,/^$/s/^  ([a-z-]+) .*/\1/p'
}

commands() {
	names | grep -vx trace
	names trace | sed 's/^/trace /'
}

with_output() {
	local command

	commands | while read -r command; do
		options $command | grep -qx output && echo "$command"
	done
}

known() {
	[ -n "${words[$1]+is}" ] && return
	echo "no command line for '$1': say above what it reads"
	return 1
}

option_known() {
	[[ $writes = *" $1 "* || -n ${reads[$1]+is} ]] && return
	echo "--$1 names a file: say above what it reads, or that it writes"
	return 1
}

mapfile -t all < <(with_output)
ok 'commands with -o are found' [ ${#all[@]} -ge 19 ]
for command in "${all[@]}"; do
	ok "$command: known" known "$command"
	line="$command ${words[$command]-}"
	ok "$command: -o onto what it reads" all_kept -o $line
	for option in $(options $command); do
		ok "$command --$option: known" option_known "$option"
		if [[ $option != output && $writes = *" $option "* ]]; then
			ok "$command: --$option onto what it reads" \
				all_kept "--$option" $line
		elif [ -n "${reads[$option]-}" ]; then
			ok "$command --$option: -o onto what it reads" \
				all_kept -o $line "--$option" ${reads[$option]}
		fi
	done
done

# --- the walk over keys and sections ------------------------------------------

# Texts, and sections: either may be a file's name.
keys() {
	"$ECHOSIM" list fields --format csv |
		awk -F, 'NR > 1 && $2 == "text" { print $1 }
			NR > 1 {
				while (sub(/\.[^.]*$/, "", $1))
					print $1
			}' | sort -u
}

candidates='device.yaml prices.yaml law.csv files'

runs() {
	"$ECHOSIM" run train.yaml -q --no-stalls --set "$1"
}

# A key names a file if one that is there will do, and one that is not will
# not.
files_of() {
	local file

	runs "$1=nowhere/device.yaml" && return
	for file in $candidates; do
		! runs "$1=$file" || echo "$file" >&3
	done
}

declare -A named=()
for key in $(keys); do
	file=$({ files_of "$key" >"$work/said" 2>&1; } 3>&1 | head -n 1)
	[ -z "$file" ] || named[$key]=$file
done
for key in dataset.path prices storage.device storage.device.extends \
	training.law training.law.file; do
	ok "$key names a file" [ -n "${named[$key]-}" ]
done
for command in "${all[@]}"; do
	"$ECHOSIM" $command --help | grep -q -e ' --set=KEY' || continue
	for key in "${!named[@]}"; do
		ok "$command --set $key: -o onto it" value_kept \
			"${named[$key]}" $command ${words[$command]} --set "$key=${named[$key]}"
	done
done

finish
