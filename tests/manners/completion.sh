#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Completion: what bash would offer for lines that a person types.
# shellcheck source=tests/manners/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=completions/echosim.bash
. "$ROOT/completions/echosim.bash"

PATH=$(dirname "$ECHOSIM"):$PATH
mkdir "$work/in" "$work/in/folder"
touch "$work/in/train.yaml"
cd "$work/in" || exit 1

# offers LINE WORD...: all these words are offered, when the cursor stands at
# the end of the line. A WORD that begins with "!" must not be.
offers() {
	local word COMP_LINE=$1 COMP_POINT=${#1} missing=0
	local -a COMPREPLY=()

	shift
	_echosim
	for word; do
		case " ${COMPREPLY[*]} " in
		*" ${word#!} "*) [[ $word != !* ]] && continue ;;
		*) [[ $word = !* ]] && continue ;;
		esac
		echo "wanted $word, found: ${COMPREPLY[*]}"
		missing=1
	done
	return $missing
}

offers_nothing() {
	local COMP_LINE=$1 COMP_POINT=${#1}
	local -a COMPREPLY=()

	_echosim
	echo "found: ${COMPREPLY[*]}"
	[ ${#COMPREPLY[@]} = 0 ]
}

ok 'subcommands' offers 'echosim ' compare sim run pack list '!complete'
ok 'the rest of a subcommand' offers 'echosim comp' compare '!sim'
ok 'options of a subcommand' offers 'echosim sim --' --format= --set= --quiet \
	'!--best' '!--level='
ok 'options of another' offers 'echosim pack --' --level= --synthetic= '!--set='
ok 'a report format behind =' offers 'echosim sim --format=' text json csv
ok 'a report format as a word' offers 'echosim sim --format j' json '!text'
ok 'a dataset format' offers 'echosim pack x --format ' shards lmdb '!json'
ok 'echo places' offers 'echosim sim x --echo ' none batch: \
	example-after-augment:
ok 'scenario keys' offers 'echosim sim x --set pipeline.dec' \
	pipeline.decode.workers= pipeline.decompress.rate= '!seed='
ok 'devices' offers 'echosim sim x --set storage.device=aws-ebs-g' \
	aws-ebs-gp2 aws-ebs-gp3 '!aws-ebs-st1'
ok 'devices behind two =' offers 'echosim sim --set=storage.device=aws-ebs-g' \
	aws-ebs-gp2 aws-ebs-gp3
ok 'loaders' offers 'echosim sim x --loader py' pytorch pytorch-unordered
ok 'loaders of a key' offers 'echosim sim x --set pipeline.loader.like=' \
	pytorch pytorch-unordered
ok 'laws' offers 'echosim sim x --set training.law=choi2019-resnet5' \
	choi2019-resnet50-imagenet
ok 'words of a key' offers 'echosim sim x --set accelerator.sync=' barrier none
ok 'yes or no' offers 'echosim sim x --set pipeline.ordered=' true false
ok 'metrics' offers 'echosim sim x --require ' au useful_au
ok 'tables' offers 'echosim list ' devices fields laws metrics
ok 'a data set of learn' offers 'echosim learn --data ' digits teacher
ok 'files where a scenario is wanted' offers 'echosim sim ' train.yaml folder
ok 'folders alone where one is wanted' offers 'echosim pack x -o ' folder \
	'!train.yaml'
ok 'nothing for a number' offers_nothing 'echosim sim x --seed '
ok 'nothing behind an unknown subcommand' offers_nothing 'echosim nonsense '
if command -v zsh >/dev/null; then
	ok 'the script for zsh is well formed' \
		zsh -n "$ROOT/completions/_echosim"
else
	skip 'the script for zsh is well formed' 'no zsh here'
fi
finish
