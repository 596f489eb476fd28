# SPDX-License-Identifier: MIT
#
# Sourced by what tries the command lines that pages show: they must run as
# they stand there. Those that would take minutes are made smaller first
# (shortened), or left out with the reason (left_out).
# shellcheck source=tests/manners/lib.bash
. "$(dirname "${BASH_SOURCE[0]}")/lib.bash"

PATH=$(dirname "$ECHOSIM"):$PATH

# What a person has who reads --help: a scenario and files of their own.
furnish() {
	local i

	mkdir "$1" "$1/photos" "$1/disk" "$1/data"
	ln -s "$ROOT/traces" "$ROOT/completions" "$1/"
	ln -s "$(dirname "$ECHOSIM")" "$1/build"
	for ((i = 0; i < 200; i++)); do
		head -c $((2000 + i)) /dev/zero | tr '\0' $((i % 10)) \
			>"$1/photos/$i.jpg"
	done
	for i in 000 001 002; do
		tar -C "$1" -cf "$1/train-$i.tar" photos
	done
	cp "$ROOT/traces/examples/prices.yaml" "$1/"
	head -c 40000000 /dev/zero | tr '\0' x >"$1/disk/train"
	cat >"$1/train.yaml" <<-'END'
		dataset: {path: mine, examples: 200, example_bytes: 2 kB}
		storage: {device: {bandwidth: 1 MB/s, latency: 1 ms}}
		pipeline: {batch_size: 8}
		accelerator: {step_time: 8 ms}
		training: {law: choi2019-resnet50-imagenet}
		echo: [{place: none}, {place: batch, factor: 2}]
		run: {steps: 20}
	END
	sed 's/time: 8 ms/time: 4 ms/' "$1/train.yaml" >"$1/other.yaml"
	cat >"$1/unet3d_h100.yaml" <<-'END'
		model: {name: unet3d, type: cnn, model_size: 499153191}
		framework: pytorch
		workflow: {generate_data: False, train: True, checkpoint: True}
		dataset:
		  data_folder: data/unet3d/
		  format: npz
		  num_files_train: 168
		  num_samples_per_file: 1
		  record_length_bytes: 146600628
		  record_length_bytes_stdev: 68341808
		  record_length_bytes_resize: 2097152
		reader:
		  data_loader: pytorch
		  batch_size: 7
		  read_threads: 4
		  file_shuffle: seed
		  sample_shuffle: seed
		train: {epochs: 5, computation_time: 0.323}
		metric: {au: 0.90}
	END
	(cd "$1" && echosim pack photos -o data/demo-shards -q &&
		cp -r data/demo-shards data/demo-lmdb) >/dev/null
}

# Minutes, gigabytes and mounts of somebody else's.
shortened() {
	sed -e 's|/mnt/data|disk|; s/--create [^ ]*/--create 32MiB/' \
		-e 's/--time [^ ]*/--time 1s/; s/examples=100000/examples=100/' \
		-e 's/{000\.\.099}/{000..002}/' \
		-e '/ probe /s/$/ --time 1s/' \
		-e '/ learn\( \|$\)/s/$/ --searches 1/' \
		-e 's/figure3-\$workload.yaml/& --set run.steps=2500/' \
		-e '/demo\.yaml/s/$/ --set run.duration=200ms/' \
		-e 's/echosim \(compare\|sim\) /&--no-stalls /' <<<"$1"
}

# Why a line is not run; fails when it is.
left_out() {
	case $1 in
	'make demo'* | 'make test'*) echo 'runs by itself' ;;
	*'| man -l -') command -v man >/dev/null && return 1; echo 'no man here' ;;
	*) return 1 ;;
	esac
}

# Done, or done with a goal missed.
runs() {
	local status

	(cd "$1" && MANPAGER=cat timeout 100 bash -ec "$2" </dev/null)
	status=$?
	echo "status $status of: $2"
	[ $status = 0 ] || [[ $status = 1 && $2 = *--require* ]]
}

# try PAGE COMMANDS...: in one folder, in order; each may have several lines.
try() {
	local page=$1 commands why folder title

	shift
	folder=$(mktemp -d "$work/XXXXXX")/in
	furnish "$folder"
	# Where a page shows how to make it, it is not there yet.
	[[ $* = *'-o mine'* ]] ||
		cp -r "$folder/data/demo-shards" "$folder/mine"
	for commands; do
		title="$page: ${commands%%$'\n'*}"
		if why=$(left_out "$commands"); then
			skip "$title" "$why"
		else
			ok "$title" runs "$folder" "$(shortened "$commands")"
		fi
	done
}
