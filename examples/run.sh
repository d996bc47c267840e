#!/bin/sh
# Installs what is missing, builds the program deepsim, and runs examples/NAME/NAME.json (default: lander) with its log in
# out/NAME. What follows the name goes to `deepsim run`.
#   sh examples/run.sh
#   sh examples/run.sh rov --duration 20 --seed 3

set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=src/packaging/build.sh
. "$root/src/packaging/build.sh"

# The scenario: a folder here.
name=lander
case ${1-} in
	'') ;;
	-*) ;;
	*) name=$1; shift ;;
esac
if [ ! -f "$root/examples/$name/$name.json" ]
then
	echo "There is no examples/$name/$name.json. Scenarios:" >&2
	for file in "$root"/examples/*/*.json
	do
		folder=$(basename "$(dirname "$file")")
		[ "$folder.json" != "$(basename "$file")" ] || echo "  $folder" >&2
	done
	exit 2
fi

# The release build, which the tests use too. Once it is configured CMake looks after itself.
install_missing "$build_needs"
if ! is_configured release
then
	echo "building deepsim in build/release: a minute or so, this once" >&2
	configure release -DCMAKE_BUILD_TYPE=Release -DDEEPSIM_BUILD_TESTS=OFF
fi
build release deepsim_program

cd "$root"
mkdir -p out
build/release/deepsim run "examples/$name/$name.json" --log "out/$name" "$@"
echo "log: $root/out/$name" >&2
