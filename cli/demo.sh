#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The demonstration behind `make demo`: packs a folder of this machine's own
# files in both formats, then compares every echo strategy of the demo scenario
# in simulation and against real reads held back to a slow disk.
set -euo pipefail
cd "$(dirname "$0")/.."

ECHOSIM=${ECHOSIM:-build/echosim}
scenario=traces/examples/demo.yaml
files_max=4000
bytes_max=$((40 * 1000 * 1000))

say() {
	printf '\n== %s\n' "$*" >&2
}

# Copies files of 2 KiB to 1 MiB, in sorted order, until there are enough.
# Folders that are not there are passed over.
copy_files() {
	{ find "$@" -xdev -type f -readable -size +2k -size -1024k \
		-printf '%s %p\n' 2>/dev/null || true; } | LC_ALL=C sort -k 2 |
		awk -v files="$files_max" -v bytes="$bytes_max" '
		files > 0 && bytes >= $1 && !/[\t"\\]/ {
			files--
			bytes -= $1
			sub(/^[0-9]+ /, "")
			print
		}' | tr '\n' '\0' |
		xargs -0 -r cp --parents --no-preserve=all -t data/demo-files --
}

rm -rf data/demo-files
mkdir -p data/demo-files

say "a folder of real files: data/demo-files"
# What every Debian has that can build echosim; itself if that is bare.
copy_files /usr/include /usr/share/perl /usr/share/doc /usr/lib/gcc
if [ "$(find data/demo-files -type f | wc -l)" -lt 2000 ]; then
	copy_files /usr/share /usr/lib
fi
echo "$(find data/demo-files -type f | wc -l) files," \
	"$(du -sh --apparent-size data/demo-files | cut -f 1)" >&2

for format in shards lmdb; do
	say "pack as $format: data/demo-$format"
	"$ECHOSIM" pack data/demo-files -o "data/demo-$format" \
		--format "$format" --force
	"$ECHOSIM" verify "data/demo-$format"
done
rm -rf data/demo-files

say "from the LMDB dataset"
"$ECHOSIM" compare --live "$scenario" --set dataset.path=data/demo-lmdb
say "from the zstd shards"
"$ECHOSIM" compare --live "$scenario" --set dataset.path=data/demo-shards
